import { seen, showTensor } from '../../store/seen-tensor.js';
import { model } from '../../store/workspace.js';
import { formatBytes } from '../../ui/quantities.js';
import type { TensorFacts } from '../../workers/contracts/tensors.js';
import { lookInDocument } from './in-document.js';

/** Facts about a tensor of the model that need no reading; a click opens the tensor. */
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
      View tensor
    </button>
    {facts.isQuantized && 'name' in facts.at && (
      <button
        type="button"
        class="button"
        onClick={() =>
          see(
            { ...facts, type: 'float32', at: { ...facts.at, isReal: true } as TensorFacts['at'] },
            `${title}, dequantized`,
          )
        }
      >
        View dequantized values
      </button>
    )}
  </div>
);

/** Opens the dialog of a tensor of the model in view, which can be edited unless it is computed. */
export function see({ at, type, dims, isSpelled }: TensorFacts, title: string): void {
  const id = model.value?.id;
  if (id === undefined) return;
  const look = lookInDocument(id, at);
  const isStored = !isSpelled && !model.value?.isViewOnly && !('name' in at && at.isReal);
  showTensor({ title, type, dims, look, ...(isStored && { write: writerOf(id, at) }) });
}

const writerOf = (id: number, at: TensorFacts['at']) => async (element: number, text: string) => {
  const { change } = await import('../../store/edits.js');
  await change({ kind: 'set-element', at, element, text });
  if (seen.value && model.value?.id === id) showTensor({ ...seen.value, look: lookInDocument(id, at) });
};
