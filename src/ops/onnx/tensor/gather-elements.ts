import { stridesOf } from '../../../graph/dims.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY, INDICES } from '../../../schema/element-sets.js';
import { positionOf } from '../../../schema/positions.js';
import { axisOf, like } from '../../../schema/shapes.js';
import { takeRows } from '../../../tensor/rows.js';
import { integers } from '../../../tensor/tensor-value.js';

/** Strides of the data over the space of the indices; the axis is walked by the indices themselves. */
export function walkStrides(
  c: Inference<{ readonly axis: number }>,
  data: readonly number[],
  indices: readonly number[],
) {
  if (data.length !== indices.length) c.fail('INVALID_SHAPE', `data [${data}] and indices [${indices}] differ in rank`);
  const axis = axisOf(c, c.attributes.axis, data.length);
  const tooLong = indices.findIndex((n, d) => d !== axis && n > (data[d] as number));
  if (tooLong >= 0) c.fail('INVALID_SHAPE', `indices [${indices}] exceed data [${data}] in axis ${tooLong}`);
  const strides = stridesOf(data);
  return { axis, axisStride: strides[axis] as number, strides: strides.with(axis, 0) };
}

/** https://onnx.ai/onnx/operators/onnx__GatherElements.html */
export const gatherElements = defineOp({
  name: 'GatherElements',
  since: 11,
  signature: 'data: T, indices: Tind -> output: T',
  types: { T: ANY, Tind: INDICES },
  attributes: { axis: int(0) },
  infer: (c) => [like(c, 0, c.dims(1))],
  evaluate(c) {
    const [x, indices] = [c.tensor(0), c.tensor(1)];
    const { axis, axisStride, strides } = walkStrides(c, x.dims, indices.dims);
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
});
