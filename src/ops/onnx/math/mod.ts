import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import { sizesOfExpression } from '../../../primitives/sizes-of-expression.js';
import { int } from '../../../schema/attributes.js';
import type { Inference } from '../../../schema/definition.js';
import { NUMBERS } from '../../../schema/element-sets.js';

function expression(c: Inference<{ readonly fmod: number }>) {
  const register = registerFor(c);
  return register && operation(register, c.attributes.fmod ? 'Fmod' : 'Mod', 2);
}

/** https://onnx.ai/onnx/operators/onnx__Mod.html */
export const mod = defineElementwise({
  name: 'Mod',
  since: 10,
  signature: 'A: T, B: T -> C: T',
  types: { T: NUMBERS },
  halves: 'as they are',
  attributes: { fmod: int(0) },
  expression,
  sizes: (c) => sizesOfExpression(c, expression(c)),
});
