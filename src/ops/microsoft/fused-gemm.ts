import type { Attributes, Value } from '../../graph/graph.js';
import { float, string } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { gemm } from '../onnx/math/gemm.js';
import { activated, PRODUCT_ACTIVATIONS, parametersOf } from './activations.js';
import { givenInputs } from './as-onnx.js';

/** Attributes of Gemm alone. */
const ownOf = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !name.startsWith('activation')));

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.FusedGemm */
export const fusedGemm = defineOp({
  domain: 'com.microsoft',
  name: 'FusedGemm',
  signature: 'A: T, B: T, C?: T -> Y: T',
  types: gemm.types,
  attributes: {
    ...gemm.attributes,
    activation: string(),
    activation_alpha: float(),
    activation_beta: float(),
    activation_gamma: float(),
  },
  infer: gemm.infer,
  decompose(c) {
    const { activation, activation_alpha: alpha, activation_beta: beta, activation_gamma: gamma } = c.attributes;
    const [product] = c.emit('Gemm', givenInputs(c), ownOf(c.node.attributes)) as [Value];
    if (!activation) return [product];
    const all: Readonly<Record<string, number | undefined>> = { alpha, beta, gamma };
    const names = parametersOf(c, PRODUCT_ACTIVATIONS, activation);
    return [activated(c, product, activation, Object.fromEntries(names.map((name) => [name, all[name]])))];
  },
});
