import { scratch } from '../program';
import {
  biasOf, highest, IntegerEpilogue, IntegerResult, lessRow, lowest, movement, narrowed, PANEL, PANEL_HEAD, RAGGED, rounding, scaleOf, signFlip, startOf,
  placeOf, storeFloats, unstageRows,
} from './integer-epilogue';

/** Dot products of 8-bit operands. */
export const enum IntegerDots {
  /** Pairs of 16-bit integers: exact on every engine. */
  Pairs = 0,
  /** Relaxed dot products of four, if a probe has shown that the second operand is unsigned. */
  Unsigned = 1,
  /** Relaxed dot products of four, if the second operand is signed. */
  Signed = 2,
}

/** Rows of the register tile. There are sixteen registers, and pairs need one more than relaxed dot products. */
export const PAIR_ROWS: i32 = 4;
export const QUAD_ROWS: i32 = 6;

@inline
export function dot(QUADS: bool, x: v128, w: v128, sum: v128): v128 {
  if (!QUADS) return i32x4.add(i32x4.dot_i16x8_s(x, w), sum);
  return ASC_FEATURE_RELAXED_SIMD ? i32x4.relaxed_dot_i8x16_i7x16_add_s(w, x, sum) : sum;
}

@inline
export function weights(QUADS: bool, b: usize): v128 {
  return QUADS ? v128.load(b) : v128.load_ext<i8>(b);
}

/** Writes a tile; selects the result's type once. */
@inline
function finish(COUNT: i32, e: IntegerEpilogue, at: usize, y: usize, yStride: usize,
  s00: v128, s01: v128, s10: v128, s11: v128, s20: v128, s21: v128, s30: v128, s31: v128, s40: v128, s41: v128, s50: v128, s51: v128,
): void {
  const result = e.result;
  if (result == IntegerResult.Narrow) {
    const f0 = scaleOf(at), f1 = scaleOf(at + 16), low = lowest(), high = highest();
    const round = rounding(), moved = movement(), flip = signFlip();
    const w0 = narrowed(s00, s01, f0, f1, low, high, round, moved);
    const w1 = COUNT > 1 ? narrowed(s10, s11, f0, f1, low, high, round, moved) : w0;
    storeWords(COUNT, y, yStride, w0, w1, flip);
    if (COUNT > 2) {
      const w2 = narrowed(s20, s21, f0, f1, low, high, round, moved);
      const w3 = COUNT > 3 ? narrowed(s30, s31, f0, f1, low, high, round, moved) : w2;
      storeWords(COUNT - 2, (y += 2 * yStride), yStride, w2, w3, flip);
    }
    if (COUNT > 4) {
      const w4 = narrowed(s40, s41, f0, f1, low, high, round, moved);
      const w5 = COUNT > 5 ? narrowed(s50, s51, f0, f1, low, high, round, moved) : w4;
      storeWords(COUNT - 4, (y += 2 * yStride), yStride, w4, w5, flip);
    }
  } else if (result == IntegerResult.Floats) {
    const f0 = scaleOf(at), f1 = scaleOf(at + 16), b0 = biasOf(at), b1 = biasOf(at + 16), low = lowest(), high = highest();
    const biased = e.bias != 0;
    storeFloats(y, s00, f0, b0, biased, low, high);
    storeFloats(y + 16, s01, f1, b1, biased, low, high);
    if (COUNT > 1) storeFloats((y += yStride), s10, f0, b0, biased, low, high);
    if (COUNT > 1) storeFloats(y + 16, s11, f1, b1, biased, low, high);
    if (COUNT > 2) storeFloats((y += yStride), s20, f0, b0, biased, low, high);
    if (COUNT > 2) storeFloats(y + 16, s21, f1, b1, biased, low, high);
    if (COUNT > 3) storeFloats((y += yStride), s30, f0, b0, biased, low, high);
    if (COUNT > 3) storeFloats(y + 16, s31, f1, b1, biased, low, high);
    if (COUNT > 4) storeFloats((y += yStride), s40, f0, b0, biased, low, high);
    if (COUNT > 4) storeFloats(y + 16, s41, f1, b1, biased, low, high);
    if (COUNT > 5) storeFloats((y += yStride), s50, f0, b0, biased, low, high);
    if (COUNT > 5) storeFloats(y + 16, s51, f1, b1, biased, low, high);
  } else {
    keep(y, s00, s01);
    if (COUNT > 1) keep((y += yStride), s10, s11);
    if (COUNT > 2) keep((y += yStride), s20, s21);
    if (COUNT > 3) keep((y += yStride), s30, s31);
    if (COUNT > 4) keep((y += yStride), s40, s41);
    if (COUNT > 5) keep((y += yStride), s50, s51);
  }
}

