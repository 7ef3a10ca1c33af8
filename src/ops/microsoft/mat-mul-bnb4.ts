import { intAttribute, stringAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { productDims } from '../../primitives/product-dims.js';
import { int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { requireDims } from '../../schema/shapes.js';
import { tensorOf } from '../../tensor/numbers.js';
import { arithmeticOn, emitOne, listOf, reshapeTo } from '../emit.js';
import { converted } from './converted.js';
import { codesIn } from './packed-bytes.js';

const [A, B, ABSMAX] = [0, 1, 2];

interface Attributes {
  readonly K: number;
  readonly N: number;
  readonly block_size: number;
  readonly quant_type: number;
  readonly transB: number;
}

/** Magnitudes of bitsandbytes' FP4, https://arxiv.org/abs/2305.14314, divided by the largest, 12; a code's highest bit is its sign. */
const FP4 = [0, 0.0625, 8, 12, 4, 6, 2, 3].map((x) => x / 12);
/** bitsandbytes' NF4: quantiles of the normal distribution. */
const NF4 = [
  -1, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
  -0.09105003625154495, 0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
  0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1,
];

/** Values of the codes, by `quant_type`. */
const MEANINGS: readonly (readonly number[])[] = [[...FP4, ...FP4.map((x) => -x)], NF4];

function meaningsOf(c: Inference<Attributes>): readonly number[] {
  const { quant_type } = c.attributes;
  return (
    MEANINGS[quant_type] ?? c.fail('INVALID_ATTRIBUTE', `quant_type must be 0 (FP4) or 1 (NF4), not ${quant_type}`)
  );
}

function checkAttributes(c: Inference<Attributes>): void {
  const { K, N, block_size } = c.attributes;
  if (K < 1 || N < 1) c.fail('INVALID_ATTRIBUTE', `K and N must be at least 1, not ${K} and ${N}`);
  if (block_size < 16 || Math.log2(block_size) % 1 !== 0)
    c.fail('INVALID_ATTRIBUTE', `block_size must be a power of two and at least 16, not ${block_size}`);
}

/** Weights in float32, [N, K]. The last block of the flattened weights may be short. */
function weights(c: Decomposition<Attributes>): Value {
  const { K, N, block_size } = c.attributes;
  const meanings = meaningsOf(c);
  const codes = codesIn(c, c.input(B), (byte) => [byte >> 4, byte & 15].map((code) => meanings[code] as number));
  const [count, room] = [N * K, Math.ceil((N * K) / block_size) * block_size];
  const flat = reshapeTo(c, codes, [-1]);
  const lacking = room - 2 * Math.ceil(count / 2);
  const zeros = () => c.constant(tensorOf('float32', [lacking], new Float32Array(lacking)));
  const whole = lacking > 0 ? c.emit('Concat', [flat, zeros()], { axis: { type: 'int', value: 0 } }) : [flat];
  const scales = reshapeTo(c, converted(c, c.input(ABSMAX), c.element(ABSMAX), 'float32'), [-1, 1]);
  const blocks = arithmeticOn(c, 'float32')('Mul', reshapeTo(c, whole[0] as Value, [-1, block_size]), scales);
  if (room === count) return reshapeTo(c, blocks, [N, K]);
  const all = emitOne(c, 'Slice', [reshapeTo(c, blocks, [-1]), listOf(c, [0]), listOf(c, [count])]);
  return reshapeTo(c, all, [N, K]);
}

/** The longest block size that divides both a column and a stored block; undefined if less than 16. */
function sharedBlock({ K, block_size }: Attributes): number | undefined {
  let block = block_size;
  while (K % block !== 0) block /= 2;
  return block >= 16 ? block : undefined;
}

/** Scales of blocks within columns; a stored block may span several columns. */
function scalesOf(c: Decomposition<Attributes>, block: number): Value {
  const { K, N, block_size } = c.attributes;
  const stored = converted(c, c.input(ABSMAX), c.element(ABSMAX), 'float32');
  if (block === block_size) return stored;
  const list = Array.from({ length: (N * K) / block }, (_, i) => Math.floor((i * block) / block_size));
  return emitOne(c, 'Gather', [stored, listOf(c, list)]);
}

/** Multiplies by codes as stored. */
function inCodes(c: Decomposition<Attributes>, a: Value, block: number): Value {
  const { K, N } = c.attributes;
  return emitOne(c, 'sardonyx:MatMulNBits', [a, c.input(B), scalesOf(c, block)], {
    K: intAttribute(K),
    N: intAttribute(N),
    block_size: intAttribute(block),
    layout: stringAttribute('bytes'),
    meanings: { type: 'floats', value: meaningsOf(c) },
  });
}

/** Dequantizes the weights: for columns that no block size divides, or blocks that run across columns. */
function inFloats(c: Decomposition<Attributes>, a: Value): Value {
  const factor = c.attributes.transB ? emitOne(c, 'Transpose', [weights(c)]) : weights(c);
  return emitOne(c, 'MatMul', [a, factor]);
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MatMulBnb4 */
export const matMulBnb4 = defineOp({
  domain: 'com.microsoft',
  name: 'MatMulBnb4',
  signature: 'A: T1, B: T2, absmax: T1 -> Y: T1',
  types: { T1: ['float32', 'float16', 'bfloat16'], T2: ['uint8'] },
  attributes: {
    K: int.required,
    N: int.required,
    block_size: int.required,
    quant_type: int.required,
    training_mode: int(0),
    transB: int(1),
  },
  infer(c) {
    checkAttributes(c);
    meaningsOf(c);
    const { K, N, block_size, transB } = c.attributes;
    requireDims(c, B, [Math.ceil((N * K) / 2)]);
    requireDims(c, ABSMAX, [Math.ceil((N * K) / block_size)]);
    const factor: Size[] = transB ? [K, N] : [N, K];
    return [tensorType(c.element(A), productDims(c, c.dims(A), factor))];
  },
  decompose(c) {
    const a = converted(c, c.input(A), c.element(A), 'float32');
    const block = c.attributes.transB ? sharedBlock(c.attributes) : undefined;
    const product = block ? inCodes(c, a, block) : inFloats(c, a);
    return [converted(c, product, 'float32', c.element(A))];
  },
});
