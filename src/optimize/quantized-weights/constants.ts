import type { Emitter } from '../../analysis/decompose.js';
import { intAttribute, intOf, intsOf, stringAttribute } from '../../graph/attributes.js';
import { normalAxis } from '../../graph/dims.js';
import type { Attributes, Node, Value } from '../../graph/graph.js';
import { ELEMENTS, type ElementType, elementTypeOf } from '../../tensor/element-types.js';
import { elementCount, type TensorValue } from '../../tensor/tensor-value.js';

/** Below this number of weights, floats are as fast. */
const LEAST_WEIGHTS = 1 << 12;

const CODES: readonly ElementType[] = ['int8', 'uint8', 'int4', 'uint4', 'int2', 'uint2'];
const FLOATS: readonly ElementType[] = ['float32', 'float16'];

/** Input positions of DequantizeLinear. */
export const [CODE, SCALE, ZERO_POINT] = [0, 1, 2];

export type Producers = ReadonlyMap<Value, Node>;

/** A matrix from DequantizeLinear; `isTransposed` if its transpose is used. */
export interface Weight {
  readonly node: Node;
  readonly isTransposed: boolean;
}

/** Contents of a constant or of a Constant node, which no feed can change. */
export function constantOf(producers: Producers, value: Value | null | undefined): TensorValue | undefined {
  if (!value || value.isDefault) return undefined;
  const node = producers.get(value);
  const said = node?.op === 'Constant' && node.domain === '' ? node.attributes.value : undefined;
  return said?.type === 'tensor' ? said.value : value.constant;
}

/** Element type of a DequantizeLinear's result. */
export const elementOf = (producers: Producers, { inputs, attributes }: Node): ElementType =>
  elementTypeOf(intOf(attributes, 'output_dtype', 0)) ?? constantOf(producers, inputs[SCALE])?.type ?? 'float32';

const isSwap = (node: Node) => String(intsOf(node.attributes, 'perm') ?? [1, 0]) === '1,0';

/** The weight that `value` comes from, through transpositions. */
export function weightBehind(
  producers: Producers,
  value: Value | null | undefined,
  isTransposed: boolean,
): Weight | undefined {
  const node = value && producers.get(value);
  if (node?.domain !== '') return undefined;
  if (node.op === 'Transpose' && isSwap(node)) return weightBehind(producers, node.inputs[0], !isTransposed);
  return node.op === 'DequantizeLinear' ? { node, isTransposed } : undefined;
}

/** Attributes of `sardonyx:MatMulNBits` for the weight, or a reason why there are none. */
export function saidInBits(producers: Producers, { node, isTransposed }: Weight): Attributes | string {
  const contents = [CODE, SCALE, ZERO_POINT].map((i) => constantOf(producers, node.inputs[i]));
  const [codes, scale] = contents;
  if (!codes || !scale || (node.inputs[ZERO_POINT] && !contents[ZERO_POINT])) return 'its weights are no constants';
  if (codes.dims.length !== 2 || !CODES.includes(codes.type))
    return `${codes.type}[${codes.dims}] is no matrix of codes`;
  if (!FLOATS.includes(elementOf(producers, node)) || !FLOATS.includes(scale.type))
    return `its scales are ${scale.type}`;
  const [k, n] = (isTransposed ? codes.dims.toReversed() : codes.dims) as [number, number];
  if (k * n < LEAST_WEIGHTS) return 'it is small';
  const rows = isTransposed ? 1 : 0;
  const block = intOf(node.attributes, 'block_size', 0);
  const isOne = block === 0 && elementCount(scale.dims) === 1;
  const axis = normalAxis(intOf(node.attributes, 'axis', 1), 2);
  if (!isOne && axis !== (block ? rows : 1 - rows)) return `its scales lie along axis ${axis}`;
  if (block % 16 !== 0) return `its blocks are of ${block}`;
  return {
    K: intAttribute(k),
    N: intAttribute(n),
    bits: intAttribute(ELEMENTS[codes.type].bits),
    block_size: intAttribute(block),
    layout: stringAttribute(isTransposed ? 'NK' : 'KN'),
  };
}

export const castTo = (made: Emitter, value: Value, to: ElementType, from: ElementType): Value =>
  to === from ? value : (made.emit('Cast', [value], { to: intAttribute(ELEMENTS[to].onnx) })[0] as Value);
