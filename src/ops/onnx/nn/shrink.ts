import type { Value } from '../../../graph/graph.js';
import { float } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { NUMBERS } from '../../../schema/element-sets.js';
import { sameAsInput } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { float32Scalar } from '../../constants.js';

/** x + bias below −lambd, x − bias above lambd, 0 between: https://onnx.ai/onnx/operators/onnx__Shrink.html */
export const shrink = defineOp({
  name: 'Shrink',
  since: 9,
  signature: 'input: T -> output: T',
  types: { T: NUMBERS },
  attributes: { bias: float(0), lambd: float(0.5) },
  infer: sameAsInput,
  decompose(c) {
    if (c.element(0) !== 'float32') return undefined;
    const { bias, lambd } = c.attributes;
    const number = (value: number) => c.constant(float32Scalar(value));
    const emit = (operator: string, ...inputs: Value[]) => c.emit(operator, inputs)[0] as Value;
    const x = c.input(0);
    const inside = emit('Where', emit('Greater', x, number(lambd)), emit('Sub', x, number(bias)), number(0));
    return [emit('Where', emit('Less', x, number(-lambd)), emit('Add', x, number(bias)), inside)];
  },
  evaluate(c) {
    const { type, dims } = c.tensor(0);
    const { bias, lambd } = c.attributes;
    const shrunk = (x: number) => (x < -lambd ? x + bias : x > lambd ? x - bias : 0);
    return [tensorOf(type, dims, Float64Array.from(numbersOf(c.tensor(0)), shrunk))];
  },
});
