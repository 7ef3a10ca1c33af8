import { signal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { takeFiles } from '../../store/file-takers.js';
import { type FoundFile, filesListed, modelsAmong } from '../../store/found-files.js';
import { note, task } from '../../store/notices.js';
import { files, model, outline } from '../../store/workspace.js';
import { FileButton } from '../../ui/file-button.js';
import { STATUSES } from '../../workers/contracts/compare.js';
import type { ModelFiles } from '../../workers/contracts/documents.js';
import { type Comparison, compare } from './comparison.js';
import { mark, showSide, sideInView } from './in-view.js';
import { NodeRows } from './node-rows.js';
import { pair } from './pair.js';
import { Summary } from './summary.js';

const comparison = signal<Comparison | null>(null);

/** Compares the model in view with another: which nodes match, and how they differ. */
export default function ComparePanel() {
  useEffect(() => takeFiles(take), []);
  useSignalEffect(() => {
    if (comparison.value && outline.value) void mark(comparison.value);
  });
  const found = comparison.value;
  return (
    <div class="panel">
      <h2>Compare</h2>
      <p class="quiet">
        Compare {model.value?.name} with another model: matching nodes, size, time, and results. Drop the other model
        here, together with its external weights if it has any.
      </p>
      <div class="row">
        <FileButton title="Choose other model" isMultiple onFiles={(files) => take(filesListed(files))} />
        <button type="button" class="button" onClick={() => void begin('simplified')}>
          Compare with simplified model
        </button>
      </div>
      {found && <Found key={found.id} comparison={found} />}
    </div>
  );
}

function Found({ comparison: found }: { comparison: Comparison }) {
  const side = sideInView(found);
  return (
    <>
      <fieldset class="row">
        <legend>Shown in the graph</legend>
        {([0, 1] as const).map((each) => (
          <button
            key={each}
            type="button"
            class="button"
            aria-pressed={side === each}
            onClick={() => void showSide(found, each)}
          >
            {found.titles[each]}
          </button>
        ))}
        <button
          type="button"
          class="button"
          aria-pressed={pair.value === found && side !== undefined}
          onClick={() => void toggleBeside(found)}
        >
          Side by side
        </button>
      </fieldset>
      <Summary comparison={found} />
      {found.compared.others.length > 0 && <Others comparison={found} />}
      <NodeRows comparison={found} />
    </>
  );
}

const Others = ({ comparison: { compared, titles } }: { comparison: Comparison }) => (
  <section class="stack" aria-label="Model properties">
    <h3>Model properties</h3>
    <table class="table">
      <thead>
        <tr>
          <th>Change</th>
          <th>Name</th>
          <th>{titles[0]}</th>
          <th>{titles[1]}</th>
        </tr>
      </thead>
      <tbody>
        {compared.others.slice(0, 100).map(({ part, change, name, before, after }) => (
          <tr key={`${part} ${change} ${name}`}>
            <td>
              {part} {change}
            </td>
            <td>{name}</td>
            <td class="mono quiet">{before}</td>
            <td class="mono quiet">{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {compared.others.length > 100 && <p class="quiet">and {compared.others.length - 100} more</p>}
  </section>
);

function take(found: readonly FoundFile[]): boolean {
  if (!files.value) return false;
  const [other] = modelsAmong(found);
  if (other) void begin(other);
  else note('No model found in these files', 'Model files end in .onnx.');
  return true;
}

/** Opens the first model if the model in view is neither side. */
async function toggleBeside(found: Comparison): Promise<void> {
  const isShown = pair.value === found && sideInView(found) !== undefined;
  if (!isShown && sideInView(found) === undefined) await showSide(found, 0);
  pair.value = isShown ? null : found;
}

async function begin(other: ModelFiles | 'simplified'): Promise<void> {
  const before = files.value;
  if (!before) return;
  const title = other === 'simplified' ? 'Simplifying and comparing' : `Comparing with ${other.name}`;
  const found = await task(
    title,
    ({ signal }) => compare(before, other, signal),
    ({ compared }) => STATUSES.map((status) => `${status} ${compared.counts[status]}`).join(', '),
  );
  if (!found) return;
  comparison.value?.end();
  comparison.value = found;
  if (pair.value) pair.value = found;
}
