import { clamp } from './clamp';
import { erf } from './erf';
import { madd } from './madd';
import { sigmoid } from './sigmoid';
import { tanh } from './tanh';

/** x where x ≥ 0, alpha·x elsewhere. */
@inline
export function leakyRelu(x: v128, alpha: f32): v128 {
  return v128.bitselect(f32x4.mul(x, f32x4.splat(alpha)), x, f32x4.lt(x, f32x4.splat(0)));
}

/** x·sigmoid(x) within 4 ULP. */
@inline
export function silu(x: v128): v128 {
  return f32x4.mul(x, sigmoid(x));
}

/** alpha·x + beta limited to 0…1. */
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
  const half = f32x4.mul(x, f32x4.splat(0.5));
  return madd(half, erf(f32x4.mul(x, f32x4.splat(<f32>Math.SQRT1_2))), half);
}

/** x·Φ(x) by the tanh formula; absolute error against that formula below 5e-7·max(1, |x|). */
@inline
export function geluTanh(x: v128): v128 {
  const cubic = madd(f32x4.mul(f32x4.mul(x, x), f32x4.splat(0.044715)), x, x);
  const half = f32x4.mul(x, f32x4.splat(0.5));
  return madd(half, tanh(f32x4.mul(cubic, f32x4.splat(0.7978845608))), half);
}
