import { BIAS, MINUS_ONE, splat32, splat64 } from './constants';
import { madd } from './madd';

// log₂(1+f) = f·(L0 + L1·f + L2·f² + f³·l(f)) on √½−1 ≤ f ≤ √2−1, relative error 1.8e-9; L0, L1, L2 in f64.
const L0 = memory.data<f64>([1.4426950408889634], 8);
const L1 = memory.data<f64>([-0.7213475204444817], 8);
const L2 = memory.data<f64>([0.4808983469629878], 8);
const L3 = memory.data<f32>([-0.3606736958026886], 4);
const L4 = memory.data<f32>([0.2885529100894928], 4);
const L5 = memory.data<f32>([-0.24047112464904785], 4);
const L6 = memory.data<f32>([0.20544002950191498], 4);
const L7 = memory.data<f32>([-0.1790616810321808], 4);
const L8 = memory.data<f32>([0.16961267590522766], 4);
const L9 = memory.data<f32>([-0.16739103198051453], 4);
const L10 = memory.data<f32>([0.1001267284154892], 4);

// 2^r = 1 + E1·r + r²·e(r) on |r| ≤ ½, relative error 1.9e-9.
const E1 = memory.data<f64>([0.6931471824645996], 8);
const E2 = memory.data<f32>([0.24022650718688965], 4);
const E3 = memory.data<f32>([0.055503278970718384], 4);
const E4 = memory.data<f32>([0.009618003852665424], 4);
const E5 = memory.data<f32>([0.0013400234747678041], 4);
const E6 = memory.data<f32>([0.00015476279077120125], 4);

const SQRT_HALF_BITS = memory.data<i32>([0x3f3504f3], 4);
/** 1.5·2⁵²: adding it rounds to an integer, which is then in the low bits. */
const ROUND = memory.data<f64>([6755399441055744], 8);
const LOWEST = memory.data<f64>([-160], 8);
const HIGHEST = memory.data<f64>([140], 8);
/** Results with exponents up to this are certainly normal numbers. */
const NEAR = memory.data<i32>([125], 4);
/** For exponents from here on, the product may exceed the range of i32. */
const LARGE = memory.data<f32>([8388608], 4);
const SMALLEST = memory.data<f32>([1.17549435e-38], 4);
const INFINITE = memory.data<f32>([Infinity], 4);
const UNIT = memory.data<f64>([1], 8);

/** c0 + c1·x. Polynomials use Estrin's scheme because the longest dependency chain limits this function's speed. */
@inline
function pair(x: v128, c0: usize, c1: usize): v128 {
  return madd(x, splat32(c1), splat32(c0));
}

/** n in x = 2^n·(1+f) with √½ ≤ 1+f < √2, for normal positive x. */
@inline
function binade(x: v128): v128 {
  return i32x4.shr_s(i32x4.sub(x, splat32(SQRT_HALF_BITS)), 23);
}

/** l(f) */
@inline
function logarithmTail(f: v128): v128 {
  const f2 = f32x4.mul(f, f);
  const high = madd(f2, pair(f, L9, L10), pair(f, L7, L8));
  return madd(f32x4.mul(f2, f2), high, madd(f2, pair(f, L5, L6), pair(f, L3, L4)));
}

@inline
function upper(x: v128): v128 {
  return v128.shuffle<i32>(x, x, 2, 3, 2, 3);
}

/** y·(n + log₂(1+f)) of the lower two lanes in f64, so that large products are as accurate as small ones. */
@inline
function exponent(n: v128, f: v128, tail: v128, y: v128): v128 {
  const g = f64x2.promote_low_f32x4(f);
  const near = f64x2.add(splat64(L0), f64x2.mul(g, splat64(L1)));
  const far = f64x2.mul(f64x2.mul(g, g), f64x2.add(splat64(L2), f64x2.mul(g, f64x2.promote_low_f32x4(tail))));
  const logarithm = f64x2.add(f64x2.convert_low_i32x4_s(n), f64x2.mul(g, f64x2.add(near, far)));
  return f64x2.mul(f64x2.promote_low_f32x4(y), logarithm);
}

/** t minus its nearest integer. */
@inline
function rest(t: v128): v128 {
  return f64x2.sub(t, f64x2.sub(f64x2.add(t, splat64(ROUND)), splat64(ROUND)));
}

/** The integers nearest to the four exponents. */
@inline
function integers(low: v128, high: v128): v128 {
  return v128.shuffle<i32>(f64x2.add(low, splat64(ROUND)), f64x2.add(high, splat64(ROUND)), 0, 2, 4, 6);
}

