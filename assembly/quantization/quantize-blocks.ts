import { ceilDiv } from '../ceil-div';
import { Activations, activationsOf, areBytes, MAX_WORD } from './activations';
import { LEFT } from './n-bit-exact';

/**
 * Quantizes rows of floats in blocks to integers, in the form of `activationsOf`: x ≈ scale · q, where scale is the block's largest
 * magnitude / MAX_WORD, or / 127 for bytes. `x` is [rows, columns] of floats; `q` [rows, blocks, block], zero beyond the columns; `scales`
 * (floats) and `sums` (of a block's integers) [rows, blocks]. `block` is a multiple of 16 and at most 256. Blocks that integers cannot
 * represent well get zeros and the scale −0; `nBitProduct` multiplies them in floats. Bytes are in the order in which planes of `bits` use
 * them: in each 2·P, P = 16 / bits, four by four, 2i, P + 2i, 2i + 1, P + 2i + 1; WordQuads have four high bytes, then the low bytes of the
 * same values.
 * A tile is `tileBlocks` blocks of a row: rows · ceil(blocks / tileBlocks).
 */
@unmanaged
export class QuantizeBlocksParams {
  x: usize = 0;
  q: usize = 0;
  scales: usize = 0;
  sums: usize = 0;
  columns: i32 = 0;
  block: i32 = 0;
  blocks: i32 = 0;
  tileBlocks: i32 = 0;
  narrow: i32 = 0;
  quads: i32 = 0;
  bits: i32 = 0;
}

export function quantizeBlocks(p: QuantizeBlocksParams, begin: i32, end: i32): void {
  const tilesOfRow = ceilDiv(p.blocks, p.tileBlocks);
  for (let tile = begin; tile < end; tile++) {
    const row = tile / tilesOfRow;
    const first = (tile % tilesOfRow) * p.tileBlocks;
    const last = min(first + p.tileBlocks, p.blocks);
    for (let block = first; block < last; block++) quantizeBlock(p, row, block);
  }
}

function quantizeBlock(p: QuantizeBlocksParams, row: i32, block: i32): void {
  const form = activationsOf(p.narrow, p.quads, p.bits);
  const column = block * p.block;
  const at = <usize>row * <usize>p.blocks + <usize>block;
  const from = p.x + ((<usize>row * <usize>p.columns + <usize>column) << 2);
  const count = max(0, min(p.block, p.columns - column));
  const largest = largestMagnitude(from, count);
  const range: f32 = areBytes(form) ? 127 : <f32>MAX_WORD;
  const serve = areServed(form, from, count, largest);
  store<f32>(p.scales + (at << 2), serve ? largest / range : LEFT);
  const factor: f32 = serve && largest > 0 ? range / largest : 0;
  const sums = p.sums + (at << 2);
  const q = p.q + ((at * <usize>p.block) << (areBytes(form) ? 0 : 1));
  if (form == Activations.WordPairs) store<i32>(sums, toWords(from, q, count, p.block, factor));
  else if (form == Activations.WordQuads) store<i32>(sums, toQuads(from, q, count, p.block, factor, p.bits));
  else store<i32>(sums, toBytes(from, q, count, p.block, factor, p.bits));
}

const MAGNITUDE: i32 = 0x7fffffff;
const INFINITY_BITS: i32 = 0x7f800000;

/**
 * The largest magnitude; infinity for NaN. Compares bits as integers, which takes one instruction: they have the order of the magnitudes,
 * and NaN is above infinity.
 */
function largestMagnitude(from: usize, count: i32): f32 {
  const mask = i32x4.splat(MAGNITUDE);
  let most = i32x4.splat(0);
  let i = 0;
  for (; i + 4 <= count; i += 4) most = i32x4.max_s(most, v128.and(v128.load(from + (<usize>i << 2)), mask));
  most = i32x4.max_s(most, v128.shuffle<i32>(most, most, 2, 3, 0, 1));
  most = i32x4.max_s(most, v128.shuffle<i32>(most, most, 1, 0, 3, 2));
  let largest = i32x4.extract_lane(most, 0);
  for (; i < count; i++) largest = max(largest, load<i32>(from + (<usize>i << 2)) & MAGNITUDE);
  return reinterpret<f32>(min(largest, INFINITY_BITS));
}

/** Below this, a block's scale, or its product with a scale of B, may not be a normal number. */
const SMALLEST: f32 = 1e-30;
/** Smallest fraction of the largest element for which rounding changes an element by less than a hundredth. */
const SMALL: f32 = 1.0 / 512.0;

/**
 * Whether integers can represent a block: it has no infinities and NaN, and with 16 bits most elements are not small next to the largest.
 */
function areServed(form: Activations, from: usize, count: i32, largest: f32): bool {
  if (largest == 0) return true;
  if (!(largest >= SMALLEST && largest < <f32>Infinity)) return false;
  return areBytes(form) || !areMostlySmall(from, count, largest * SMALL);
}

