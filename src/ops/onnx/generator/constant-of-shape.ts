import { areDecided, isAtMost } from '../../../graph/guards.js';
import { formatSizes } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { tensor } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { openDims } from '../../../schema/shapes.js';
import { emptyEntries, entriesOf, tensorOfEntries } from '../../../tensor/packed.js';
import { elementCount, integers, type TensorValue } from '../../../tensor/tensor-value.js';

const ZERO: TensorValue = { type: 'float32', dims: [1], data: Float32Array.of(0) };

/** https://onnx.ai/onnx/operators/onnx__ConstantOfShape.html */
export const constantOfShape = defineOp({
  name: 'ConstantOfShape',
  since: 9,
  signature: 'input: int64 -> output: T2',
  types: { T2: ANY },
  attributes: { value: tensor(ZERO) },
  planned: [0],
  guarded: true,
  infer(c) {
    const { value } = c.attributes;
    if (elementCount(value.dims) !== 1)
      c.fail('INVALID_ATTRIBUTE', `value must have one element; its dims are [${value.dims}]`);
    const dims = c.sizes(0);
    if (areDecided(dims) && !dims.every((d) => isAtMost(0, d)))
      c.fail('INVALID_SHAPE', `the shape [${formatSizes(dims)}] has a negative size`);
    return [tensorType(value.type, dims ?? openDims(c, c.dims(0)?.[0]))];
  },
  evaluate(c) {
    const { value } = c.attributes;
    const dims = integers(c.tensor(0));
    if (dims.some((d) => d < 0)) c.fail('INVALID_SHAPE', `the shape [${dims}] has a negative size`);
    const data = emptyEntries(value.type, dims) as unknown[];
    return [tensorOfEntries(value.type, dims, data.fill(entriesOf(value)[0]) as string[])];
  },
});