/** Stores int8 values from 16-bit lanes as bytes of one row, or of two. */
@inline
function storeWords(COUNT: i32, y: usize, yStride: usize, first: v128, second: v128, flip: v128): void {
  const bytes = v128.xor(i8x16.narrow_i16x8_s(first, second), flip);
  v128.store_lane<i64>(y, bytes, 0);
  if (COUNT > 1) v128.store_lane<i64>(y + yStride, bytes, 1);
}

@inline
function keep(y: usize, s0: v128, s1: v128): void {
  v128.store(y, s0);
  v128.store(y, s1, 16);
}

/**
 * COUNT × PANEL results; rows of A are `pitch` bytes apart. A step multiplies a word of A (two 16-bit integers, or with QUADS four of 8
 * bits) with a word of each column. Sums start from the columns' offsets at `at`, and become results in registers.
 */
@inline
function multiply(QUADS: bool, COUNT: i32, e: IntegerEpilogue, a: usize, pitch: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize, yStride: usize): void {
  const half: usize = QUADS ? 16 : 8;
  let s00 = startOf(at), s10 = s00, s20 = s00, s30 = s00, s40 = s00, s50 = s00;
  let s01 = startOf(at + 16), s11 = s01, s21 = s01, s31 = s01, s41 = s01, s51 = s01;
  if (rowSums) {
    s00 = lessRow(s00, rowSums, at);
    s01 = lessRow(s01, rowSums, at + 16);
    if (COUNT > 1) {
      s10 = lessRow(s10, rowSums + 4, at);
      s11 = lessRow(s11, rowSums + 4, at + 16);
    }
    if (COUNT > 2) {
      s20 = lessRow(s20, rowSums + 8, at);
      s21 = lessRow(s21, rowSums + 8, at + 16);
    }
    if (COUNT > 3) {
      s30 = lessRow(s30, rowSums + 12, at);
      s31 = lessRow(s31, rowSums + 12, at + 16);
    }
    if (COUNT > 4) {
      s40 = lessRow(s40, rowSums + 16, at);
      s41 = lessRow(s41, rowSums + 16, at + 16);
    }
    if (COUNT > 5) {
      s50 = lessRow(s50, rowSums + 20, at);
      s51 = lessRow(s51, rowSums + 20, at + 16);
    }
  }
  let a1 = a + pitch, a2 = a1 + pitch, a3 = a2 + pitch, a4 = a3 + pitch, a5 = a4 + pitch;
  for (; steps; steps--) {
    const b0 = weights(QUADS, b), b1 = weights(QUADS, b + half);
    let x = v128.load32_splat(a);
    s00 = dot(QUADS, x, b0, s00);
    s01 = dot(QUADS, x, b1, s01);
    a += 4;
    if (COUNT > 1) {
      x = v128.load32_splat(a1);
      s10 = dot(QUADS, x, b0, s10);
      s11 = dot(QUADS, x, b1, s11);
      a1 += 4;
    }
    if (COUNT > 2) {
      x = v128.load32_splat(a2);
      s20 = dot(QUADS, x, b0, s20);
      s21 = dot(QUADS, x, b1, s21);
      a2 += 4;
    }
    if (COUNT > 3) {
      x = v128.load32_splat(a3);
      s30 = dot(QUADS, x, b0, s30);
      s31 = dot(QUADS, x, b1, s31);
      a3 += 4;
    }
    if (COUNT > 4) {
      x = v128.load32_splat(a4);
      s40 = dot(QUADS, x, b0, s40);
      s41 = dot(QUADS, x, b1, s41);
      a4 += 4;
    }
    if (COUNT > 5) {
      x = v128.load32_splat(a5);
      s50 = dot(QUADS, x, b0, s50);
      s51 = dot(QUADS, x, b1, s51);
      a5 += 4;
    }
    b += 2 * half;
  }
  finish(COUNT, e, at, y, yStride, s00, s01, s10, s11, s20, s21, s30, s31, s40, s41, s50, s51);
}

