import { documents } from '../../store/workers/documents.js';
import type { TensorAt, TensorLook } from '../../workers/contracts/tensors.js';

/** Access to a tensor of a document, through its worker. */
export const lookInDocument = (id: number, at: TensorAt): TensorLook => ({
  summary: () => documents.summary(id, at),
  picture: () => documents.picture(id, at),
  cells: (window) => documents.cells(id, at, window),
  npy: () => documents.npy(id, at),
});
