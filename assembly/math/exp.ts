import { clamp } from './clamp';
import { horner, madd } from './madd';

const LOG2_E: f32 = 1.44269504;
// ln 2 in two parts; products of the first with |n| ≤ 256 are exact.
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.12194440e-4;
/** 1.5·2²³: adding it rounds to an integer that then stands in the low bits. */
const ROUND: f32 = 12582912.0;

// e^r = 1 + r + r²·p(r) on |r| ≤ ln 2 / 2, relative error 3.1e-9.
const C2: f32 = 0.4999999403953552;
const C3: f32 = 0.1666652113199234;
const C4: f32 = 0.04166838899254799;
const C5: f32 = 0.00836874544620514;
const C6: f32 = 0.0013814539415761828;

@inline
function reduced(x: v128, n: v128): v128 {
  return madd(n, f32x4.splat(-LN2_LOW), madd(n, f32x4.splat(-LN2_HIGH), x));
}

@inline
function polynomial(r: v128): v128 {
  let p = horner(f32x4.splat(C6), r, C5);
  p = horner(p, r, C4);
  p = horner(p, r, C3);
  p = horner(p, r, C2);
  p = horner(p, r, 1);
  return horner(p, r, 1);
}

/** e^x within 1.5 ULP; denormal results too; 0 below −104, ∞ above 88.73, NaN stays. */
@inline
export function exp(x: v128): v128 {
  const limited = clamp(x, -104, 89);
  const shifted = madd(limited, f32x4.splat(LOG2_E), f32x4.splat(ROUND));
  const n = f32x4.sub(shifted, f32x4.splat(ROUND));
  const e = i32x4.sub(shifted, i32x4.splat(0x4b400000));
  // Two factors 2^(n/2): the result may be denormal or overflow though 2^n is out of range.
  const half = i32x4.shr_s(e, 1);
  const low = i32x4.shl(i32x4.add(half, i32x4.splat(127)), 23);
  const high = i32x4.shl(i32x4.add(i32x4.sub(e, half), i32x4.splat(127)), 23);
  return f32x4.mul(f32x4.mul(polynomial(reduced(limited, n)), low), high);
}

/** e^x for x ≤ 0 within 1.5 ULP, faster than exp; results below 2⁻¹²⁶ become 0, NaN stays. For softmax and its kin. */
@inline
export function expNonPositive(x: v128): v128 {
  const limited = f32x4.pmax(x, f32x4.splat(-88));
  const shifted = madd(limited, f32x4.splat(LOG2_E), f32x4.splat(ROUND));
  const n = f32x4.sub(shifted, f32x4.splat(ROUND));
  const power = i32x4.shl(i32x4.add(shifted, i32x4.splat(127)), 23);
  const y = f32x4.mul(polynomial(reduced(limited, n)), power);
  return v128.andnot(y, f32x4.lt(x, f32x4.splat(-87.33654)));
}

/** e^x − 1 for x ≤ 0, within 3 ULP and never below −1; NaN stays. */
@inline
export function expm1NonPositive(x: v128): v128 {
  const limited = f32x4.pmax(x, f32x4.splat(-30));
  const shifted = madd(limited, f32x4.splat(LOG2_E), f32x4.splat(ROUND));
  const n = f32x4.sub(shifted, f32x4.splat(ROUND));
  const power = i32x4.shl(i32x4.add(shifted, i32x4.splat(127)), 23);
  const r = reduced(limited, n);
  let p = horner(f32x4.splat(C6), r, C5);
  p = horner(p, r, C4);
  p = horner(p, r, C3);
  p = horner(p, r, C2);
  // 2ⁿ·(e^r − 1) + (2ⁿ − 1)
  const fraction = madd(f32x4.mul(r, r), p, r);
  return madd(fraction, power, f32x4.sub(power, f32x4.splat(1)));
}
