import { GatherElements } from '../../../build/kernels.js';
import { stridesOf } from '../../graph/dims.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import { elementCount, integers } from '../../tensor/tensor-value.js';
import { int } from '../attributes.js';
import { defineOp, type Inference } from '../definition.js';
import { ANY, INDICES } from '../element-sets.js';
import { outsideOf, positionOf } from '../positions.js';
import { takeRows } from '../rows.js';
import { axisOf, like } from '../shapes.js';

/** Strides of the data over the space of the indices; the axis is walked by the indices themselves. */
function walkStrides(c: Inference<{ readonly axis: number }>, data: readonly number[], indices: readonly number[]) {
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
  lower(c) {
    const elementBytes = ELEMENTS[c.element(0)].bits / 8;
    const [data, space] = [c.shape(0), c.shape(1)];
    const count = elementCount(space);
    if (![1, 2, 4, 8].includes(elementBytes) || (count > 0 && elementCount(data) === 0)) return 'host';
    const { axis, axisStride, strides } = walkStrides(c, data, space);
    const params = {
      x: c.input(0),
      indices: c.input(1),
      y: c.output(0),
      flag: c.guard(1, outsideOf({ dims: [data[axis] as number], axis })),
      table: c.table(Int32Array.from([...space, ...strides])),
      rank: space.length,
      count,
      elementBytes,
      indexBytes: ELEMENTS[c.element(1)].bits / 8,
      axisDim: data[axis] as number,
      axisStride,
    };
    c.launch('gatherElements', params, Math.ceil(count / GatherElements.TILE), { writes: [c.output(0)] });
  },
});
