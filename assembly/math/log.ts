import { horner, madd } from './madd';

const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.12194440e-4;

// ln(1+f) = f − f²/2 + f³·p(f) on √½−1 ≤ f ≤ √2−1, relative error 5.9e-9.
const C3: f32 = 0.3333333134651184;
const C4: f32 = -0.250008225440979;
const C5: f32 = 0.20001231133937836;
const C6: f32 = -0.16623251140117645;
const C7: f32 = 0.14201563596725464;
const C8: f32 = -0.1316109299659729;
const C9: f32 = 0.12763500213623047;
const C10: f32 = -0.07634437829256058;

const SQRT_HALF_BITS: i32 = 0x3f3504f3;

/** ln x within 2 ULP, denormals too; ln 0 = −∞, ln ∞ = ∞, negative and NaN give NaN. */
@inline
export function log(x: v128): v128 {
  const denormal = f32x4.lt(x, f32x4.splat(1.17549435e-38));
  const scaled = v128.bitselect(f32x4.mul(x, f32x4.splat(8388608.0)), x, denormal);
  // scaled = 2^e·m with √½ ≤ m < √2
  const above = i32x4.sub(scaled, i32x4.splat(SQRT_HALF_BITS));
  const e = i32x4.shr_s(above, 23);
  const m = i32x4.sub(scaled, i32x4.shl(e, 23));
  const shift = v128.and(denormal, f32x4.splat(23));
  const n = f32x4.sub(f32x4.convert_i32x4_s(e), shift);

  const f = f32x4.sub(m, f32x4.splat(1));
  let p = horner(f32x4.splat(C10), f, C9);
  p = horner(p, f, C8);
  p = horner(p, f, C7);
  p = horner(p, f, C6);
  p = horner(p, f, C5);
  p = horner(p, f, C4);
  p = horner(p, f, C3);
  const f2 = f32x4.mul(f, f);
  let y = f32x4.mul(f32x4.mul(p, f), f2);
  y = madd(n, f32x4.splat(LN2_LOW), y);
  y = madd(f2, f32x4.splat(-0.5), y);
  y = f32x4.add(y, f);
  y = madd(n, f32x4.splat(LN2_HIGH), y);

  // +∞ and NaN return themselves; 0 and negatives are replaced below.
  y = v128.bitselect(y, x, f32x4.lt(x, f32x4.splat(f32.POSITIVE_INFINITY)));
  const below = v128.bitselect(f32x4.splat(f32.NEGATIVE_INFINITY), f32x4.splat(f32.NaN), f32x4.eq(x, f32x4.splat(0)));
  return v128.bitselect(below, y, f32x4.le(x, f32x4.splat(0)));
}