/**
 * Like `multiply` for one row: each second product, or fourth with QUADS, has sums of its own, which hides the latency of a dot product.
 * The panels are read as one stream: four next to one another are slower from memory.
 */
@inline
function multiplyRow(QUADS: bool, e: IntegerEpilogue, a: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize): void {
  const half: usize = QUADS ? 16 : 8, AT_ONCE = QUADS ? 4 : 2;
  const zero = i32x4.splat(0);
  let s0 = startOf(at), t0 = startOf(at + 16), s1 = zero, t1 = zero, s2 = zero, t2 = zero, s3 = zero, t3 = zero;
  if (rowSums) {
    s0 = lessRow(s0, rowSums, at);
    t0 = lessRow(t0, rowSums, at + 16);
  }
  for (let k = steps / AT_ONCE; k; k--) {
    let x = v128.load32_splat(a);
    s0 = dot(QUADS, x, weights(QUADS, b), s0);
    t0 = dot(QUADS, x, weights(QUADS, b + half), t0);
    x = v128.load32_splat(a, 4);
    s1 = dot(QUADS, x, weights(QUADS, b + 2 * half), s1);
    t1 = dot(QUADS, x, weights(QUADS, b + 3 * half), t1);
    if (QUADS) {
      x = v128.load32_splat(a, 8);
      s2 = dot(QUADS, x, weights(QUADS, b + 4 * half), s2);
      t2 = dot(QUADS, x, weights(QUADS, b + 5 * half), t2);
      x = v128.load32_splat(a, 12);
      s3 = dot(QUADS, x, weights(QUADS, b + 6 * half), s3);
      t3 = dot(QUADS, x, weights(QUADS, b + 7 * half), t3);
    }
    a += 4 * AT_ONCE;
    b += 2 * half * AT_ONCE;
  }
  for (let k = steps % AT_ONCE; k; k--, a += 4, b += 2 * half) {
    const x = v128.load32_splat(a);
    s0 = dot(QUADS, x, weights(QUADS, b), s0);
    t0 = dot(QUADS, x, weights(QUADS, b + half), t0);
  }
  s0 = i32x4.add(i32x4.add(s0, s1), i32x4.add(s2, s3));
  t0 = i32x4.add(i32x4.add(t0, t1), i32x4.add(t2, t3));
  finish(1, e, at, y, 0, s0, t0, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero);
}

function pairs1(e: IntegerEpilogue, a: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize): void {
  multiplyRow(false, e, a, steps, b, at, rowSums, y);
}
function pairs2(e: IntegerEpilogue, a: usize, pitch: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize, yStride: usize): void {
  multiply(false, 2, e, a, pitch, steps, b, at, rowSums, y, yStride);
}
function pairs3(e: IntegerEpilogue, a: usize, pitch: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize, yStride: usize): void {
  multiply(false, 3, e, a, pitch, steps, b, at, rowSums, y, yStride);
}
function pairs4(
  e: IntegerEpilogue, a: usize, pitch: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize, yStride: usize, tiles: i32,
): void {
  for (; tiles; tiles--, a += 4 * pitch, y += 4 * yStride) {
    multiply(false, 4, e, a, pitch, steps, b, at, rowSums, y, yStride);
    if (rowSums) rowSums += 16;
  }
}
function quads1(e: IntegerEpilogue, a: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize): void {
  multiplyRow(true, e, a, steps, b, at, rowSums, y);
}
function quads2(e: IntegerEpilogue, a: usize, pitch: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize, yStride: usize): void {
  multiply(true, 2, e, a, pitch, steps, b, at, rowSums, y, yStride);
}
function quads3(e: IntegerEpilogue, a: usize, pitch: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize, yStride: usize): void {
  multiply(true, 3, e, a, pitch, steps, b, at, rowSums, y, yStride);
}
function quads4(e: IntegerEpilogue, a: usize, pitch: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize, yStride: usize): void {
  multiply(true, 4, e, a, pitch, steps, b, at, rowSums, y, yStride);
}
function quads5(e: IntegerEpilogue, a: usize, pitch: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize, yStride: usize): void {
  multiply(true, 5, e, a, pitch, steps, b, at, rowSums, y, yStride);
}
function quads6(
  e: IntegerEpilogue, a: usize, pitch: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize, yStride: usize, tiles: i32,
): void {
  for (; tiles; tiles--, a += 6 * pitch, y += 6 * yStride) {
    multiply(true, 6, e, a, pitch, steps, b, at, rowSums, y, yStride);
    if (rowSums) rowSums += 24;
  }
}
function pairRows(count: i32, e: IntegerEpilogue, a: usize, pitch: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize, yStride: usize): void {
  if (count >= 4) pairs4(e, a, pitch, steps, b, at, rowSums, y, yStride, count >> 2);
  else if (count == 1) pairs1(e, a, steps, b, at, rowSums, y);
  else if (count == 2) pairs2(e, a, pitch, steps, b, at, rowSums, y, yStride);
  else pairs3(e, a, pitch, steps, b, at, rowSums, y, yStride);
}

