import { int } from '../attributes.js';
import { defineElementwise, registerFor } from '../define-elementwise.js';
import { NUMBERS } from '../element-sets.js';
import { operation } from '../expression.js';

/** https://onnx.ai/onnx/operators/onnx__Mod.html */
export const mod = defineElementwise({
  name: 'Mod',
  since: 10,
  signature: 'A: T, B: T -> C: T',
  types: { T: NUMBERS },
  attributes: { fmod: int(0) },
  expression(c) {
    const register = registerFor(c);
    return register && operation(register, c.attributes.fmod ? 'Fmod' : 'Mod', 2);
  },
});
