import { madd } from '../math/madd';
import { ZeroPoints } from './n-bit-params';
import { NBitPanel } from './pack-n-bit';

/** Bytes of a row's sums for a panel; several rows follow one another from the start of the scratch block. */
export const ROW_BYTES: usize = 4 * NBitPanel.Columns;

/** Bytes of a block's zero points in a panel. */
export function bytesOfZeros(kind: i32): usize {
  if (kind == ZeroPoints.Same) return 0;
  return kind == ZeroPoints.Bytes ? <usize>NBitPanel.Columns : ROW_BYTES;
}

/** Negated zero points of four columns of a block, as integers; 0 if they are floats. */
@inline
export function minusZeros(kind: i32, same: i32, zeros: usize, column: usize): v128 {
  if (kind == ZeroPoints.Same) return i32x4.splat(-same);
  if (kind == ZeroPoints.Floats) return i32x4.splat(0);
  return i32x4.neg(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(zeros + column))));
}

/** y + scale · (Σ a·code − zero point · Σ a) of four columns; the difference is in integers unless zero points are floats. */
@inline
export function addBlock(
  kind: i32,
  zeros: usize,
  column: usize,
  y: v128,
  scale: v128,
  dots: v128,
  minus: v128,
  total: v128,
): v128 {
  let x = f32x4.convert_i32x4_s(i32x4.add(dots, i32x4.mul(minus, total)));
  if (kind == ZeroPoints.Floats) {
    x = f32x4.sub(x, f32x4.mul(f32x4.convert_i32x4_s(total), v128.load(zeros + (column << 2))));
  }
  return madd(x, scale, y);
}

/** Adds a block to the sums of a row. */
@inline
export function addToRow(
  kind: i32,
  zeros: usize,
  scales: usize,
  y: usize,
  aScale: usize,
  sum: usize,
  dots0: v128,
  dots1: v128,
  minus0: v128,
  minus1: v128,
): void {
  const scale = v128.load32_splat(aScale), total = v128.load32_splat(sum);
  v128.store(y, addBlock(kind, zeros, 0, v128.load(y), f32x4.mul(scale, v128.load(scales)), dots0, minus0, total));
  v128.store(y, addBlock(kind, zeros, 4, v128.load(y, 16), f32x4.mul(scale, v128.load(scales, 16)), dots1, minus1, total), 16);
}
