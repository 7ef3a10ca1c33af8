import { note } from '../../store/notices.js';
import { showTensor } from '../../store/seen-tensor.js';
import { runs } from '../../store/workers/runs.js';
import type { ValueHead } from '../../workers/contracts/runs.js';

/** Opens a value captured in a run, if it is a tensor. */
export function lookInto(run: number, { name, tensor, text }: ValueHead): void {
  if (!tensor) {
    note(`${name} is not a tensor`, text);
    return;
  }
  showTensor({
    title: name,
    ...tensor,
    look: {
      summary: () => runs.summary(run, name),
      picture: () => runs.picture(run, name),
      cells: (window) => runs.cells(run, name, window),
      npy: () => runs.npy(run, name),
    },
  });
}
