import { formatBytes } from '../design/quantities.js';
import type { TensorFacts } from '../documents/tensor-facts.js';
import { model } from '../workspace/workspace.js';
import { lookInDocument } from './in-document.js';
import { seen } from './seen.js';

/** What is known of a tensor of the model without reading it; opens it. */
export const TensorButton = ({ facts, title }: { facts: TensorFacts; title: string }) => (
  <div class="stack">
    <p class="mono">
      {facts.type}[{facts.dims.join(', ')}]
      <span class="quiet">
        {Number.isNaN(facts.bytes) ? '' : ` ${formatBytes(facts.bytes)}`}
        {facts.isSparse ? ', sparse' : ''}
        {facts.file ? `, in ${facts.file}` : ''}
      </span>
    </p>
    <button type="button" class="button" onClick={() => see(facts, title)}>
      Look inside
    </button>
    {facts.isQuantized && 'name' in facts.at && (
      <button
        type="button"
        class="button"
        onClick={() =>
          see(
            { ...facts, type: 'float32', at: { ...facts.at, isReal: true } as TensorFacts['at'] },
            `${title}, as it is read`,
          )
        }
      >
        Look at the numbers that it stands for
      </button>
    )}
  </div>
);

/** Opens the dialog of a tensor of the model in view. */
export function see({ at, type, dims }: TensorFacts, title: string): void {
  if (model.value) seen.value = { title, type, dims, look: lookInDocument(model.value.id, at) };
}
