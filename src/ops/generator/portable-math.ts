const LN2_HIGH = 6.93147180369123816490e-1;
const LN2_LOW = 1.90821492927058770002e-10;

/*
 * Elementary functions by IEEE operations alone: Math.log and Math.exp differ between engines in their last bits, and
 * seeded draws must not.
 */

/** Natural logarithm of a positive normal number, to about 2⁻⁵². */
export function log(x: number): number {
  let exponent = 0;
  let fraction = x;
  for (; fraction < Math.SQRT1_2; fraction *= 2) exponent--;
  for (; fraction > Math.SQRT2; fraction /= 2) exponent++;
  const s = (fraction - 1) / (fraction + 1);
  const square = s * s;
  let series = 0;
  for (let k = 23; k >= 3; k -= 2) series = (series + 1 / k) * square;
  return exponent * LN2_HIGH + (exponent * LN2_LOW + 2 * s * series + 2 * s);
}

/** Exponential of a number up to 0, to about 2⁻⁵². */
export function exp(x: number): number {
  const halvings = Math.round(-x / Math.LN2);
  if (!(halvings < 1075)) return Number.isNaN(x) ? x : 0;
  const rest = x + halvings * LN2_HIGH + halvings * LN2_LOW;
  let series = 1;
  for (let k = 15; k >= 1; k--) series = 1 + (series * rest) / k;
  for (let k = 0; k < halvings; k++) series /= 2;
  return series;
}

/** Coefficients of Wichura's PPND16, highest power first: the centre, the tails, the far tails. */
const CENTER = {
  numerator: [
    2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
    1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.387132872796366608,
  ],
  denominator: [
    5.226495278852854561e3, 2.8729085735721942674e4, 3.930789580009271061e4, 2.1213794301586595867e4,
    5.3941960214247511077e3, 6.871870074920579083e2, 4.2313330701600911252e1, 1,
  ],
};
const TAIL = {
  numerator: [
    7.7454501427834140764e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258,
    3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734,
  ],
  denominator: [
    1.05075007164441684324e-9, 5.475938084995344946e-4, 1.51986665636164571966e-2, 1.4810397642748007459e-1,
    6.8976733498510000455e-1, 1.6763848301838038494, 2.05319162663775882187, 1,
  ],
};
const FAR_TAIL = {
  numerator: [
    2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.6532189526576123093e-2,
    2.9656057182850489123e-1, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772,
  ],
  denominator: [
    2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
    1.48753612908506148525e-2, 1.3692988092273580531e-1, 5.9983220655588793769e-1, 1,
  ],
};

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let i = 0; i < coefficients.length; i++) sum = sum * x + (coefficients[i] as number);
  return sum;
}

const ratio = ({ numerator, denominator }: typeof TAIL, x: number) =>
  polynomial(numerator, x) / polynomial(denominator, x);

/** The value that a standard normal variable stays below with probability `p`: AS 241, https://doi.org/10.2307/2347330. */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(CENTER, 0.180625 - q * q);
  const r = Math.sqrt(-log(Math.min(p, 1 - p)));
  const z = r <= 5 ? ratio(TAIL, r - 1.6) : ratio(FAR_TAIL, r - 5);
  return q < 0 ? -z : z;
}
