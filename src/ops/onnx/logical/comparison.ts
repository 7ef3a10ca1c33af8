import type { OpcodeName } from '../../../graph/expression.js';
import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import { ANY, BOOL, NUMBERS } from '../../../schema/element-sets.js';
import type { ElementType } from '../../../tensor/element-types.js';

const comparison = (
  op: OpcodeName,
  since: number,
  types: readonly ElementType[] = NUMBERS,
  formula?: (a: unknown, b: unknown) => number,
) =>
  defineElementwise({
    name: op,
    since,
    signature: 'A: T, B: T -> C: T1',
    types: { T: types, T1: BOOL },
    element: () => 'bool',
    ...(formula && { formula }),
    expression(c) {
      const register = registerFor(c);
      return register && operation(register, op, 2);
    },
  });

/** https://onnx.ai/onnx/operators/onnx__Equal.html and its siblings. */
export const equal = comparison('Equal', 7, ANY, (a, b) => Number(a === b));
export const greater = comparison('Greater', 7);
export const greaterOrEqual = comparison('GreaterOrEqual', 12);
export const less = comparison('Less', 7);
export const lessOrEqual = comparison('LessOrEqual', 12);
