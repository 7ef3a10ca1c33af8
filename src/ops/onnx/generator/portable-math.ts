const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/*
 * Elementary functions from IEEE operations alone, for seeded draws that are the same everywhere: Math.log and Math.exp differ between
 * engines in their last bits.
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

/** Coefficients of Wichura's PPND16, highest power first: the center, the tails, the far tails. */
const CENTER = {
  numerator: [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
    133.14166789178438, 3.3871328727963665,
  ],
  denominator: [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
    42.31333070160091, 1,
  ],
};
const TAIL = {
  numerator: [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
    5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  denominator: [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
    1.6763848301838038, 2.053191626637759, 1,
  ],
};
const FAR_TAIL = {
  numerator: [
    2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
    1.7848265399172913, 5.463784911164114, 6.657904643501103,
  ],
  denominator: [
    2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133, 0.014875361290850615,
    0.1369298809227358, 0.599832206555888, 1,
  ],
};

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let i = 0; i < coefficients.length; i++) sum = sum * x + (coefficients[i] as number);
  return sum;
}

const ratio = ({ numerator, denominator }: typeof TAIL, x: number) =>
  polynomial(numerator, x) / polynomial(denominator, x);

/** Quantile of the standard normal distribution: AS 241, https://doi.org/10.2307/2347330. */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(CENTER, 0.180625 - q * q);
  const r = Math.sqrt(-log(Math.min(p, 1 - p)));
  const z = r <= 5 ? ratio(TAIL, r - 1.6) : ratio(FAR_TAIL, r - 5);
  return q < 0 ? -z : z;
}
