import { tensorType } from '../../graph/types.js';
import { emptyEntries, entriesOf, tensorOfEntries } from '../../tensor/packed.js';
import { integers, type TensorValue } from '../../tensor/tensor-value.js';
import { tensor } from '../attributes.js';
import { defineOp } from '../definition.js';
import { ANY } from '../element-sets.js';

const ZERO: TensorValue = { type: 'float32', dims: [1], data: Float32Array.of(0) };

/** https://onnx.ai/onnx/operators/onnx__ConstantOfShape.html */
export const constantOfShape = defineOp({
  name: 'ConstantOfShape',
  since: 9,
  signature: 'input: int64 -> output: T2',
  types: { T2: ANY },
  attributes: { value: tensor(ZERO) },
  planned: [0],
  infer(c) {
    const rank = c.dims(0)?.[0];
    const open = typeof rank === 'number' ? Array.from({ length: rank }, () => c.unknown()) : undefined;
    return [tensorType(c.attributes.value.type, c.sizes(0) ?? open)];
  },
  evaluate(c) {
    const { value } = c.attributes;
    const dims = integers(c.tensor(0));
    if (dims.some((d) => d < 0)) c.fail('INVALID_SHAPE', `the shape [${dims}] has a negative size`);
    const data = emptyEntries(value.type, dims) as unknown[];
    return [tensorOfEntries(value.type, dims, data.fill(entriesOf(value)[0]) as string[])];
  },
});
