import { Activation, activateRun, Epilogue } from '../epilogue';
import { splat32 } from '../math/constants';
import { madd } from '../math/madd';
import { Block, highest, lowest, place, theOutput } from '../matmul/block';
import { finishWide, Output, PANEL } from '../matmul/microkernel';
import { scratch } from '../program';
import { lower, ROW_BYTES, SIGN_AND_MAGNITUDE, TWO_102, upper } from './widen';

/** Rows for which halves are widened in registers. */
export const enum FewRows {
  Most = 4,
}
/** Columns by which one row is multiplied at once. */
const WIDE: i32 = 4 * PANEL;

/** Scratch behind the block: addresses of FewRows.Most rows, and sums of each by a panel. */
const ROWS: usize = 1024;
const SUMS: usize = ROWS + 4 * 4;
const SUMS_BYTES: usize = 4 * PANEL;
const ALL_SUMS: usize = 4 * SUMS_BYTES;

/** A block of few rows by halves. */
export function multiplyFew(block: Block, e: Epilogue): void {
  const out = theOutput(lowest(e), highest(e));
  const panelBytes = <usize>block.depth * ROW_BYTES;
  const whole = block.count == 1 ? block.columns & -WIDE : 0;
  const isSmall = whole > 0 && staysFinite(block);
  for (let row = 0; row < FewRows.Most; row++) {
    store<usize>(scratch + ROWS + ((<usize>row) << 2), load<usize>(block.rows + ((<usize>min(row, block.count - 1)) << 2)));
  }
  let b = block.b;
  let column = 0;
  for (; column < whole; column += WIDE, b += 4 * panelBytes) {
    place(out, block, column, 0);
    if (isSmall) multiplyHalves(load<usize>(block.rows), block.depth, block.step, b, panelBytes, out.y);
    else multiplySingly(block, b, panelBytes, out.y);
    finishWide(out);
  }
  for (; column < block.columns; column += PANEL, b += panelBytes) {
    place(out, block, column, 0);
    multiplyPanel(block, b, out, min(PANEL, block.columns - column));
  }
  if (e.activation <= Activation.Clip) return;
  for (let row = 0, y = block.y; row < block.count; row++, y += block.yStride) {
    activateRun(y, block.columns, e.activation, e.alpha, e.beta);
  }
}

/** Whether a row's values may be multiplied by 2^102. */
function staysFinite(block: Block): bool {
  let largest: f32 = 0;
  for (let k = block.depth, a = load<usize>(block.rows); k; k--, a += block.step) {
    const x = abs(load<f32>(a));
    if (x > largest) largest = x;
  }
  return largest < 67108864;
}

/** As multiplyWide, of halves, if the row stays finite; exported for the same reason. */
export function multiplyHalves(a: usize, depth: i32, step: usize, b0: usize, pitch: usize, y: usize): void {
  const mask = splat32(SIGN_AND_MAGNITUDE), scale = splat32(TWO_102);
  let b1 = b0 + pitch, b2 = b1 + pitch, b3 = b2 + pitch;
  let s00 = f32x4.splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00;
  for (let k = depth; k; k--) {
    const x = f32x4.mul(v128.load32_splat(a), scale);
    let words = v128.load(b0);
    s00 = madd(x, lower(words, mask), s00);
    s01 = madd(x, upper(words, mask), s01);
    words = v128.load(b1);
    s10 = madd(x, lower(words, mask), s10);
    s11 = madd(x, upper(words, mask), s11);
    words = v128.load(b2);
    s20 = madd(x, lower(words, mask), s20);
    s21 = madd(x, upper(words, mask), s21);
    words = v128.load(b3);
    s30 = madd(x, lower(words, mask), s30);
    s31 = madd(x, upper(words, mask), s31);
    a += step;
    b0 += ROW_BYTES;
    b1 += ROW_BYTES;
    b2 += ROW_BYTES;
    b3 += ROW_BYTES;
  }
  v128.store(y, s00);
  v128.store(y, s01, 16);
  v128.store(y, s10, 32);
  v128.store(y, s11, 48);
  v128.store(y, s20, 64);
  v128.store(y, s21, 80);
  v128.store(y, s30, 96);
  v128.store(y, s31, 112);
}

/** As multiplyWide, of values of any size. */
function multiplySingly(block: Block, b: usize, pitch: usize, y: usize): void {
  for (let panel = 0; panel < 4; panel++, b += pitch, y += SUMS_BYTES) {
    memory.fill(scratch + SUMS, 0, ALL_SUMS);
    multiplyFour(block.depth, block.step, b);
    memory.copy(y, scratch + SUMS, SUMS_BYTES);
  }
}

/** Rows by a panel, of which `columns` are wanted. */
function multiplyPanel(block: Block, b: usize, out: Output, columns: i32): void {
  const bytes = (<usize>columns) << 2;
  memory.fill(scratch + SUMS, 0, ALL_SUMS);
  for (let row = 0, at = scratch + SUMS; row < block.count; row++, at += SUMS_BYTES) {
    const residual = out.residual + <usize>row * out.residualStride;
    for (let i: usize = 0; i < bytes; i += 4) {
      const bias: f32 = out.bias ? load<f32>(out.bias + i) : 0;
      store<f32>(at + i, out.residual ? bias + load<f32>(residual + i) : bias);
    }
  }
  multiplyFour(block.depth, block.step, b);
  const low = f32x4.splat(out.low), high = f32x4.splat(out.high);
  for (let row = 0, at = scratch + SUMS; row < block.count; row++, at += SUMS_BYTES) {
    v128.store(at, f32x4.pmin(f32x4.pmax(v128.load(at), low), high));
    v128.store(at, f32x4.pmin(f32x4.pmax(v128.load(at, 16), low), high), 16);
    memory.copy(out.y + <usize>row * out.yStride, at, bytes);
  }
}

/** Adds the products of four rows by a panel to the sums. */
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
