import { runs } from '../runs/runs.js';
import type { ValueHead } from '../runs/service.js';
import { seen } from '../tensors/seen.js';
import { note } from '../workspace/notices.js';

/** Opens a value that a run has kept, where it is a tensor. */
export function lookInto(run: number, { name, tensor, text }: ValueHead): void {
  if (!tensor) {
    note(`${name} is not a tensor`, text);
    return;
  }
  seen.value = {
    title: name,
    ...tensor,
    look: {
      summary: () => runs.summary(run, name),
      picture: () => runs.picture(run, name),
      cells: (window) => runs.cells(run, name, window),
      npy: () => runs.npy(run, name),
    },
  };
}
