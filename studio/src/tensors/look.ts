import type { TensorValue } from 'sardonyx';
import { toNumbers, writeNpy } from 'sardonyx/tensors';
import { type CellWindow, cellsOf } from './cells.js';
import { paint, type TensorPicture } from './paint.js';
import { planPicture } from './picture-plan.js';
import type { Readable } from './readable.js';
import { addNumbers, newSketch, type Summary, summaryOf } from './sketch.js';

/** What can be seen of a tensor: in a worker of a `Readable`, in the page by asking that worker. */
export interface TensorLook {
  /** Undefined of strings. */
  summary(): Promise<Summary | undefined>;
  /** Undefined of strings, and of less than two elements. */
  picture(): Promise<TensorPicture | undefined>;
  cells(window: CellWindow): Promise<string[]>;
  /** A .npy file; types that NumPy lacks as float32. */
  npy(): Promise<Blob>;
}

/** Elements that are read at once. */
const PIECE = 1 << 22;

export const lookAt = (tensor: Readable): TensorLook => ({
  summary: async () => (tensor.type === 'string' ? undefined : summarise(tensor)),
  picture: async () => {
    const plan = tensor.type === 'string' || tensor.type.startsWith('complex') ? undefined : planPicture(tensor.dims);
    return plan && paint(plan, tensor);
  },
  cells: (window) => cellsOf(tensor, window),
  npy: async () => new Blob([npyOf(tensor, await tensor.read(0, tensor.count)) as Uint8Array<ArrayBuffer>]),
});

/** Reads a piece while the one before it is counted. */
async function summarise(tensor: Readable): Promise<Summary> {
  const sketch = newSketch();
  let next = tensor.read(0, Math.min(PIECE, tensor.count));
  for (let begin = 0; begin < tensor.count; begin += PIECE) {
    const piece = await next;
    const end = begin + PIECE;
    if (end < tensor.count) next = tensor.read(end, Math.min(end + PIECE, tensor.count));
    addNumbers(sketch, toNumbers(piece));
  }
  return summaryOf(sketch);
}

const LACKING = /^(bfloat16|float8|float4|u?int[24]$)/;

function npyOf({ dims }: Readable, all: TensorValue): Uint8Array {
  const { type, data } = all;
  if (!LACKING.test(type)) return writeNpy({ type, data, dims } as TensorValue);
  return writeNpy({ type: 'float32', data: Float32Array.from(toNumbers(all)), dims });
}
