import { differ } from '../../../graph/guards.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY, NUMBERS } from '../../../schema/element-sets.js';
import { axisOf, like } from '../../../schema/shapes.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { aboutAxis, takeRows } from '../../../tensor/rows.js';
import { elementCount } from '../../../tensor/tensor-value.js';

function depthOf(c: Inference<unknown>): number | undefined {
  const depth = c.contents(1);
  if (!depth || elementCount(depth.dims) === 0) return undefined;
  const size = Math.trunc(numbersOf(depth)[0] as number);
  return Number.isSafeInteger(size) && size >= 0
    ? size
    : c.fail('INVALID_VALUE', `the depth must not be negative: ${size}`);
}

/** https://onnx.ai/onnx/operators/onnx__OneHot.html */
export const oneHot = defineOp({
  name: 'OneHot',
  since: 9,
  signature: 'indices: T1, depth: T2, values: T3 -> output: T3',
  types: { T1: NUMBERS, T2: NUMBERS, T3: ANY },
  attributes: { axis: int(-1) },
  planned: [1],
  guarded: true,
  infer(c) {
    const dims = c.dims(0);
    const axis = dims && axisOf(c, c.attributes.axis, dims.length + 1);
    const values = c.dims(2);
    if (values && (values.length !== 1 || differ(values[0], 2)))
      c.fail('INVALID_SHAPE', `values must be [2] (off, on), not [${values}]`);
    return [like(c, 2, axis === undefined ? undefined : dims?.toSpliced(axis, 0, depthOf(c) ?? c.unknown()))];
  },
  evaluate(c) {
    const indices = c.tensor(0);
    const depth = depthOf(c) ?? c.fail('INVALID_VALUE', 'the depth must have one element');
    const axis = axisOf(c, c.attributes.axis, indices.dims.length + 1);
    const dims = indices.dims.toSpliced(axis, 0, depth);
    const { outer, inner } = aboutAxis(dims, axis);
    const values = numbersOf(indices);
    const hot = new Uint8Array(outer * depth * inner);
    for (let i = 0; i < outer * inner; i++) {
      const index = Math.trunc(values[i] as number);
      if (index < -depth || index >= depth) continue;
      hot[(Math.floor(i / inner) * depth + ((index + depth) % depth)) * inner + (i % inner)] = 1;
    }
    return [takeRows(c.tensor(2), hot, 1, dims)];
  },
});
