// Experimental elementwise operators of early ONNX, which onnxruntime still runs:
// https://github.com/onnx/onnx/blob/rel-1.3/docs/Operators.md#experimental-onnx-operators

import type { Instruction } from '../../graph/expression.js';
import { defineElementwise, registerFor } from '../../primitives/define-elementwise.js';
import { float } from '../../schema/attributes.js';
import { FLOATS } from '../../schema/element-sets.js';

interface Former {
  readonly name: string;
  readonly attributes: Readonly<Record<string, ReturnType<typeof float>>>;
  /** Operand 0 is x; operands from 1 on are the attributes in order. */
  readonly instructions: readonly Instruction[];
}

const FORMER: readonly Former[] = [
  {
    name: 'Affine',
    attributes: { alpha: float(1), beta: float(0) },
    instructions: [{ op: 'MulAdd', args: [0, 1, 2] }],
  },
  {
    name: 'ParametricSoftplus',
    attributes: { alpha: float(1), beta: float(1) },
    instructions: [
      { op: 'Mul', args: [0, 2] },
      { op: 'Softplus', args: [3] },
      { op: 'Mul', args: [4, 1] },
    ],
  },
  {
    name: 'Scale',
    attributes: { scale: float(1) },
    instructions: [{ op: 'Mul', args: [0, 1] }],
  },
  {
    name: 'ScaledTanh',
    attributes: { alpha: float(1), beta: float(1) },
    instructions: [
      { op: 'Mul', args: [0, 2] },
      { op: 'Tanh', args: [3] },
      { op: 'Mul', args: [4, 1] },
    ],
  },
];

export const formerElementwise = FORMER.map(({ name, attributes, instructions }) =>
  defineElementwise({
    name,
    signature: 'X: T -> Y: T',
    types: { T: FLOATS },
    attributes,
    expression(c) {
      const register = registerFor(c);
      const constants = Object.keys(attributes).map((key) => c.attributes[key] as number);
      return register && { register, inputs: 1, constants, instructions };
    },
  }),
);
