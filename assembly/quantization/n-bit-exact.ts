import { ceilDiv } from '../ceil-div';
import { madd } from '../math/madd';
import { scratch } from '../program';
import { NBitProductParams, ZeroPoints } from './n-bit-params';
import { bytesOfZeros, ROW_BYTES } from './n-bit-scaling';
import { NBitPanel } from './pack-n-bit';

// Multiplies blocks of A in floats: those that `quantizeBlocks` could not quantize (their scale is −0), or all.

/** The scale of a block that is not quantized. */
export const LEFT: f32 = -0.0;
const LEFT_BITS: u32 = 0x80000000;

/** Scratch after the sums of rows: a block of B as floats, [block][8 columns]. */
const WEIGHTS: usize = 512;

/** Rows multiplied at once. */
const ROWS: i32 = 4;

@inline
function blocksOfA(p: NBitProductParams): i32 {
  return p.blocks * p.split;
}

@inline
function isLeft(p: NBitProductParams, row: i32, block: i32): bool {
  return p.isExact || load<u32>(p.aScales + (<usize>(row * blocksOfA(p) + block) << 2)) == LEFT_BITS;
}

/** Whether any block of these rows of A is not quantized. */
export function anyLeft(p: NBitProductParams, row: i32, end: i32): bool {
  if (p.isExact) return true;
  let at = p.aScales + (<usize>(row * blocksOfA(p)) << 2);
  const last = p.aScales + (<usize>(end * blocksOfA(p)) << 2);
  const left = i32x4.splat(LEFT_BITS);
  for (; at + 16 <= last; at += 16) if (v128.any_true(i32x4.eq(v128.load(at), left))) return true;
  for (; at < last; at += 4) if (load<u32>(at) == LEFT_BITS) return true;
  return false;
}

/** The values of four 4-bit codes from the table. */
@inline
function meaningsOf(p: NBitProductParams, codes: v128): v128 {
  let y = f32x4.splat(0);
  y = f32x4.replace_lane(y, 0, meaningOf(p, i32x4.extract_lane(codes, 0)));
  y = f32x4.replace_lane(y, 1, meaningOf(p, i32x4.extract_lane(codes, 1)));
  y = f32x4.replace_lane(y, 2, meaningOf(p, i32x4.extract_lane(codes, 2)));
  return f32x4.replace_lane(y, 3, meaningOf(p, i32x4.extract_lane(codes, 3)));
}

function meaningOf(p: NBitProductParams, code: i32): f32 {
  const at = p.meanings + <usize>code;
  return <f32>(((<i32>load<u8>(at) << 8) | <i32>load<u8>(at, 16)) - 32768) * p.unit;
}

/** Zero points of four columns as floats. */
@inline
function zerosOf(p: NBitProductParams, zeros: usize, column: usize): v128 {
  if (p.zeroPoints == ZeroPoints.Same) return f32x4.splat(<f32>p.zeroPoint);
  if (p.zeroPoints == ZeroPoints.Floats) return v128.load(zeros + (column << 2));
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(zeros + column))));
}

@inline
function weightsOf(p: NBitProductParams, codes: v128, zeros: v128, scale: v128): v128 {
  const value = p.meanings ? meaningsOf(p, codes) : f32x4.sub(f32x4.convert_i32x4_s(codes), zeros);
  return f32x4.mul(value, scale);
}

