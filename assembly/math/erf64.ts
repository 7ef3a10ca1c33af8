import { exp64 } from './float64';

const TWO_OVER_SQRT_PI: f64 = 1.1283791670955126;
const ONE_OVER_SQRT_PI: f64 = 0.5641895835477563;

/**
 * erf x in double precision, within 1e-15. Below 2.5, the series 2x/√π·e^(−x²)·Σ (2x²)ⁿ/(2n+1)!!, whose terms all have the same sign (DLMF
 * 7.6.2); above, the continued fraction of erfc (DLMF 7.9.1).
 */
export function erf64(x: f64): f64 {
  const a = abs<f64>(x);
  if (a != a) return x;
  if (a > 6) return copysign<f64>(1, x);
  const square = a * a;
  if (a < 2.5) {
    let term = a;
    let sum = a;
    for (let n: f64 = 3; term > sum * 1e-17; n += 2) {
      term *= (2 * square) / n;
      sum += term;
    }
    return copysign<f64>(TWO_OVER_SQRT_PI * exp64(-square) * sum, x);
  }
  let fraction: f64 = 0;
  for (let k: f64 = 40; k > 0; k--) fraction = (0.5 * k) / (a + fraction);
  return copysign<f64>(1 - (exp64(-square) * ONE_OVER_SQRT_PI) / (a + fraction), x);
}
