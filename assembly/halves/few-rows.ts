import { Activation, activateRun, Epilogue } from '../epilogue';
import { splat32 } from '../math/constants';
import { madd } from '../math/madd';
import { Block, highest, lowest, place, theOutput } from '../matmul/block';
import { AT_ONCE, joined, Output, PANEL, splat } from '../matmul/microkernel';
import { scratch } from '../program';
import { lower, ROW_BYTES, SIGN_AND_MAGNITUDE, TWO_102, upper } from './widen';

/** Up to this many rows, float16 weights are widened in registers. */
export const enum FewRows {
  Most = 4,
}

/** Scratch after the block: addresses of FewRows.Most rows, and sums of each row by a panel. */
const ROWS: usize = 1024;
const SUMS: usize = ROWS + 4 * 4;
const SUMS_BYTES: usize = 4 * PANEL;
const ALL_SUMS: usize = 4 * SUMS_BYTES;

/** Multiplies a block of few rows with float16 weights. */
export function multiplyFew(block: Block, e: Epilogue): void {
  const out = theOutput(lowest(e), highest(e));
  const panelBytes = <usize>block.depth * ROW_BYTES;
  const isSmall = block.isRow && staysFinite(block);
  for (let row = 0; row < FewRows.Most; row++) {
    store<usize>(scratch + ROWS + ((<usize>row) << 2), load<usize>(block.rows + ((<usize>min(row, block.count - 1)) << 2)));
  }
  let b = block.b;
  for (let column = 0; column < block.columns; column += PANEL, b += panelBytes) {
    place(out, block, column, 0);
    multiplyPanel(block, isSmall, b, out, min(PANEL, block.columns - column));
  }
  if (e.activation <= Activation.Clip) return;
  for (let row = 0, y = block.y; row < block.count; row++, y += block.yStride) {
    activateRun(y, block.columns, e.activation, e.alpha, e.beta);
  }
}

/** Whether a row's values may be multiplied by 2^102 without overflow. */
function staysFinite(block: Block): bool {
  let largest: f32 = 0;
  for (let k = block.depth, a = load<usize>(block.rows); k; k--, a += block.step) {
    const x = abs(load<f32>(a));
    if (x > largest) largest = x;
  }
  return largest < 67108864;
}

/** Adds products to the sums like multiplyRow, with float16 weights. `IS_SMALL`: the row's values may be multiplied by 2^102. */
@inline
function addRow(IS_SMALL: bool, a: usize, depth: i32, b: usize, sums: usize): void {
  const mask = splat32(SIGN_AND_MAGNITUDE), scale = splat32(TWO_102), zero = f32x4.splat(0);
  let s0 = v128.load(sums), s1 = zero, s2 = zero, s3 = zero;
  let t0 = v128.load(sums, 16), t1 = zero, t2 = zero, t3 = zero;
  for (let k = depth / AT_ONCE; k; k--) {
    if (AT_ONCE == 4) {
      const x = IS_SMALL ? f32x4.mul(v128.load(a), scale) : v128.load(a);
      let words = v128.load(b);
      s0 = madd(splat(x, 0), wide(IS_SMALL, lower(words, mask), scale), s0);
      t0 = madd(splat(x, 0), wide(IS_SMALL, upper(words, mask), scale), t0);
      words = v128.load(b, 16);
      s1 = madd(splat(x, 1), wide(IS_SMALL, lower(words, mask), scale), s1);
      t1 = madd(splat(x, 1), wide(IS_SMALL, upper(words, mask), scale), t1);
      words = v128.load(b, 32);
      s2 = madd(splat(x, 2), wide(IS_SMALL, lower(words, mask), scale), s2);
      t2 = madd(splat(x, 2), wide(IS_SMALL, upper(words, mask), scale), t2);
      words = v128.load(b, 48);
      s3 = madd(splat(x, 3), wide(IS_SMALL, lower(words, mask), scale), s3);
      t3 = madd(splat(x, 3), wide(IS_SMALL, upper(words, mask), scale), t3);
    } else {
      let x = IS_SMALL ? f32x4.mul(v128.load32_splat(a), scale) : v128.load32_splat(a);
      let words = v128.load(b);
      s0 = madd(x, wide(IS_SMALL, lower(words, mask), scale), s0);
      t0 = madd(x, wide(IS_SMALL, upper(words, mask), scale), t0);
      x = IS_SMALL ? f32x4.mul(v128.load32_splat(a, 4), scale) : v128.load32_splat(a, 4);
      words = v128.load(b, 16);
      s1 = madd(x, wide(IS_SMALL, lower(words, mask), scale), s1);
      t1 = madd(x, wide(IS_SMALL, upper(words, mask), scale), t1);
    }
    a += 4 * AT_ONCE;
    b += ROW_BYTES * AT_ONCE;
  }
  for (let k = depth % AT_ONCE; k; k--, a += 4, b += ROW_BYTES) {
    const x = v128.load32_splat(a), words = v128.load(b);
    s0 = madd(x, f32x4.mul(lower(words, mask), scale), s0);
    t0 = madd(x, f32x4.mul(upper(words, mask), scale), t0);
  }
  v128.store(sums, joined(s0, s1, s2, s3));
  v128.store(sums, joined(t0, t1, t2, t3), 16);
}

