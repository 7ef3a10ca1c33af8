import { HALF, MINUS_ONE, splat32 } from './constants';
import { horner, madd } from './madd';

const LN2_HIGH = memory.data<f32>([0.693359375], 4);
const LN2_LOW = memory.data<f32>([-2.12194440e-4], 4);

// ln(1+f) = f − f²/2 + f³·p(f) on √½−1 ≤ f ≤ √2−1, relative error 5.9e-9.
const C3 = memory.data<f32>([0.3333333134651184], 4);
const C4 = memory.data<f32>([-0.250008225440979], 4);
const C5 = memory.data<f32>([0.20001231133937836], 4);
const C6 = memory.data<f32>([-0.16623251140117645], 4);
const C7 = memory.data<f32>([0.14201563596725464], 4);
const C8 = memory.data<f32>([-0.1316109299659729], 4);
const C9 = memory.data<f32>([0.12763500213623047], 4);
const C10 = memory.data<f32>([-0.07634437829256058], 4);

const SQRT_HALF_BITS = memory.data<i32>([0x3f3504f3], 4);

/** ln x within 2 ULP, including denormals; ln 0 = −∞, ln ∞ = ∞, negative and NaN give NaN. */
@inline
export function log(x: v128): v128 {
  const denormal = f32x4.lt(x, f32x4.splat(1.17549435e-38));
  const scaled = v128.bitselect(f32x4.mul(x, f32x4.splat(8388608.0)), x, denormal);
  // scaled = 2^e·m with √½ ≤ m < √2
  const above = i32x4.sub(scaled, splat32(SQRT_HALF_BITS));
  const e = i32x4.shr_s(above, 23);
  const m = i32x4.sub(scaled, i32x4.shl(e, 23));
  const shift = v128.and(denormal, f32x4.splat(23));
  const n = f32x4.sub(f32x4.convert_i32x4_s(e), shift);

  const f = f32x4.add(m, splat32(MINUS_ONE));
  let p = horner(splat32(C10), f, C9);
  p = horner(p, f, C8);
  p = horner(p, f, C7);
  p = horner(p, f, C6);
  p = horner(p, f, C5);
  p = horner(p, f, C4);
  p = horner(p, f, C3);
  const f2 = f32x4.mul(f, f);
  let y = f32x4.mul(f32x4.mul(p, f), f2);
  y = madd(n, splat32(LN2_LOW), y);
  y = f32x4.sub(y, f32x4.mul(f2, splat32(HALF)));
  y = f32x4.add(y, f);
  y = madd(n, splat32(LN2_HIGH), y);

  // +∞ and NaN return themselves; results for 0 and negatives are replaced below.
  y = v128.bitselect(y, x, f32x4.lt(x, f32x4.splat(f32.POSITIVE_INFINITY)));
  const below = v128.bitselect(f32x4.splat(f32.NEGATIVE_INFINITY), f32x4.splat(f32.NaN), f32x4.eq(x, f32x4.splat(0)));
  return v128.bitselect(below, y, f32x4.le(x, f32x4.splat(0)));
}
