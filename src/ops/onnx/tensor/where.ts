import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import { ANY, BOOL } from '../../../schema/element-sets.js';

/** https://onnx.ai/onnx/operators/onnx__Where.html */
export const where = defineElementwise({
  name: 'Where',
  since: 9,
  signature: 'condition: B, X: T, Y: T -> output: T',
  types: { B: BOOL, T: ANY },
  element: (c) => c.element(1),
  formula: (condition: number, x: unknown, y: unknown) => (condition ? x : y),
  expression(c) {
    const register = registerFor(c, 1);
    return register && operation(register, 'Where', 3);
  },
});