/** Float16 weights times 2^-102 if the row is multiplied by 2^102 instead; else their values. */
@inline
function wide(IS_SMALL: bool, halves: v128, scale: v128): v128 {
  return IS_SMALL ? halves : f32x4.mul(halves, scale);
}

/** Exported for the same reason as multiplyRow. */
export function addSmallRow(a: usize, depth: i32, b: usize, sums: usize): void {
  addRow(true, a, depth, b, sums);
}

function addLargeRow(a: usize, depth: i32, b: usize, sums: usize): void {
  addRow(false, a, depth, b, sums);
}

/** Multiplies rows with a panel and stores the first `columns` columns. */
function multiplyPanel(block: Block, isSmall: bool, b: usize, out: Output, columns: i32): void {
  const bytes = (<usize>columns) << 2;
  memory.fill(scratch + SUMS, 0, ALL_SUMS);
  for (let row = 0, at = scratch + SUMS; row < block.count; row++, at += SUMS_BYTES) {
    const residual = out.residual + <usize>row * out.residualStride;
    for (let i: usize = 0; i < bytes; i += 4) {
      const bias: f32 = out.bias ? load<f32>(out.bias + i) : 0;
      store<f32>(at + i, out.residual ? bias + load<f32>(residual + i) : bias);
    }
  }
  if (isSmall) addSmallRow(load<usize>(block.rows), block.depth, b, scratch + SUMS);
  else if (block.isRow) addLargeRow(load<usize>(block.rows), block.depth, b, scratch + SUMS);
  else multiplyFour(block.depth, block.step, b);
  const low = f32x4.splat(out.low), high = f32x4.splat(out.high);
  for (let row = 0, at = scratch + SUMS; row < block.count; row++, at += SUMS_BYTES) {
    v128.store(at, f32x4.pmin(f32x4.pmax(v128.load(at), low), high));
    v128.store(at, f32x4.pmin(f32x4.pmax(v128.load(at, 16), low), high), 16);
    memory.copy(out.y + <usize>row * out.yStride, at, bytes);
  }
}

/** Adds the products of four rows with a panel to the sums. */
function multiplyFour(depth: i32, step: usize, b: usize): void {
  const mask = splat32(SIGN_AND_MAGNITUDE), scale = splat32(TWO_102);
  const sums = scratch + SUMS;
  let a0 = load<usize>(scratch, ROWS), a1 = load<usize>(scratch, ROWS + 4);
  let a2 = load<usize>(scratch, ROWS + 8), a3 = load<usize>(scratch, ROWS + 12);
  let s00 = v128.load(sums), s01 = v128.load(sums, 16), s10 = v128.load(sums, 32), s11 = v128.load(sums, 48);
  let s20 = v128.load(sums, 64), s21 = v128.load(sums, 80), s30 = v128.load(sums, 96), s31 = v128.load(sums, 112);
  for (let k = depth; k; k--) {
    const words = v128.load(b);
    const b0 = f32x4.mul(lower(words, mask), scale), b1 = f32x4.mul(upper(words, mask), scale);
    let x = v128.load32_splat(a0);
    s00 = madd(x, b0, s00);
    s01 = madd(x, b1, s01);
    x = v128.load32_splat(a1);
    s10 = madd(x, b0, s10);
    s11 = madd(x, b1, s11);
    x = v128.load32_splat(a2);
    s20 = madd(x, b0, s20);
    s21 = madd(x, b1, s21);
    x = v128.load32_splat(a3);
    s30 = madd(x, b0, s30);
    s31 = madd(x, b1, s31);
    a0 += step;
    a1 += step;
    a2 += step;
    a3 += step;
    b += ROW_BYTES;
  }
  v128.store(sums, s00);
  v128.store(sums, s01, 16);
  v128.store(sums, s10, 32);
  v128.store(sums, s11, 48);
  v128.store(sums, s20, 64);
  v128.store(sums, s21, 80);
  v128.store(sums, s30, 96);
  v128.store(sums, s31, 112);
}
