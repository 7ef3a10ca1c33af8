import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY, BOOL } from '../../../schema/element-sets.js';
import { axisOf, like } from '../../../schema/shapes.js';
import { aboutAxis, takeRows } from '../../../tensor/rows.js';
import { elementCount } from '../../../tensor/tensor-value.js';

/** https://onnx.ai/onnx/operators/onnx__Compress.html */
export const compress = defineOp({
  name: 'Compress',
  since: 9,
  signature: 'input: T, condition: T1 -> output: T',
  types: { T: ANY, T1: BOOL },
  attributes: { axis: int() },
  infer(c) {
    const { axis } = c.attributes;
    const dims = c.dims(0);
    return [like(c, 0, axis === undefined ? [c.unknown()] : dims?.with(axisOf(c, axis, dims.length), c.unknown()))];
  },
  evaluate(c) {
    const x = c.tensor(0);
    const { axis } = c.attributes;
    const dims = axis === undefined ? [elementCount(x.dims)] : x.dims;
    const along = axis === undefined ? 0 : axisOf(c, axis, dims.length);
    const { outer, length, inner } = aboutAxis(dims, along);
    const condition = c.tensor(1).data as Uint8Array;
    const kept = Array.from({ length: Math.min(length, condition.length) }, (_, i) => i).filter((i) => condition[i]);
    const sources = Array.from({ length: outer }, (_, o) => kept.map((i) => o * length + i)).flat();
    return [takeRows(x, sources, inner, dims.with(along, kept.length))];
  },
});
