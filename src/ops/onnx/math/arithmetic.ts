import type { OpcodeName } from '../../../graph/expression.js';
import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import { sizesOfExpression } from '../../../primitives/sizes-of-expression.js';
import type { Inference } from '../../../schema/definition.js';
import { NUMBERS } from '../../../schema/element-sets.js';

const arithmetic = (op: OpcodeName) => {
  const expression = (c: Inference<unknown>) => {
    const register = registerFor(c);
    return register && operation(register, op, 2);
  };
  return defineElementwise({
    name: op,
    since: 7,
    signature: 'A: T, B: T -> C: T',
    types: { T: NUMBERS },
    expression,
    sizes: (c) => sizesOfExpression(c, expression(c)),
  });
};

/** https://onnx.ai/onnx/operators/onnx__Add.html and its three siblings. */
export const add = arithmetic('Add');
export const sub = arithmetic('Sub');
export const mul = arithmetic('Mul');
export const div = arithmetic('Div');
