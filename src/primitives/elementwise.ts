import type { NodeView } from '../analysis/node-view.js';
import { COMMUTATIVE, type Expression } from '../graph/expression.js';
import type { AnyOperator, Primitive } from '../schema/definition.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { evaluateExpression } from './evaluate-expression.js';
import { givenInputs } from './expression.js';

/** Each element of the result from the elements at the same place of the operands, by an expression; operands spread. */
export const elementwise: Primitive<Expression> = {
  name: 'elementwise',
  facts: { isElementwise: true, inPlace: true },
  reference(c, expression) {
    const { element, dims } = c.result(0);
    const operands = givenInputs(c).map((i) => c.tensor(i));
    return [evaluateExpression(inPrecisionOf(operands, expression), operands, element, dims)];
  },
};

/** Operands in double precision are computed on in that, whatever the expression was made for. */
const inPrecisionOf = (operands: readonly TensorValue[], expression: Expression): Expression =>
  expression.register === 'F32' && operands.some(({ type }) => type === 'float64')
    ? { ...expression, register: 'F64' }
    : expression;

export const isElementwise = ({ computes }: AnyOperator): boolean => computes?.primitive === elementwise;

/** What an elementwise node computes; undefined for other nodes and types that only the host computes on. */
export const expressionOf = (view: NodeView): Expression | undefined =>
  isElementwise(view.operator) ? view.operator.computes?.parameters(view) : undefined;

/** Whether the node's two operands may change places. */
export function isCommutative(view: NodeView): boolean {
  const [first, ...others] = expressionOf(view)?.instructions ?? [];
  return first !== undefined && others.length === 0 && COMMUTATIVE.includes(first.op);
}
