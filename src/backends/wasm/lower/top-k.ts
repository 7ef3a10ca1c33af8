import { knownCount, type TopKAttributes } from '../../../ops/onnx/math/top-k.js';
import { axisOf } from '../../../schema/shapes.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import type { Lowering, Lowerings } from '../lowering.js';

function topK(c: Lowering<TopKAttributes>): 'host' | undefined {
  const dims = c.shape(0);
  const axis = axisOf(c, c.attributes.axis, dims.length);
  const length = dims[axis] as number;
  const k = knownCount(c, length);
  if (c.element(0) !== 'float32' || axis !== dims.length - 1 || k === 0) return 'host';
  const rows = elementCount(dims) / length;
  const values = c.wanted(0) ? c.output(0) : c.temporary(4 * rows * k);
  const indices = c.wanted(1) ? c.output(1) : c.temporary(8 * rows * k);
  const smallest = Number(c.attributes.largest === 0);
  c.launch('topK', { x: c.input(0), values, indices, rows, length, k, smallest }, rows, {
    writes: [values, indices],
  });
}

export const selections: Lowerings = { TopK: topK };
