import type { NodeView } from '../analysis/node-view.js';
import { COMMUTATIVE, type Expression } from '../graph/expression.js';
import type { AnyOperator, Primitive } from '../schema/definition.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { evaluateExpression } from './evaluate-expression.js';
import { givenInputs } from './expression.js';

/** Computes each element of the result by an expression of the elements at the same position of the operands, which broadcast. */
export const elementwise: Primitive<Expression> = {
  name: 'elementwise',
  facts: { isElementwise: true, inPlace: true },
  reference(c, expression) {
    const { element, dims } = c.result(0);
    const operands = givenInputs(c).map((i) => c.tensor(i));
    return [evaluateExpression(inPrecisionOf(operands, expression), operands, element, dims)];
  },
};

/** Switches an expression to double precision if any operand is float64. */
const inPrecisionOf = (operands: readonly TensorValue[], expression: Expression): Expression =>
  expression.register === 'F32' && operands.some(({ type }) => type === 'float64')
    ? { ...expression, register: 'F64' }
    : expression;

export const isElementwise = ({ computes }: AnyOperator): boolean => computes?.primitive === elementwise;

/** The expression of an elementwise node, or undefined for other nodes and for types that have no kernel. */
export const expressionOf = (view: NodeView): Expression | undefined =>
  isElementwise(view.operator) ? view.operator.computes?.parameters(view) : undefined;

/** Whether the node's two operands may be swapped. */
export function isCommutative(view: NodeView): boolean {
  const [first, ...others] = expressionOf(view)?.instructions ?? [];
  return first !== undefined && others.length === 0 && COMMUTATIVE.includes(first.op);
}
