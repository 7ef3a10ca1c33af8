// Activations that onnxruntime's optimizer fuses into a matrix product or a convolution.

import { floatAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { entryOf } from '../../schema/attributes.js';
import type { Decomposition } from '../../schema/definition.js';
import { tensorOf } from '../../tensor/numbers.js';
import { emitOne } from '../emit.js';

/** Names of an activation's parameters, as attributes of ONNX's operator, by the name of the activation. */
export type Activations = Readonly<Record<string, readonly string[]>>;

/** Parameters by name; ONNX's default applies to those that are undefined. */
export type ActivationParameters = Readonly<Record<string, number | undefined>>;

/** Activations that can follow a convolution, with their parameters in the order of `activation_params`. */
export const CONVOLUTION_ACTIVATIONS: Activations = {
  Relu: [],
  Silu: [],
  Tanh: [],
  Sigmoid: [],
  LeakyRelu: ['alpha'],
  Clip: ['min', 'max'],
  HardSigmoid: ['alpha', 'beta'],
};

/** Activations that can follow Gemm. */
export const PRODUCT_ACTIVATIONS: Activations = {
  Relu: [],
  Tanh: [],
  Sigmoid: [],
  Softplus: [],
  Softsign: [],
  LeakyRelu: ['alpha'],
  ThresholdedRelu: ['alpha'],
  Elu: ['alpha'],
  HardSigmoid: ['alpha', 'beta'],
  ParametricSoftplus: ['alpha', 'beta'],
  ScaledTanh: ['alpha', 'beta'],
  Selu: ['alpha', 'gamma'],
};

/** Names of the activation's parameters; fails if the activation is not in `activations`. */
export const parametersOf = (c: Decomposition<unknown>, activations: Activations, name: string): readonly string[] =>
  entryOf(activations, name) ??
  c.fail('INVALID_ATTRIBUTE', `activation "${name}" is not one of ${Object.keys(activations).join(', ')}`);

/** Activations that are not an ONNX operator of the same name and attributes. */
const SPELLINGS: Readonly<
  Record<string, (c: Decomposition<unknown>, x: Value, parameters: ActivationParameters) => Value>
> = {
  Silu: (c, x) => emitOne(c, 'Swish', [x]),
  Clip: (c, x, { min, max }) => {
    const limit = (value: number | undefined) =>
      value === undefined ? null : c.constant(tensorOf('float32', [], [value]));
    return emitOne(c, 'Clip', [x, limit(min), limit(max)]);
  },
};

/** Applies the activation `name` to x. */
export function activated(
  c: Decomposition<unknown>,
  x: Value,
  name: string,
  parameters: ActivationParameters = {},
): Value {
  const spelling = entryOf(SPELLINGS, name);
  if (spelling) return spelling(c, x, parameters);
  const given = Object.entries(parameters).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return emitOne(c, name, [x], Object.fromEntries(given.map(([key, value]) => [key, floatAttribute(value)])));
}
