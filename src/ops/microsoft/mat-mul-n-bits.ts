import { intAttribute, intsAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { B, blocksOf, isFloating, requireBlocks, SCALES, ZERO_POINTS } from '../../primitives/n-bit-blocks.js';
import { A, productOf, requireActivations } from '../../primitives/n-bit-matmul.js';
import { int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { like } from '../../schema/shapes.js';
import type { ElementType } from '../../tensor/element-types.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo } from '../emit.js';
import { unpackedCodes } from './unpacked-codes.js';

interface Attributes {
  readonly K: number;
  readonly N: number;
  readonly bits: number;
  readonly block_size: number;
  readonly accuracy_level: number;
  readonly weight_prepacked: number;
}

const [G_IDX, BIAS] = [4, 5];

function check(c: Inference<Attributes>): void {
  const { accuracy_level: level, weight_prepacked: prepacked, K } = c.attributes;
  if (level < 0 || level > 4) c.fail('INVALID_ATTRIBUTE', `accuracy_level must be 0 to 4, not ${level}`);
  if (prepacked !== 0)
    c.fail('INVALID_ATTRIBUTE', `weight_prepacked must be 0, not ${prepacked}: other layouts are for CUDA`);
  requireBlocks(c);
  requireActivations(c, BIAS);
  if (!c.given(G_IDX)) return;
  const { blocks, block } = blocksOf(c);
  const groups = c.dims(G_IDX);
  const count = groups?.[0];
  const counts = [...new Set([K, blocks * block])];
  if (groups && (groups.length !== 1 || (typeof count === 'number' && !counts.includes(count))))
    c.fail('INVALID_SHAPE', `g_idx must have ${counts.join(' or ')} elements, not [${groups}]`);
}

const HALVES: readonly ElementType[] = ['float16', 'bfloat16'];

/** Input `i`, cast to float32 if its type is one of `from`; null if omitted. */
function widened(c: Decomposition<unknown>, i: number, from: readonly ElementType[] = HALVES): Value | null {
  if (!c.given(i)) return null;
  return from.includes(c.element(i)) ? castTo(c, c.input(i), 'float32') : c.input(i);
}

/** Multiplies by weights in blocks along K. Scales and zero points in float16 are passed as they are. */
function byBlocks(c: Decomposition<Attributes>): Value {
  const { K, N, bits, block_size, accuracy_level } = c.attributes;
  const stored = (i: number) => widened(c, i, ['bfloat16']);
  const inputs = [widened(c, A), c.input(B), stored(SCALES), stored(ZERO_POINTS), widened(c, BIAS)];
  return emitOne(c, 'sardonyx:MatMulNBits', inputs, {
    K: intAttribute(K),
    N: intAttribute(N),
    bits: intAttribute(bits),
    block_size: intAttribute(block_size),
    accuracy_level: intAttribute(accuracy_level),
  });
}

/** Dequantizes the weights: with `g_idx`, each row of B names the block with its scale. */
function byGroups(c: Decomposition<Attributes>): Value {
  const f = arithmeticOn(c, 'float32');
  const { k, n, bits, blocks } = blocksOf(c);
  const cut = (x: Value, axis: number) => emitOne(c, 'Slice', [x, listOf(c, [0]), listOf(c, [k]), listOf(c, [axis])]);
  const groups = cut(c.input(G_IDX), 0);
  const ofRows = (x: Value) => emitOne(c, 'Gather', [reshapeTo(c, x, [n, blocks]), groups], { axis: intAttribute(1) });
  const codes = cut(unpackedCodes(c, c.input(B), bits, n), 1);
  const moved = f('Sub', codes, c.given(ZERO_POINTS) ? ofRows(zeroPoints(c)) : 2 ** (bits - 1));
  const weights = f('Mul', moved, ofRows(widened(c, SCALES) as Value));
  const product = emitOne(c, 'MatMul', [
    widened(c, A) as Value,
    emitOne(c, 'Transpose', [weights], { perm: intsAttribute([1, 0]) }),
  ]);
  const bias = widened(c, BIAS);
  return bias ? f('Add', product, bias) : product;
}

/** Zero points as floats, one per block of each column. */
function zeroPoints(c: Decomposition<Attributes>): Value {
  if (isFloating(c.element(ZERO_POINTS))) return widened(c, ZERO_POINTS) as Value;
  const { n, bits, blocks } = blocksOf(c);
  const codes = unpackedCodes(c, c.input(ZERO_POINTS), bits, n);
  return emitOne(c, 'Slice', [codes, listOf(c, [0]), listOf(c, [blocks]), listOf(c, [1])]);
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MatMulNBits */
export const matMulNBits = defineOp({
  domain: 'com.microsoft',
  name: 'MatMulNBits',
  signature: 'A: T1, B: T2, scales: T1, zero_points?: T3, g_idx?: T4, bias?: T1 -> Y: T1',
  types: {
    T1: ['float32', 'float16', 'bfloat16'],
    T2: ['uint8'],
    T3: ['uint8', 'float32', 'float16', 'bfloat16'],
    T4: ['int32'],
  },
  attributes: {
    K: int.required,
    N: int.required,
    bits: int(4),
    block_size: int.required,
    accuracy_level: int(0),
    weight_prepacked: int(0),
  },
  infer(c) {
    check(c);
    return [like(c, A, productOf(c))];
  },
  decompose(c) {
    const y = c.given(G_IDX) ? byGroups(c) : byBlocks(c);
    const element = c.element(A);
    return [element === 'float32' ? y : castTo(c, y, element)];
  },
});
