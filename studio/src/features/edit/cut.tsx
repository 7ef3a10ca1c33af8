import { useSignal } from '@preact/signals';
import { change } from '../../store/edits.js';
import { outline, selection, text } from '../../store/workspace.js';

/** Extracts the subgraph between values, which people select one by one and add as its start or end. */
export function Cut() {
  const inputs = useSignal<readonly string[]>([]);
  const outputs = useSignal<readonly string[]>([]);
  const chosen = selection.value;
  const name = chosen?.kind === 'value' ? text(outline.value?.values.name[chosen.index]) : '';
  const ends = [
    { title: 'From', list: inputs, empty: 'the model inputs' },
    { title: 'To', list: outputs, empty: 'select a value in the graph, then add it' },
  ] as const;
  if (outline.value?.path !== '') return null;
  return (
    <section class="stack" aria-label="Extract subgraph">
      <h3>Extract a subgraph</h3>
      {ends.map(({ title, list, empty }) => (
        <div key={title} class="row">
          <strong>{title}</strong>
          {list.value.length === 0 && <span class="quiet">{empty}</span>}
          {list.value.map((each) => (
            <button
              key={each}
              type="button"
              class="button"
              aria-label={`Remove ${each}`}
              onClick={() => {
                list.value = list.value.filter((other) => other !== each);
              }}
            >
              {each} ×
            </button>
          ))}
          <button
            type="button"
            class="button"
            disabled={name === '' || list.value.includes(name)}
            onClick={() => {
              list.value = [...list.value, name];
            }}
          >
            Add {name || 'selected value'}
          </button>
        </div>
      ))}
      <button
        type="button"
        class="button"
        disabled={outputs.value.length === 0}
        onClick={async () => {
          await change({ kind: 'extract', inputs: inputs.value, outputs: outputs.value });
          inputs.value = [];
          outputs.value = [];
        }}
      >
        Extract
      </button>
    </section>
  );
}
