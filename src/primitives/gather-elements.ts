import { stridesOf } from '../graph/dims.js';
import { isAtMost } from '../graph/guards.js';
import { formatSizes, type Size } from '../graph/sizes.js';
import type { Inference, Primitive } from '../schema/definition.js';
import { positionOf } from '../schema/positions.js';
import { takeRows } from '../tensor/rows.js';
import { integers } from '../tensor/tensor-value.js';
import type { Along } from './along.js';

/** Strides of the data over the dims of the indices; 0 along `axis`, where the indices give the position. */
export function walkStrides<D extends Size>(
  c: Inference<unknown>,
  axis: number,
  data: readonly D[],
  indices: readonly D[],
) {
  const [from, at] = [formatSizes(data), formatSizes(indices)];
  if (data.length !== indices.length) c.fail('INVALID_SHAPE', `data [${from}] and indices [${at}] differ in rank`);
  const tooLong = indices.findIndex((n, d) => d !== axis && !isAtMost(n, data[d] as D));
  if (tooLong >= 0) c.fail('INVALID_SHAPE', `indices [${at}] exceed data [${from}] in axis ${tooLong}`);
  const strides = stridesOf(data);
  return { axisStride: strides[axis] as D, strides: strides.with(axis, 0 as D) };
}

/** For each index of operand 1, the element of operand 0 at that position of the axis and the index' own position of the other axes. */
export const gatherElements: Primitive<Along> = {
  name: 'gather-elements',
  facts: { picks: true, moves: () => true },
  reference(c, { axis }) {
    const [x, indices] = [c.tensor(0), c.tensor(1)];
    const { axisStride, strides } = walkStrides(c, axis, x.dims, indices.dims);
    const own = stridesOf(indices.dims);
    const sources = integers(indices).map((index, i) => {
      const base = strides.reduce(
        (sum, stride, d) => sum + stride * (Math.floor(i / (own[d] as number)) % (indices.dims[d] as number)),
        0,
      );
      return base + positionOf(c, index, x.dims[axis] as number, axis) * axisStride;
    });
    return [takeRows(x, sources, 1, indices.dims)];
  },
};
