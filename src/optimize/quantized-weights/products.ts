import { Emitter, rename } from '../../analysis/decompose.js';
import { floatOf, intOf } from '../../graph/attributes.js';
import type { Node, Value } from '../../graph/graph.js';
import {
  CODE,
  castTo,
  constantOf,
  elementOf,
  type Producers,
  SCALE,
  saidInBits,
  type Weight,
  weightBehind,
  ZERO_POINT,
} from './constants.js';
import type { Reading } from './read-in-place.js';

/** Whether a product transposes its right operand; undefined for other nodes and for those that scale or shift the result. */
function isTurned({ domain, op, attributes }: Node): boolean | undefined {
  if (domain !== '') return undefined;
  if (op === 'MatMul') return false;
  const isScaled = floatOf(attributes, 'alpha', 1) !== 1 || floatOf(attributes, 'beta', 1) !== 1;
  if (op !== 'Gemm' || isScaled || intOf(attributes, 'transA', 0) !== 0) return undefined;
  return intOf(attributes, 'transB', 0) !== 0;
}

/** Nodes of a product with weights as stored, or a reason why there are none. */
function rewritten(root: Node, weight: Weight, producers: Producers): Node[] | string {
  const [a, , bias = null] = root.inputs as [Value, Value, Value | null];
  // Quantized activations lead to an integer product instead.
  if (producers.get(a)?.op === 'DequantizeLinear') return 'its activations are quantized too';
  const attributes = saidInBits(producers, weight);
  if (typeof attributes === 'string') return attributes;
  const { inputs } = weight.node;
  const element = elementOf(producers, weight.node);
  const made = new Emitter(root.name);
  const isVector = String(constantOf(producers, bias)?.dims) === String(attributes.N?.value);
  const own = bias && isVector ? castTo(made, bias, 'float32', element) : null;
  const x = castTo(made, a, 'float32', element);
  const operands = [x, inputs[CODE] ?? null, inputs[SCALE] ?? null, inputs[ZERO_POINT] ?? null, own];
  const [product] = made.emit('sardonyx:MatMulNBits', operands, attributes) as [Value];
  const y = castTo(made, product, element, 'float32');
  return rename(made.nodes, bias && !own ? made.emit('Add', [y, bias]) : [y], root.outputs);
}

/** Products whose weights DequantizeLinear computes from constants. */
export const products: Reading = {
  rule: 'product with quantized weights',
  weightOf: (node) => (isTurned(node) === undefined ? undefined : 1),
  propose(node, { producers }) {
    const weight = weightBehind(producers, node.inputs[1], isTurned(node) === true);
    return weight && rewritten(node, weight, producers);
  },
};
