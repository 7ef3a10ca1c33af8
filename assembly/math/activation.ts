import { clamp } from './clamp';
import { HALF, ONE, splat32 } from './constants';
import { erf } from './erf';
import { expNonPositive, expm1NonPositive } from './exp';
import { log } from './log';
import { madd } from './madd';
import { sigmoid } from './sigmoid';
import { tanh } from './tanh';

const SQRT_HALF = memory.data<f32>([0.7071067811865476], 4);
// GELU's tanh formula: tanh(√(2/π)·(x + CUBIC·x³))
const CUBIC = memory.data<f32>([0.044715], 4);
const SQRT_2_OVER_PI = memory.data<f32>([0.7978845608], 4);

/** x for x ≥ 0, else alpha·x. */
@inline
export function leakyRelu(x: v128, alpha: f32): v128 {
  return v128.bitselect(f32x4.mul(x, f32x4.splat(alpha)), x, f32x4.lt(x, f32x4.splat(0)));
}

/** x·sigmoid(x) within 4 ULP. */
@inline
export function silu(x: v128): v128 {
  return f32x4.mul(x, sigmoid(x));
}

/** alpha·x + beta, clamped to 0…1. */
@inline
export function hardSigmoid(x: v128, alpha: f32, beta: f32): v128 {
  return clamp(f32x4.add(f32x4.mul(x, f32x4.splat(alpha)), f32x4.splat(beta)), 0, 1);
}

@inline
export function hardSwish(x: v128): v128 {
  return f32x4.mul(x, hardSigmoid(x, <f32>(1.0 / 6.0), 0.5));
}

/** x·Φ(x) with the exact normal distribution function; absolute error below 5e-7·max(1, |x|). */
@inline
export function geluErf(x: v128): v128 {
  const half = f32x4.mul(x, splat32(HALF));
  return f32x4.mul(half, f32x4.add(erf(f32x4.mul(x, splat32(SQRT_HALF))), splat32(ONE)));
}

/** x·Φ(x) by the tanh formula; absolute error against that formula below 5e-7·max(1, |x|). */
@inline
export function geluTanh(x: v128): v128 {
  const cubic = madd(f32x4.mul(f32x4.mul(x, x), splat32(CUBIC)), x, x);
  const half = f32x4.mul(x, splat32(HALF));
  return f32x4.mul(half, f32x4.add(tanh(f32x4.mul(cubic, splat32(SQRT_2_OVER_PI))), splat32(ONE)));
}

/** ln(1 + e^x) within 4 ULP: max(x, 0) + ln(1 + e^−|x|). */
@inline
export function softplus(x: v128): v128 {
  const one = splat32(ONE);
  const e = expNonPositive(f32x4.neg(f32x4.abs(x)));
  // ln(1+e) = ln u · e/(u−1) with u = fl(1+e) compensates the rounding of u.
  const u = f32x4.add(one, e);
  const repaired = f32x4.div(f32x4.mul(log(u), e), f32x4.sub(u, one));
  const log1p = v128.bitselect(e, repaired, f32x4.eq(u, one));
  return f32x4.add(f32x4.pmax(x, f32x4.splat(0)), log1p);
}

/** x·tanh(softplus(x)) as one quotient in e^−|x|, within 6 ULP. */
@inline
export function mish(x: v128): v128 {
  const negative = f32x4.lt(x, f32x4.splat(0));
  const two = f32x4.splat(2);
  const e = expNonPositive(f32x4.neg(f32x4.abs(x)));
  const square = f32x4.mul(e, e);
  const numerator = f32x4.add(f32x4.mul(two, e), v128.bitselect(square, splat32(ONE), negative));
  const rest = v128.bitselect(two, f32x4.mul(two, square), negative);
  return f32x4.mul(x, f32x4.div(numerator, f32x4.add(numerator, rest)));
}

/** x ≥ 0 ? x : alpha·(e^x − 1) */
@inline
export function elu(x: v128, alpha: f32): v128 {
  const below = f32x4.mul(expm1NonPositive(f32x4.pmin(x, f32x4.splat(0))), f32x4.splat(alpha));
  return v128.bitselect(x, below, f32x4.ge(x, f32x4.splat(0)));
}

/** beta·(x > 0 ? x : alpha·(e^x − 1)) */
@inline
export function selu(x: v128, alpha: f32, beta: f32): v128 {
  const below = f32x4.mul(expm1NonPositive(f32x4.pmin(x, f32x4.splat(0))), f32x4.splat(alpha));
  return f32x4.mul(v128.bitselect(x, below, f32x4.gt(x, f32x4.splat(0))), f32x4.splat(beta));
}

/** x > 0 ? x : alpha·(e^(x/alpha) − 1) */
@inline
export function celu(x: v128, alpha: f32): v128 {
  const scaled = f32x4.div(f32x4.pmin(x, f32x4.splat(0)), f32x4.splat(alpha));
  const below = f32x4.mul(expm1NonPositive(scaled), f32x4.splat(alpha));
  return v128.bitselect(x, below, f32x4.gt(x, f32x4.splat(0)));
}
