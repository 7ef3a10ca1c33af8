import type { Expression } from '../../../graph/expression.js';
import type { Value } from '../../../graph/graph.js';
import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { sizesOfExpression } from '../../../primitives/sizes-of-expression.js';
import { ints } from '../../../schema/attributes.js';
import type { Decomposition, Inference } from '../../../schema/definition.js';
import { FLOATS, NUMBERS } from '../../../schema/element-sets.js';
import { tensorOf } from '../../../tensor/numbers.js';

type Fold = 'Add' | 'Max' | 'Min';

/** Maximum inputs of one expression: kernels hold 120 values, including those of operators that are fused with it. */
const MAX_INPUTS = 64;

const inputsOf = (c: Decomposition<unknown>): Value[] => Array.from({ length: c.inputCount }, (_, i) => c.input(i));

/** Splits a node with more inputs: the result for the first ones becomes an input of a second node. */
function inTurn(c: Decomposition<unknown>, name: string): Value[] | undefined {
  if (c.inputCount <= MAX_INPUTS) return undefined;
  const inputs = inputsOf(c);
  return c.emit(name, [...c.emit(name, inputs.slice(0, MAX_INPUTS)), ...inputs.slice(MAX_INPUTS)]);
}

/** Applies `op` to all inputs from left to right. */
function folded(register: Expression['register'], op: Fold, inputs: number): Expression {
  if (inputs === 1) return { register, inputs, constants: [], instructions: [{ op: 'Copy', args: [0] }] };
  const instructions = Array.from({ length: inputs - 1 }, (_, i) => ({
    op,
    args: [i === 0 ? 0 : inputs + i - 1, i + 1],
  }));
  return { register, inputs, constants: [], instructions };
}

const variadic = (name: string, op: Fold, types: typeof NUMBERS) => {
  const expression = (c: Inference<unknown>) => {
    const register = registerFor(c);
    return register && folded(register, op, c.inputCount);
  };
  return defineElementwise({
    name,
    signature: 'data...: T -> result: T',
    types: { T: types },
    attributes: { consumed_inputs: ints() },
    expression,
    sizes: (c) => sizesOfExpression(c, expression(c)),
    decompose: (c) => inTurn(c, name),
  });
};

/** https://onnx.ai/onnx/operators/onnx__Sum.html and its siblings over any number of inputs. */
export const sum = variadic('Sum', 'Add', FLOATS);
export const max = variadic('Max', 'Max', NUMBERS);
export const min = variadic('Min', 'Min', NUMBERS);

export const mean = defineElementwise({
  name: 'Mean',
  signature: 'data...: T -> result: T',
  types: { T: FLOATS },
  attributes: { consumed_inputs: ints() },
  expression(c) {
    const register = registerFor(c);
    if (!register) return undefined;
    const inputs = c.inputCount;
    const additions = Array.from({ length: inputs - 1 }, (_, i) => ({
      op: 'Add' as const,
      args: [i === 0 ? 0 : inputs + i, i + 1],
    }));
    const total = inputs === 1 ? 0 : 2 * inputs - 1;
    return {
      register,
      inputs,
      constants: [1 / inputs],
      instructions: [...additions, { op: 'Mul', args: [total, inputs] }],
    };
  },
  decompose(c) {
    if (c.inputCount <= MAX_INPUTS) return undefined;
    const share = c.constant(tensorOf(c.element(0), [], [1 / c.inputCount]));
    return c.emit('Mul', [...c.emit('Sum', inputsOf(c)), share]);
  },
});