@inline
function demoted(low: v128, high: v128): v128 {
  return v128.shuffle<i32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

/** 1 + E1·r + tail */
@inline
function fraction(r: v128, tail: v128): v128 {
  return f64x2.add(f64x2.add(splat64(UNIT), f64x2.mul(r, splat64(E1))), f64x2.promote_low_f32x4(tail));
}

/** 2 to the power of the exponents' fractions, rounded once. */
@inline
function fractions(low: v128, high: v128): v128 {
  const lowRest = rest(low), highRest = rest(high);
  const r = demoted(lowRest, highRest);
  const r2 = f32x4.mul(r, r);
  const e = madd(f32x4.mul(r2, r2), splat32(E6), madd(r2, pair(r, E4, E5), pair(r, E2, E3)));
  const tail = f32x4.mul(r2, e);
  return demoted(fraction(lowRest, tail), fraction(highRest, upper(tail)));
}

/** Exponents clamped to a range whose ends give 0 and ∞; NaN stays. */
@inline
function limited(t: v128): v128 {
  return f64x2.pmin(f64x2.pmax(t, splat64(LOWEST)), splat64(HIGHEST));
}

/** |x|^y for finite x other than 0. */
@inline
function power(size: v128, y: v128): v128 {
  const denormal = f32x4.lt(size, splat32(SMALLEST));
  const x = v128.bitselect(f32x4.mul(size, f32x4.splat(8388608.0)), size, denormal);
  const e = binade(x);
  const f = f32x4.add(i32x4.sub(x, i32x4.shl(e, 23)), splat32(MINUS_ONE));
  const n = i32x4.sub(e, v128.and(denormal, i32x4.splat(23)));
  const tail = logarithmTail(f);
  const low = limited(exponent(n, f, tail, y)), high = limited(exponent(upper(n), upper(f), upper(tail), upper(y)));
  // Two factors: the result may be denormal or overflow even if 2^k is out of range.
  const k = integers(low, high);
  const half = i32x4.shr_s(k, 1);
  const first = i32x4.shl(i32x4.add(half, splat32(BIAS)), 23);
  const second = i32x4.shl(i32x4.add(i32x4.sub(k, half), splat32(BIAS)), 23);
  return f32x4.mul(f32x4.mul(fractions(low, high), first), second);
}

/** x^y for any x and y, like C's pow. */
function anyPower(x: v128, y: v128): v128 {
  const zero = f32x4.splat(0), one = f32x4.splat(1), infinity = splat32(INFINITE);
  const size = f32x4.abs(x);
  let z = power(size, y);
  const falls = f32x4.lt(y, zero);
  z = v128.bitselect(v128.and(falls, infinity), z, f32x4.eq(x, zero));
  z = v128.bitselect(v128.andnot(infinity, falls), z, f32x4.eq(size, infinity));
  const half = f32x4.mul(y, f32x4.splat(0.5));
  const whole = f32x4.eq(f32x4.floor(y), y);
  const odd = v128.andnot(whole, f32x4.eq(f32x4.floor(half), half));
  z = v128.xor(z, v128.and(v128.and(odd, x), f32x4.splat(-0.0)));
  const imaginary = v128.andnot(v128.and(f32x4.lt(x, zero), f32x4.lt(size, infinity)), whole);
  z = v128.or(z, v128.or(imaginary, v128.or(f32x4.ne(x, x), f32x4.ne(y, y))));
  const unit = v128.and(f32x4.eq(size, one), f32x4.eq(f32x4.abs(y), infinity));
  return v128.bitselect(one, z, v128.or(unit, v128.or(f32x4.eq(x, one), f32x4.eq(y, zero))));
}

/** x^y within 1 ULP between 2⁻¹⁶ and 2¹⁶, 3 ULP beyond, including denormal results; special values as in C. */
@inline
export function pow(x: v128, y: v128): v128 {
  const normal = v128.and(f32x4.ge(x, splat32(SMALLEST)), f32x4.lt(x, splat32(INFINITE)));
  if (!i32x4.all_true(v128.and(normal, f32x4.lt(f32x4.abs(y), splat32(LARGE))))) return anyPower(x, y);
  const n = binade(x);
  const f = f32x4.add(i32x4.sub(x, i32x4.shl(n, 23)), splat32(MINUS_ONE));
  const tail = logarithmTail(f);
  const low = exponent(n, f, tail, y), high = exponent(upper(n), upper(f), upper(tail), upper(y));
  const k = integers(low, high);
  if (v128.any_true(i32x4.gt_s(i32x4.abs(k), splat32(NEAR)))) return anyPower(x, y);
  return i32x4.add(fractions(low, high), i32x4.shl(k, 23));
}
