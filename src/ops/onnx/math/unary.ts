import type { OpcodeName, Register } from '../../../graph/expression.js';
import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import { ints } from '../../../schema/attributes.js';
import type { Inference } from '../../../schema/definition.js';
import { FLOATS, NUMBERS, SIGNED_NUMBERS } from '../../../schema/element-sets.js';
import { type ElementType, isFloat } from '../../../tensor/element-types.js';

const unary = (
  name: string,
  op: OpcodeName,
  types: readonly ElementType[] = FLOATS,
  since = 1,
  registerOf: (c: Inference<unknown>) => Register | undefined = registerFor,
) =>
  defineElementwise({
    name,
    since,
    signature: 'X: T -> Y: T',
    types: { T: types },
    attributes: { consumed_inputs: ints() },
    expression(c) {
      const register = registerOf(c);
      return register && operation(register, op, 1);
    },
  });

/** Functions of one real number, without attributes. */
export const abs = unary('Abs', 'Abs', NUMBERS);
export const acos = unary('Acos', 'Acos', FLOATS, 7);
export const acosh = unary('Acosh', 'Acosh', FLOATS, 9);
export const asin = unary('Asin', 'Asin', FLOATS, 7);
export const asinh = unary('Asinh', 'Asinh', FLOATS, 9);
export const atan = unary('Atan', 'Atan', FLOATS, 7);
export const atanh = unary('Atanh', 'Atanh', FLOATS, 9);
export const ceil = unary('Ceil', 'Ceil');
export const cos = unary('Cos', 'Cos', FLOATS, 7);
export const cosh = unary('Cosh', 'Cosh', FLOATS, 9);
export const erf = unary('Erf', 'Erf', NUMBERS, 9, (c) => (isFloat(c.element(0)) ? registerFor(c) : 'F64'));
export const exp = unary('Exp', 'Exp');
export const floor = unary('Floor', 'Floor');
export const log = unary('Log', 'Log');
export const neg = unary('Neg', 'Neg', SIGNED_NUMBERS);
export const reciprocal = unary('Reciprocal', 'Reciprocal');
export const round = unary('Round', 'Round', FLOATS, 11);
export const sigmoid = unary('Sigmoid', 'Sigmoid');
export const sign = unary('Sign', 'Sign', NUMBERS, 9);
export const sin = unary('Sin', 'Sin', FLOATS, 7);
export const sinh = unary('Sinh', 'Sinh', FLOATS, 9);
export const softplus = unary('Softplus', 'Softplus');
export const softsign = unary('Softsign', 'Softsign');
export const sqrt = unary('Sqrt', 'Sqrt');
export const tan = unary('Tan', 'Tan', FLOATS, 7);
export const tanh = unary('Tanh', 'Tanh');
