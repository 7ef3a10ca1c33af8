import type { OpcodeName } from '../../../graph/expression.js';
import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import { string } from '../../../schema/attributes.js';
import { INTEGERS, UNSIGNED } from '../../../schema/element-sets.js';

const bitwise = (op: OpcodeName) =>
  defineElementwise({
    name: `Bitwise${op.slice(3)}`,
    since: 18,
    signature: op === 'BitNot' ? 'X: T -> Y: T' : 'A: T, B: T -> C: T',
    types: { T: INTEGERS },
    expression(c) {
      const register = registerFor(c);
      return register && operation(register, op, op === 'BitNot' ? 1 : 2);
    },
  });

/** https://onnx.ai/onnx/operators/onnx__BitwiseAnd.html and its siblings. */
export const bitwiseAnd = bitwise('BitAnd');
export const bitwiseOr = bitwise('BitOr');
export const bitwiseXor = bitwise('BitXor');
export const bitwiseNot = bitwise('BitNot');

/** https://onnx.ai/onnx/operators/onnx__BitShift.html */
export const bitShift = defineElementwise({
  name: 'BitShift',
  since: 11,
  signature: 'X: T, Y: T -> Z: T',
  types: { T: UNSIGNED },
  attributes: { direction: string.required },
  expression(c) {
    const register = registerFor(c);
    const { direction } = c.attributes;
    if (direction !== 'LEFT' && direction !== 'RIGHT')
      c.fail('INVALID_ATTRIBUTE', `direction "${direction}" is neither LEFT nor RIGHT`);
    return register && operation(register, direction === 'LEFT' ? 'ShiftLeft' : 'ShiftRight', 2);
  },
});