/** Whether more of the nonzero elements are below `bound` than above. */
function areMostlySmall(from: usize, count: i32, bound: f32): bool {
  const bounds = f32x4.splat(bound), zero = f32x4.splat(0);
  let balance = i32x4.splat(0);
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const x = f32x4.abs(v128.load(from + (<usize>i << 2)));
    // A mask is −1: elements below count 1, others −1, zeros 0.
    balance = i32x4.add(balance, i32x4.sub(f32x4.ge(x, bounds), v128.and(f32x4.lt(x, bounds), f32x4.gt(x, zero))));
  }
  let most = sumOfLanes(balance);
  for (; i < count; i++) {
    const x = abs<f32>(load<f32>(from + (<usize>i << 2)));
    most += x >= bound ? -1 : x > 0 ? 1 : 0;
  }
  return most > 0;
}

/** An element as an integer; 0 past the end, or if `factor` is 0. */
@inline
function integerAt(from: usize, i: i32, count: i32, factor: f32): i32 {
  return i < count && factor > 0 ? <i32>nearest(load<f32>(from + (<usize>i << 2)) * factor) : 0;
}

/** Four elements as integers, which fit 16 bits. */
@inline
function integers(from: usize, i: i32, factor: v128): v128 {
  const whole = f32x4.nearest(f32x4.mul(v128.load(from + (<usize>i << 2)), factor));
  return ASC_FEATURE_RELAXED_SIMD ? i32x4.relaxed_trunc_f32x4_s(whole) : i32x4.trunc_sat_f32x4_s(whole);
}

@inline
function sumOfLanes(x: v128): i32 {
  const halves = i32x4.add(x, v128.shuffle<i32>(x, x, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}

/** Writes 16-bit integers; returns their sum. */
function toWords(from: usize, q: usize, count: i32, block: i32, factor: f32): i32 {
  const factors = f32x4.splat(factor);
  const whole = factor > 0 ? count & -8 : 0;
  let sums = i32x4.splat(0);
  let i = 0;
  for (; i < whole; i += 8) {
    const low = integers(from, i, factors), high = integers(from, i + 4, factors);
    sums = i32x4.add(sums, i32x4.add(low, high));
    v128.store(q + (<usize>i << 1), i16x8.narrow_i32x4_s(low, high));
  }
  let sum = sumOfLanes(sums);
  for (; i < block; i++) {
    const value = integerAt(from, i, count, factor);
    store<i16>(q + (<usize>i << 1), <i16>value);
    sum += value;
  }
  return sum;
}

/** Writes bytes in the order of planes, with WORDS two per value; returns the sum of the integers. */
@inline
function toPlanes(WORDS: bool, from: usize, q: usize, count: i32, block: i32, factor: f32, bits: i32): i32 {
  const factors = f32x4.splat(factor);
  const whole = factor > 0 ? count & -16 : 0;
  let sums = i32x4.splat(0);
  let i = 0;
  for (; i < whole; i += 16) {
    const a = integers(from, i, factors), b = integers(from, i + 4, factors);
    const c = integers(from, i + 8, factors), d = integers(from, i + 12, factors);
    sums = i32x4.add(sums, i32x4.add(i32x4.add(a, b), i32x4.add(c, d)));
    const ab = i16x8.narrow_i32x4_s(a, b), cd = i16x8.narrow_i32x4_s(c, d);
    if (WORDS) {
      const high = inPlanes(i8x16.narrow_i16x8_s(highBytes(ab), highBytes(cd)), bits);
      const low = inPlanes(v128.shuffle<i8>(ab, cd, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30), bits);
      const to = q + (<usize>i << 1);
      v128.store(to, v128.shuffle<i32>(high, low, 0, 4, 1, 5));
      v128.store(to, v128.shuffle<i32>(high, low, 2, 6, 3, 7), 16);
    } else v128.store(q + <usize>i, inPlanes(i8x16.narrow_i16x8_s(ab, cd), bits));
  }
  let sum = sumOfLanes(sums);
  const planes = 16 / bits;
  for (; i < block; i++) {
    const value = integerAt(from, i, count, factor);
    const place = placeOf(i, planes);
    if (WORDS) {
      const to = q + <usize>(((place & -4) << 1) + (place & 3));
      store<i8>(to, <i8>((value + 128) >> 8));
      store<i8>(to, <i8>value, 4);
    } else store<i8>(q + <usize>place, <i8>value);
    sum += value;
  }
  return sum;
}

function toBytes(from: usize, q: usize, count: i32, block: i32, factor: f32, bits: i32): i32 {
  return toPlanes(false, from, q, count, block, factor, bits);
}

function toQuads(from: usize, q: usize, count: i32, block: i32, factor: f32, bits: i32): i32 {
  return toPlanes(true, from, q, count, block, factor, bits);
}

/** High bytes of 256 · high + low, where low is a signed byte. */
@inline
function highBytes(words: v128): v128 {
  return i16x8.shr_s(i16x8.add(words, i16x8.splat(128)), 8);
}

@inline
function inPlanes(bytes: v128, bits: i32): v128 {
  return bits == 4 ? byNibbles(bytes) : byPairs(bytes);
}

@inline
function byNibbles(x: v128): v128 {
  return v128.shuffle<i8>(x, x, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
}

@inline
function byPairs(x: v128): v128 {
  return v128.shuffle<i8>(x, x, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** Index of element `i` among the bytes. */
@inline
function placeOf(i: i32, planes: i32): i32 {
  const inStep = i & (2 * planes - 1);
  const inHalf = inStep & (planes - 1);
  return i - inStep + ((inHalf >> 1) << 2) + ((inHalf & 1) << 1) + (inStep >= planes ? 1 : 0);
}
