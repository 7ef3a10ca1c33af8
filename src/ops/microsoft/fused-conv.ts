import type { Attributes, Value } from '../../graph/graph.js';
import { floats, string } from '../../schema/attributes.js';
import { type Decomposition, defineOp } from '../../schema/definition.js';
import { emitOne } from '../emit.js';
import { conv } from '../onnx/nn/conv.js';
import { activated, CONVOLUTION_ACTIVATIONS, parametersOf } from './activations.js';

/** Attributes of the activation that follows a convolution. */
export const activationAttributes = { activation: string(), activation_params: floats() };

export interface FusedActivation {
  readonly activation: string | undefined;
  readonly activation_params: readonly number[] | undefined;
}

/** Attributes of the convolution alone. */
export const withoutActivation = ({ activation, activation_params, ...own }: Attributes): Attributes => own;

/** Applies the activation, if there is one. */
export function activatedSums(c: Decomposition<FusedActivation>, sums: Value): Value {
  const { activation, activation_params: values = [] } = c.attributes;
  if (!activation) return sums;
  const names = parametersOf(c, CONVOLUTION_ACTIVATIONS, activation);
  if (names.length !== values.length)
    c.fail(
      'INVALID_ATTRIBUTE',
      `activation_params [${values}] must be those of ${activation}: ${names.length ? names.join(', ') : 'none'}`,
    );
  return activated(c, sums, activation, Object.fromEntries(names.map((name, i) => [name, values[i]])));
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.FusedConv: activation(Conv(X, W, B) + Z). */
export const fusedConv = defineOp({
  domain: 'com.microsoft',
  name: 'FusedConv',
  signature: 'X: T, W: T, B?: T, Z?: T -> Y: T',
  types: conv.types,
  attributes: { ...conv.attributes, ...activationAttributes },
  infer: conv.infer,
  decompose(c) {
    const inputs = [c.input(0), c.input(1), c.given(2) ? c.input(2) : null];
    const convolved = emitOne(c, 'Conv', inputs, withoutActivation(c.node.attributes));
    const sums = c.given(3) ? emitOne(c, 'Add', [convolved, c.input(3)]) : convolved;
    return [activatedSums(c, sums)];
  },
});
