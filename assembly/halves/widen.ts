import { splat32 } from '../math/constants';

// Panels of float16 hold each row of 8 columns in 16 bytes: four words, with column i in the lower half and column i + 4 in the upper. They
// are stored times 2^10, so that all but 0 are normal numbers as float16: engines take a hundred cycles to multiply a denormal. To widen
// one, move it to its position in an f32 and multiply by 2^(112 − 10).

/** Bytes in a row of a panel. */
export const ROW_BYTES: usize = 16;

/** Float16 values from here on (64 and more, infinities and NaN) cannot be stored in a panel. */
export const LEAST_UNFIT: u32 = 0x5400;

export const SIGN_AND_MAGNITUDE = memory.data<u32>([0x8fffe000], 4);
export const TWO_102 = memory.data<u32>([0x72800000], 4);

/** The upper halves of four words, times 2^-102. */
@inline
export function upper(words: v128, mask: v128): v128 {
  return v128.and(i32x4.shr_s(words, 3), mask);
}

/** The lower halves of four words. */
@inline
export function lower(words: v128, mask: v128): v128 {
  return upper(i32x4.shl(words, 16), mask);
}

/** Widens rows of 8 columns from float16 to floats. */
export function widenRows(to: usize, from: usize, rows: usize): void {
  const mask = splat32(SIGN_AND_MAGNITUDE), scale = splat32(TWO_102);
  for (const end = from + (rows << 4); from < end; from += 16, to += 32) {
    const words = v128.load(from);
    v128.store(to, f32x4.mul(lower(words, mask), scale));
    v128.store(to, f32x4.mul(upper(words, mask), scale), 16);
  }
}

/** Rows in a tile of `widenHalves`. */
export const enum WideningTile {
  Rows = 8192,
}

/** Widens panels from `packHalves` to panels of floats. A tile is WideningTile.Rows rows of 8 columns. */
@unmanaged
export class WidenHalvesParams {
  halves: usize = 0;
  floats: usize = 0;
  rows: u32 = 0;
}

export function widenHalves(p: WidenHalvesParams, begin: i32, end: i32): void {
  const first = <u32>begin * WideningTile.Rows;
  const last = min(<u32>end * WideningTile.Rows, p.rows);
  widenRows(p.floats + ((<usize>first) << 5), p.halves + ((<usize>first) << 4), last - first);
}
