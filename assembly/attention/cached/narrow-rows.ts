/**
 * Quantizes the rows of x [rows][size], f32, to y [rows][size + 4] bytes: 8-bit integers round(x / scale), followed by the row's scale
 * (largest magnitude / 127) as an f32; the scale is NaN if a value is ∞ or NaN. `size` is a multiple of 4. A tile is `tileRows` rows.
 */
@unmanaged
export class NarrowRowsParams {
  x: usize = 0;
  y: usize = 0;
  rows: i32 = 0;
  size: i32 = 0;
  tileRows: i32 = 1;
}

export function narrowRows(p: NarrowRowsParams, begin: i32, end: i32): void {
  for (let row = begin * p.tileRows, last = min(end * p.tileRows, p.rows); row < last; row++) {
    narrowRow(p.x + <usize>row * ((<usize>p.size) << 2), p.y + <usize>row * <usize>(p.size + 4), <usize>p.size);
  }
}

function narrowRow(x: usize, y: usize, size: usize): void {
  const most = largest(x, size);
  const scale: f32 = most < <f32>Infinity ? most / 127 : <f32>NaN;
  // The smallest subnormal numbers have an infinite reciprocal: treat them as zero.
  const inverse: f32 = <f32>127 / most;
  const factor = f32x4.splat(inverse < <f32>Infinity ? inverse : 0);
  for (let i: usize = 0; i < size; i += 4) {
    const whole = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(x + (i << 2)), factor)));
    const words = i16x8.narrow_i32x4_s(whole, whole);
    v128.store32_lane(y + i, i8x16.narrow_i16x8_s(words, words), 0);
  }
  store<f32>(y + size, inverse < <f32>Infinity || scale != scale ? scale : 0);
}

/** The largest magnitude; NaN if a value is NaN. */
function largest(x: usize, size: usize): f32 {
  let most = f32x4.splat(0);
  for (let i: usize = 0; i < size; i += 4) most = f32x4.max(most, f32x4.abs(v128.load(x + (i << 2))));
  most = f32x4.max(most, v128.shuffle<i32>(most, most, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.max(most, v128.shuffle<i32>(most, most, 1, 0, 3, 2)), 0);
}
