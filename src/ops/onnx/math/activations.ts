import type { OpcodeName } from '../../../graph/expression.js';
import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import { float, ints, oneOf } from '../../../schema/attributes.js';
import { FLOATS, SIGNED_NUMBERS } from '../../../schema/element-sets.js';

/** Defines an activation whose attributes become the immediates of one operation. */
const activation = (
  name: string,
  op: OpcodeName,
  defaults: { alpha?: number; beta?: number; gamma?: number } = {},
  since = 1,
) =>
  defineElementwise({
    name,
    since,
    signature: 'X: T -> Y: T',
    types: { T: FLOATS },
    attributes: {
      ...(defaults.alpha !== undefined && { alpha: float(defaults.alpha) }),
      ...(defaults.beta !== undefined && { beta: float(defaults.beta) }),
      ...(defaults.gamma !== undefined && { gamma: float(defaults.gamma) }),
      consumed_inputs: ints(),
    },
    expression(c) {
      const register = registerFor(c);
      const { alpha, beta, gamma } = c.attributes as { alpha?: number; beta?: number; gamma?: number };
      const second = beta ?? gamma;
      return (
        register &&
        operation(register, op, 1, {
          ...(alpha !== undefined && { alpha }),
          ...(second !== undefined && { beta: second }),
        })
      );
    },
  });

export const celu = activation('Celu', 'Celu', { alpha: 1 }, 12);
export const elu = activation('Elu', 'Elu', { alpha: 1 });
export const hardSigmoid = activation('HardSigmoid', 'HardSigmoid', { alpha: 0.2, beta: 0.5 });
export const hardSwish = activation('HardSwish', 'HardSwish', {}, 14);
export const leakyRelu = activation('LeakyRelu', 'LeakyRelu', { alpha: 0.01 });
export const mish = activation('Mish', 'Mish', {}, 18);
export const selu = [
  activation('Selu', 'Selu', { alpha: 1.6732631921768188, gamma: 1.0507010221481323 }, 6),
  activation('Selu', 'Selu', { alpha: 1.6732, gamma: 1.0507 }),
];
export const thresholdedRelu = activation('ThresholdedRelu', 'ThresholdedRelu', { alpha: 1 });

/** https://onnx.ai/onnx/operators/onnx__Relu.html */
export const relu = defineElementwise({
  name: 'Relu',
  signature: 'X: T -> Y: T',
  types: { T: SIGNED_NUMBERS },
  attributes: { consumed_inputs: ints() },
  expression(c) {
    const register = registerFor(c);
    if (register?.[0] === 'F') return operation(register, 'Clip', 1, { alpha: 0, beta: Number.POSITIVE_INFINITY });
    return register && { register, inputs: 1, constants: [0], instructions: [{ op: 'Max', args: [0, 1] }] };
  },
});

/** https://onnx.ai/onnx/operators/onnx__Gelu.html */
export const gelu = defineElementwise({
  name: 'Gelu',
  since: 20,
  signature: 'X: T -> Y: T',
  types: { T: FLOATS },
  attributes: { approximate: oneOf('none', 'tanh') },
  expression(c) {
    const register = registerFor(c);
    return register && operation(register, c.attributes.approximate === 'tanh' ? 'GeluTanh' : 'GeluErf', 1);
  },
});

/** x · sigmoid(alpha · x): https://onnx.ai/onnx/operators/onnx__Swish.html */
export const swish = defineElementwise({
  name: 'Swish',
  since: 24,
  signature: 'X: T -> Y: T',
  types: { T: FLOATS },
  attributes: { alpha: float(1) },
  expression(c) {
    const register = registerFor(c);
    if (!register) return undefined;
    if (c.attributes.alpha === 1) return operation(register, 'Silu', 1);
    return {
      register,
      inputs: 1,
      constants: [c.attributes.alpha],
      instructions: [
        { op: 'Mul', args: [0, 1] },
        { op: 'Sigmoid', args: [2] },
        { op: 'Mul', args: [0, 3] },
      ],
    };
  },
});
