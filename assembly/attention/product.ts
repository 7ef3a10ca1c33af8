import { madd } from '../math/madd';

/** Columns of the register tile, and of the panels that its right-hand side is packed in. */
export const PANEL: i32 = 8;

/** Rows of the register tile: with 8 columns as many as V8's 16 vector registers hold without spilling. */
export const ROWS: i32 = ASC_FEATURE_RELAXED_SIMD ? 6 : 5;

/**
 * ROWS × PANEL sums over `depth`: row r of A starts at a + min(r, rows − 1) · rowStride and goes on every `step` bytes, B is
 * one panel. All ROWS rows of y are written, or added to where `accumulate`; those past `rows` hold nothing of use.
 * Strides in bytes.
 */
@inline
export function product(
  a: usize,
  rows: i32,
  rowStride: usize,
  step: usize,
  b: usize,
  depth: i32,
  y: usize,
  yStride: usize,
  accumulate: bool,
): void {
  const last = a + <usize>(rows - 1) * rowStride;
  let a0 = a, a1 = min(a0 + rowStride, last), a2 = min(a1 + rowStride, last), a3 = min(a2 + rowStride, last);
  let a4 = min(a3 + rowStride, last), a5 = min(a4 + rowStride, last);
  let s00 = f32x4.splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00;
  let s30 = s00, s31 = s00, s40 = s00, s41 = s00, s50 = s00, s51 = s00;
  for (let k = depth; k; k--) {
    const b0 = v128.load(b), b1 = v128.load(b, 16);
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
    x = v128.load32_splat(a4);
    s40 = madd(x, b0, s40);
    s41 = madd(x, b1, s41);
    if (ROWS > 5) {
      x = v128.load32_splat(a5);
      s50 = madd(x, b0, s50);
      s51 = madd(x, b1, s51);
      a5 += step;
    }
    a0 += step;
    a1 += step;
    a2 += step;
    a3 += step;
    a4 += step;
    b += PANEL << 2;
  }
  write(y, s00, s01, accumulate);
  write((y += yStride), s10, s11, accumulate);
  write((y += yStride), s20, s21, accumulate);
  write((y += yStride), s30, s31, accumulate);
  write((y += yStride), s40, s41, accumulate);
  if (ROWS > 5) write(y + yStride, s50, s51, accumulate);
}

@inline
function write(y: usize, s0: v128, s1: v128, accumulate: bool): void {
  v128.store(y, accumulate ? f32x4.add(s0, v128.load(y)) : s0);
  v128.store(y, accumulate ? f32x4.add(s1, v128.load(y, 16)) : s1, 16);
}
