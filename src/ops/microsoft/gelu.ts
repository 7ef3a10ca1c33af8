import { defineElementwise, registerFor } from '../../primitives/define-elementwise.js';
import { operation } from '../../primitives/expression.js';
import { FLOATS } from '../../schema/element-sets.js';

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.Gelu: exact GELU, with erf. */
export const gelu = defineElementwise({
  domain: 'com.microsoft',
  name: 'Gelu',
  signature: 'X: T -> Y: T',
  types: { T: FLOATS },
  expression(c) {
    const register = registerFor(c);
    return register && operation(register, 'GeluErf', 1);
  },
});
