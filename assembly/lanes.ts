/** Loads the first `lanes` (1 to 4) floats at `address` and reads no others; the other lanes are 0. */
@inline
export function loadLanes(address: usize, lanes: i32): v128 {
  if (lanes >= 4) return v128.load(address);
  if (lanes == 1) return v128.load32_zero(address);
  const low = v128.load64_zero(address);
  return lanes == 2 ? low : v128.load_lane<f32>(address, low, 2, 8);
}

/** Writes the first `lanes` (1 to 4) lanes of `v` to `address`, and no more. */
@inline
export function storeLanes(address: usize, v: v128, lanes: i32): void {
  if (lanes >= 4) v128.store(address, v);
  else if (lanes == 1) v128.store_lane<f32>(address, v, 0);
  else {
    v128.store_lane<i64>(address, v, 0);
    if (lanes == 3) v128.store_lane<f32>(address, v, 2, 8);
  }
}