function quadRows(count: i32, e: IntegerEpilogue, a: usize, pitch: usize, steps: i32, b: usize, at: usize, rowSums: usize, y: usize, yStride: usize): void {
  if (count >= 6) quads6(e, a, pitch, steps, b, at, rowSums, y, yStride, count / 6);
  else if (count == 1) quads1(e, a, steps, b, at, rowSums, y);
  else if (count == 2) quads2(e, a, pitch, steps, b, at, rowSums, y, yStride);
  else if (count == 3) quads3(e, a, pitch, steps, b, at, rowSums, y, yStride);
  else if (count == 4) quads4(e, a, pitch, steps, b, at, rowSums, y, yStride);
  else quads5(e, a, pitch, steps, b, at, rowSums, y, yStride);
}

/** Rows of A, and the destination of the results. */
@unmanaged
export class IntegerRows {
  /** 1: a word of a row is four 8-bit integers; 0: two 16-bit integers. */
  quads: i32 = 0;
  count: i32 = 0;
  a: usize = 0;
  /** Bytes from one row to the next. */
  pitch: usize = 0;
  /** Words in a row. */
  steps: i32 = 0;
  /** Sums of the rows if they are necessary, else 0. */
  rowSums: usize = 0;
  y: usize = 0;
  yStride: usize = 0;
}

/** Computes the results of rows and `columns` columns, whose panels begin at b, `panelBytes` apart; the epilogue has read the columns. */
export function multiplyPanels(e: IntegerEpilogue, rows: IntegerRows, b: usize, panelBytes: usize, columns: i32): void {
  const quads = ASC_FEATURE_RELAXED_SIMD && rows.quads != 0;
  const size: usize = e.result == IntegerResult.Narrow ? 1 : 4;
  const yPanel = size * PANEL;
  let y = rows.y, at = placeOf(0);
  b += PANEL_HEAD;
  const tall = quads ? QUAD_ROWS : PAIR_ROWS;
  for (; columns > 0; columns -= PANEL, b += panelBytes, at += 4 * PANEL, y += yPanel) {
    const ragged = columns < PANEL;
    for (let row = 0, count = 0; row < rows.count; row += count) {
      count = rows.count - row;
      // Results of a partial panel are staged, so that nothing next to them is written.
      if (ragged) count = min(tall, count);
      else if (count > tall) count -= count % tall;
      const a = rows.a + <usize>row * rows.pitch;
      const rowSums = rows.rowSums ? rows.rowSums + (<usize>row << 2) : 0;
      const own = y + <usize>row * rows.yStride;
      const to = ragged ? scratch + RAGGED : own;
      const stride = ragged ? yPanel : rows.yStride;
      if (quads) quadRows(count, e, a, rows.pitch, rows.steps, b, at, rowSums, to, stride);
      else pairRows(count, e, a, rows.pitch, rows.steps, b, at, rowSums, to, stride);
      if (ragged) unstageRows(own, rows.yStride, count, yPanel, <usize>columns * size);
    }
  }
}
