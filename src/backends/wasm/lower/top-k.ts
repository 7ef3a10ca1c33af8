import { type TopKParameters, topK } from '../../../primitives/top-k.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';

function lowerTopK(c: Lowering, { axis, k, smallest }: TopKParameters): 'host' | undefined {
  const dims = c.shape(0);
  const length = dims[axis] as number;
  if (c.element(0) !== 'float32' || axis !== dims.length - 1 || k === 0) return 'host';
  const rows = elementCount(dims) / length;
  const values = c.wanted(0) ? c.output(0) : c.temporary(4 * rows * k);
  const indices = c.wanted(1) ? c.output(1) : c.temporary(8 * rows * k);
  const params = { x: c.input(0), values, indices, rows, length, k, smallest: Number(smallest) };
  c.launch('topK', params, rows, { writes: [values, indices] });
}

export const selections = lowers(topK, lowerTopK);
