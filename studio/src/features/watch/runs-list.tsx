import { useSignal } from '@preact/signals';
import { chooseColor, colourOf, dashOf, resolved } from './colors.js';
import { hidden, overview } from './state.js';

function show(folders: readonly string[], isShown: boolean): void {
  const next = new Set(hidden.value);
  for (const folder of folders) {
    if (isShown) next.delete(folder);
    else next.add(folder);
  }
  hidden.value = next;
}

/** The runs: a filter, their colours, and which of them are drawn. */
export function RunsList() {
  const text = useSignal('');
  const runs = (overview.value?.runs ?? []).filter(({ name }) => name.toLowerCase().includes(text.value.toLowerCase()));
  const folders = runs.map(({ folder }) => folder);
  const all = overview.value?.runs.map(({ folder }) => folder) ?? [];
  return (
    <section class="run-choice stack" aria-label="Runs">
      <label class="label">
        Filter runs
        <input
          class="field"
          type="search"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </label>
      <div class="row">
        <button type="button" class="link" onClick={() => show(folders, true)}>
          All
        </button>
        <button type="button" class="link" onClick={() => show(folders, false)}>
          None
        </button>
      </div>
      <ul>
        {runs.map(({ folder, name }) => (
          <li key={folder} class="run">
            <label>
              <input
                type="checkbox"
                checked={!hidden.value.has(folder)}
                onChange={(event) => show([folder], event.currentTarget.checked)}
              />
              <Swatch run={folder} />
              <span>{name}</span>
            </label>
            <input
              type="color"
              aria-label={`Color of ${name}`}
              value={resolved(colourOf(folder))}
              onInput={(event) => chooseColor(folder, event.currentTarget.value)}
            />
            <button
              type="button"
              class="link"
              aria-label={`Only ${name}`}
              onClick={() => {
                show(all, false);
                show([folder], true);
              }}
            >
              only
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The line style of a run. */
export const Swatch = ({ run }: { run: string }) => (
  <svg class="swatch" viewBox="0 0 18 8" aria-hidden="true">
    <path d="M0 4h18" style={{ stroke: colourOf(run) }} stroke-dasharray={dashOf(run).join(' ') || undefined} />
  </svg>
);
