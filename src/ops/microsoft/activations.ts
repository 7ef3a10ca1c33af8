// What onnxruntime's optimizer lets a product or a convolution end in.

import { floatAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { entryOf } from '../../schema/attributes.js';
import type { Decomposition } from '../../schema/definition.js';
import { tensorOf } from '../../tensor/numbers.js';
import { emitOne } from '../emit.js';

/** Activations by name, and the names that their parameters have as attributes of ONNX's operator. */
export type Activations = Readonly<Record<string, readonly string[]>>;

/** Parameters by name; what is left out is as ONNX has it. */
export type ActivationParameters = Readonly<Record<string, number | undefined>>;

/** Those that convolutions end in, with their parameters in the order of `activation_params`. */
export const CONVOLUTION_ACTIVATIONS: Activations = {
  Relu: [],
  Silu: [],
  Tanh: [],
  Sigmoid: [],
  LeakyRelu: ['alpha'],
  Clip: ['min', 'max'],
  HardSigmoid: ['alpha', 'beta'],
};

/** Those that Gemm ends in. */
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

/** The activation's parameters; an error where there is none of that name. */
export const parametersOf = (c: Decomposition<unknown>, activations: Activations, name: string): readonly string[] =>
  entryOf(activations, name) ??
  c.fail('INVALID_ATTRIBUTE', `activation "${name}" is not one of ${Object.keys(activations).join(', ')}`);

/** An activation that ONNX says in another way than by an operator with attributes. */
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

/** f(x), f being an activation of these parameters. */
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
