import { splat32, splat64 } from './constants';

// Arguments are reduced to |r| ≤ π/4 in f64 with π/2 in two parts: the first has 25 bits, so its products with n are exact.
const TWO_OVER_PI = memory.data<f64>([0.6366197723675814], 8);
const HALF_PI_HIGH = memory.data<f64>([1.5707963109016418], 8);
const HALF_PI_LOW = memory.data<f64>([1.5893254773528196e-8], 8);
/** Beyond this, the reduction has too few bits; NativeMath then reduces by π in full precision. */
const LARGE = memory.data<f32>([134217728.0], 4);

// sin r = r + r³·s(r²), relative error 3.8e-9; cos r = 1 + r²·c(r²), 6.5e-11.
const S0 = memory.data<f64>([-0.16666654536636055], 8);
const S1 = memory.data<f64>([0.008332156054170006], 8);
const S2 = memory.data<f64>([-0.00019514631938511665], 8);
const C0 = memory.data<f64>([-0.49999999691959585], 8);
const C1 = memory.data<f64>([0.04166662007285517], 8);
const C2 = memory.data<f64>([-0.0013886672665004741], 8);
const C3 = memory.data<f64>([2.438272181195557e-5], 8);
const ONE = memory.data<f64>([1], 8);

@inline
function madd(a: v128, b: v128, c: usize): v128 {
  return f64x2.add(f64x2.mul(a, b), splat64(c));
}

@inline
function reduced(x: v128, n: v128): v128 {
  const high = f64x2.sub(x, f64x2.mul(n, splat64(HALF_PI_HIGH)));
  return f64x2.sub(high, f64x2.mul(n, splat64(HALF_PI_LOW)));
}

@inline
function sine(r: v128, z: v128): v128 {
  const s = madd(madd(splat64(S2), z, S1), z, S0);
  return f64x2.add(r, f64x2.mul(f64x2.mul(r, z), s));
}

@inline
function cosine(z: v128): v128 {
  const c = madd(madd(madd(splat64(C3), z, C2), z, C1), z, C0);
  return madd(c, z, ONE);
}

@inline
function joined(low: v128, high: v128): v128 {
  return v128.shuffle<i64>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 2);
}

/** sin(x + quarter·π/2) */
@inline
function quarterTurned(x: v128, quarter: i32): v128 {
  const low = f64x2.promote_low_f32x4(x);
  const high = f64x2.promote_low_f32x4(v128.shuffle<i64>(x, x, 1, 1));
  const nLow = f64x2.nearest(f64x2.mul(low, splat64(TWO_OVER_PI)));
  const nHigh = f64x2.nearest(f64x2.mul(high, splat64(TWO_OVER_PI)));
  const rLow = reduced(low, nLow);
  const rHigh = reduced(high, nHigh);
  const zLow = f64x2.mul(rLow, rLow);
  const zHigh = f64x2.mul(rHigh, rHigh);
  const integers = v128.shuffle<i64>(i32x4.trunc_sat_f64x2_s_zero(nLow), i32x4.trunc_sat_f64x2_s_zero(nHigh), 0, 2);
  const turns = i32x4.add(integers, i32x4.splat(quarter));
  const odd = i32x4.shr_s(i32x4.shl(turns, 31), 31);
  const y = v128.bitselect(joined(cosine(zLow), cosine(zHigh)), joined(sine(rLow, zLow), sine(rHigh, zHigh)), odd);
  return v128.xor(y, i32x4.shl(i32x4.shr_u(turns, 1), 31));
}

@inline
function anyLarge(x: v128): bool {
  return v128.any_true(f32x4.gt(f32x4.abs(x), splat32(LARGE)));
}

function sinLarge(x: v128): v128 {
  const a = <f32>NativeMath.sin(f32x4.extract_lane(x, 0));
  const b = <f32>NativeMath.sin(f32x4.extract_lane(x, 1));
  const c = <f32>NativeMath.sin(f32x4.extract_lane(x, 2));
  const d = <f32>NativeMath.sin(f32x4.extract_lane(x, 3));
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(a), 1, b), 2, c), 3, d);
}

function cosLarge(x: v128): v128 {
  const a = <f32>NativeMath.cos(f32x4.extract_lane(x, 0));
  const b = <f32>NativeMath.cos(f32x4.extract_lane(x, 1));
  const c = <f32>NativeMath.cos(f32x4.extract_lane(x, 2));
  const d = <f32>NativeMath.cos(f32x4.extract_lane(x, 3));
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(a), 1, b), 2, c), 3, d);
}

/** sin x within 1 ULP for every x, always in −1…1, with the sign of x if x is ±0; ±∞ and NaN give NaN. */
@inline
export function sin(x: v128): v128 {
  const y = anyLarge(x) ? sinLarge(x) : quarterTurned(x, 0);
  return v128.bitselect(x, y, f32x4.eq(x, f32x4.splat(0)));
}

/** cos x within 1 ULP for every x, always in −1…1; ±∞ and NaN give NaN. */
@inline
export function cos(x: v128): v128 {
  return anyLarge(x) ? cosLarge(x) : quarterTurned(x, 1);
}
