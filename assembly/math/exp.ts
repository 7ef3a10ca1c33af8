import { atLeast, atMost } from './clamp';
import { BIAS, ONE, splat32 } from './constants';
import { horner, madd } from './madd';

const LOG2_E = memory.data<f32>([1.44269504], 4);
// −ln 2 in two parts; products of the first with |n| ≤ 256 are exact.
const MINUS_LN2_HIGH = memory.data<f32>([-0.693359375], 4);
const MINUS_LN2_LOW = memory.data<f32>([2.12194440e-4], 4);
/** 1.5·2²³: adding it rounds to an integer, which is then in the low bits. */
const ROUND = memory.data<f32>([12582912.0], 4);

// e^r = 1 + r + r²·p(r) on |r| ≤ ln 2 / 2, relative error 3.1e-9.
const C2 = memory.data<f32>([0.4999999403953552], 4);
const C3 = memory.data<f32>([0.1666652113199234], 4);
const C4 = memory.data<f32>([0.04166838899254799], 4);
const C5 = memory.data<f32>([0.00836874544620514], 4);
const C6 = memory.data<f32>([0.0013814539415761828], 4);

// Arguments are clamped to where results are 0 or ∞, below 2⁻¹²⁶, or e^x − 1 is −1.
const LOWEST = memory.data<f32>([-104], 4);
const HIGHEST = memory.data<f32>([89], 4);
const LOWEST_NORMAL = memory.data<f32>([-88], 4);
const UNDERFLOW = memory.data<f32>([-87.33654], 4);
const LOWEST_EXPM1 = memory.data<f32>([-30], 4);

@inline
function reduced(x: v128, n: v128): v128 {
  return madd(n, splat32(MINUS_LN2_LOW), madd(n, splat32(MINUS_LN2_HIGH), x));
}

@inline
function polynomial(r: v128): v128 {
  let p = horner(splat32(C6), r, C5);
  p = horner(p, r, C4);
  p = horner(p, r, C3);
  p = horner(p, r, C2);
  p = horner(p, r, ONE);
  return horner(p, r, ONE);
}

/** e^x within 1.5 ULP, including denormal results; 0 below −104, ∞ above 88.73, NaN stays. */
@inline
export function exp(x: v128): v128 {
  const limited = atMost(atLeast(x, splat32(LOWEST)), splat32(HIGHEST));
  const shifted = madd(limited, splat32(LOG2_E), splat32(ROUND));
  const n = f32x4.sub(shifted, splat32(ROUND));
  const e = i32x4.sub(shifted, splat32(ROUND));
  // Two factors 2^(n/2): the result may be denormal or overflow even if 2^n is out of range.
  const half = i32x4.shr_s(e, 1);
  const low = i32x4.shl(i32x4.add(half, splat32(BIAS)), 23);
  const high = i32x4.shl(i32x4.add(i32x4.sub(e, half), splat32(BIAS)), 23);
  return f32x4.mul(f32x4.mul(polynomial(reduced(limited, n)), low), high);
}

/** e^x for x ≤ 0 within 1.5 ULP, faster than exp; results below 2⁻¹²⁶ become 0, NaN stays. For softmax and similar functions. */
@inline
export function expNonPositive(x: v128): v128 {
  const limited = atLeast(x, splat32(LOWEST_NORMAL));
  const shifted = madd(limited, splat32(LOG2_E), splat32(ROUND));
  const n = f32x4.sub(shifted, splat32(ROUND));
  const power = i32x4.shl(i32x4.add(shifted, splat32(BIAS)), 23);
  const y = f32x4.mul(polynomial(reduced(limited, n)), power);
  return v128.andnot(y, f32x4.lt(x, splat32(UNDERFLOW)));
}

/** e^x − 1 for x ≤ 0, within 3 ULP and never below −1; NaN stays. */
@inline
export function expm1NonPositive(x: v128): v128 {
  const limited = atLeast(x, splat32(LOWEST_EXPM1));
  const shifted = madd(limited, splat32(LOG2_E), splat32(ROUND));
  const n = f32x4.sub(shifted, splat32(ROUND));
  const power = i32x4.shl(i32x4.add(shifted, splat32(BIAS)), 23);
  const r = reduced(limited, n);
  let p = horner(splat32(C6), r, C5);
  p = horner(p, r, C4);
  p = horner(p, r, C3);
  p = horner(p, r, C2);
  // 2ⁿ·(e^r − 1) + (2ⁿ − 1)
  const fraction = madd(f32x4.mul(r, r), p, r);
  return madd(fraction, power, f32x4.sub(power, splat32(ONE)));
}