/** Unpacks a panel's rows for block `block` of A as floats in scratch. */
function unpack(p: NBitProductParams, panel: i32, block: i32): void {
  const rows = 32 / p.bits;
  const steps = p.block / rows;
  const ofB = <usize>(panel * p.blocks + block / p.split);
  const zeros = p.zeros + ofB * bytesOfZeros(p.zeroPoints);
  const zeros0 = zerosOf(p, zeros, 0), zeros1 = zerosOf(p, zeros, 4);
  const scale0 = v128.load(p.scales + ofB * ROW_BYTES), scale1 = v128.load(p.scales + ofB * ROW_BYTES, 16);
  const mask = i32x4.splat((1 << p.bits) - 1);
  let from = p.b + (<usize>panel * <usize>blocksOfA(p) + <usize>block) * <usize>steps * NBitPanel.StepBytes;
  let to = scratch + WEIGHTS;
  for (let step = steps; step; step--, from += NBitPanel.StepBytes) {
    const v0 = v128.load(from), v1 = v128.load(from, 16);
    for (let row = 0; row < rows; row++, to += ROW_BYTES) {
      const shift = (row & 1) * 16 + (row >> 1) * p.bits;
      v128.store(to, weightsOf(p, v128.and(i32x4.shr_u(v0, shift), mask), zeros0, scale0));
      v128.store(to, weightsOf(p, v128.and(i32x4.shr_u(v1, shift), mask), zeros1, scale1), 16);
    }
  }
}

@inline
function addTo(sums: usize, y0: v128, y1: v128): void {
  v128.store(sums, f32x4.add(v128.load(sums), y0));
  v128.store(sums, f32x4.add(v128.load(sums, 16), y1), 16);
}

/** Adds the products of `count` elements of A to a row's sums. */
@inline
function addOne(x: usize, count: i32, sums: usize): void {
  let w = scratch + WEIGHTS;
  let y0 = f32x4.splat(0), y1 = y0;
  for (const end = x + (<usize>count << 2); x < end; x += 4, w += ROW_BYTES) {
    const a = v128.load32_splat(x);
    y0 = madd(a, v128.load(w), y0);
    y1 = madd(a, v128.load(w, 16), y1);
  }
  addTo(sums, y0, y1);
}

/** Like addOne, for ROWS rows, `stride` bytes apart. */
function addFour(x: usize, stride: usize, count: i32, sums: usize): void {
  let w = scratch + WEIGHTS;
  let y00 = f32x4.splat(0), y01 = y00, y10 = y00, y11 = y00, y20 = y00, y21 = y00, y30 = y00, y31 = y00;
  for (const end = x + (<usize>count << 2); x < end; x += 4, w += ROW_BYTES) {
    const w0 = v128.load(w), w1 = v128.load(w, 16);
    let a = v128.load32_splat(x);
    y00 = madd(a, w0, y00);
    y01 = madd(a, w1, y01);
    a = v128.load32_splat(x + stride);
    y10 = madd(a, w0, y10);
    y11 = madd(a, w1, y11);
    a = v128.load32_splat(x + 2 * stride);
    y20 = madd(a, w0, y20);
    y21 = madd(a, w1, y21);
    a = v128.load32_splat(x + 3 * stride);
    y30 = madd(a, w0, y30);
    y31 = madd(a, w1, y31);
  }
  addTo(sums, y00, y01);
  addTo(sums + ROW_BYTES, y10, y11);
  addTo(sums + 2 * ROW_BYTES, y20, y21);
  addTo(sums + 3 * ROW_BYTES, y30, y31);
}

/**
 * Adds the blocks that are not quantized in rows row… of A (ROWS or one) to their sums at the start of the scratch block. Unpacks each
 * block of B once.
 */
export function addLeft(p: NBitProductParams, panel: i32, row: i32, rows: i32): void {
  const stride = <usize>p.columns << 2;
  const blocks = ceilDiv(p.columns, p.block);
  for (let block = 0; block < blocks; block++) {
    const count = min(p.block, p.columns - block * p.block);
    const x = p.x + <usize>row * stride + ((<usize>block * <usize>p.block) << 2);
    let isUnpacked = false;
    if (rows == ROWS && p.isExact) {
      unpack(p, panel, block);
      addFour(x, stride, count, scratch);
      continue;
    }
    for (let i = 0; i < rows; i++) {
      if (!isLeft(p, row + i, block)) continue;
      if (!isUnpacked) unpack(p, panel, block);
      isUnpacked = true;
      addOne(x + <usize>i * stride, count, scratch + <usize>i * ROW_BYTES);
    }
  }
}
