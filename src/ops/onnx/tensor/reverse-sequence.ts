import { stridesOf } from '../../../graph/dims.js';
import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { axisOf, sameAsInput } from '../../../schema/shapes.js';
import { takeRows } from '../../../tensor/rows.js';
import { elementCount, integers } from '../../../tensor/tensor-value.js';

/** https://onnx.ai/onnx/operators/onnx__ReverseSequence.html */
export const reverseSequence = defineOp({
  name: 'ReverseSequence',
  since: 10,
  signature: 'input: T, sequence_lens: int64 -> Y: T',
  types: { T: ANY },
  attributes: { batch_axis: int(1), time_axis: int(0) },
  infer: sameAsInput,
  evaluate(c) {
    const x = c.tensor(0);
    const [batchAxis, timeAxis] = [c.attributes.batch_axis, c.attributes.time_axis].map((axis) =>
      axisOf(c, axis, x.dims.length),
    ) as [number, number];
    if (batchAxis + timeAxis !== 1) c.fail('INVALID_ATTRIBUTE', 'batch_axis and time_axis must be 0 and 1');
    const lengths = integers(c.tensor(1));
    const strides = stridesOf(x.dims.slice(0, 2));
    const rows = elementCount(x.dims.slice(0, 2));
    const coordinate = (row: number, axis: number) =>
      Math.floor(row / (strides[axis] as number)) % (x.dims[axis] as number);
    const sources = Array.from({ length: rows }, (_, row) => {
      const time = coordinate(row, timeAxis);
      const length = lengths[coordinate(row, batchAxis)] as number;
      return time < length ? row + (length - 1 - 2 * time) * (strides[timeAxis] as number) : row;
    });
    return [takeRows(x, sources, elementCount(x.dims.slice(2)), x.dims)];
  },
});
