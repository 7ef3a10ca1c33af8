const TWO_OVER_ROOT_PI = 2 / Math.sqrt(Math.PI);

/** https://dlmf.nist.gov/7.6#E2: all terms have one sign. */
function series(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-18 * Math.abs(sum); n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return TWO_OVER_ROOT_PI * Math.exp(-x * x) * sum;
}

/** https://dlmf.nist.gov/7.9#E1, from its end; at x ≥ 2 sixty terms are more than float64 holds. */
function tail(x: number): number {
  let rest = 0;
  for (let n = 60; n > 0; n--) rest = n / 2 / (x + rest);
  return Math.exp(-x * x) / ((x + rest) * Math.sqrt(Math.PI));
}

/** 1 − erf(x), without cancellation. */
export function erfc(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x >= 2) return tail(x);
  return x <= -2 ? 2 - tail(-x) : 1 - series(x);
}

export function erf(x: number): number {
  if (Number.isNaN(x)) return x;
  if (Math.abs(x) < 2) return series(x);
  return x > 0 ? 1 - tail(x) : tail(-x) - 1;
}
