import type { OpcodeName } from '../../../graph/expression.js';
import { defineElementwise } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import { BOOL } from '../../../schema/element-sets.js';

const connective = (op: OpcodeName, since: number) =>
  defineElementwise({
    name: op,
    since,
    signature: 'A: T, B: T -> C: T',
    types: { T: BOOL },
    expression: () => operation('I32', op, 2),
  });

/** https://onnx.ai/onnx/operators/onnx__And.html and its siblings. */
export const and = connective('And', 7);
export const or = connective('Or', 7);
export const xor = connective('Xor', 7);

export const not = defineElementwise({
  name: 'Not',
  signature: 'X: T -> Y: T',
  types: { T: BOOL },
  expression: () => operation('I32', 'Not', 1),
});
