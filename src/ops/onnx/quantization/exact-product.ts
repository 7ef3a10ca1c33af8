import type { Value } from '../../../graph/graph.js';
import type { Decomposition } from '../../../schema/definition.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { arithmeticOn, castTo } from '../../emit.js';

/** Sums below this are exact in float32, in whatever order they are formed. */
const EXACT = 2 ** 24;
/** The largest distance of an 8-bit integer from its zero point. */
const LARGEST = 255;
/** Bits per digit that weights may be split into. */
const DIGIT_BITS = [8, 4, 3, 2, 1] as const;

/** The weights of a product: each result sums `terms` of them, `column(i)` says which one element `i` belongs to. */
export interface Weights {
  readonly input: number;
  readonly zeroPoint: number;
  readonly terms: number;
  readonly columns: number;
  readonly column: (i: number) => number;
  /** The zero point, shaped to broadcast over the weights. */
  readonly shape: (zeroPoint: Value) => Value;
  /** The one that element `i` of known weights is measured from. */
  readonly zeroAt: (zeroPoints: ArrayLike<number>, i: number) => number;
}

const digitsIn = (bits: number) => Math.ceil(8 / bits);

/** The largest digit in magnitude; the leading one takes what rounding carries. */
const largestDigit = (bits: number) =>
  Math.max(2 ** (bits - 1), Math.ceil(LARGEST / 2 ** (bits * (digitsIn(bits) - 1))));

/** The digits of `w` to the base 2^bits, the lowest first, each rounded to the nearest. */
function split(w: Float32Array, bits: number): Float32Array[] {
  const base = 2 ** bits;
  const digits: Float32Array[] = [];
  let rest = w;
  for (let n = digitsIn(bits); n > 1; n--) {
    const higher = rest.map((x) => Math.round(x / base));
    digits.push(rest.map((x, i) => x - base * (higher[i] as number)));
    rest = higher;
  }
  return [...digits, rest];
}

function isExact(digit: Float32Array, { columns, column }: Weights): boolean {
  const sums = new Float64Array(columns);
  digit.forEach((x, i) => {
    sums[column(i)] = (sums[column(i)] as number) + Math.abs(x);
  });
  return sums.every((sum) => sum * LARGEST < EXACT);
}

function knownDigits(c: Decomposition<unknown>, w: TensorValue, weights: Weights): [number, Value[]] | undefined {
  const zero = c.given(weights.zeroPoint) ? c.contents(weights.zeroPoint) : null;
  if (zero === undefined) return undefined;
  const zeroPoints = zero ? numbersOf(zero) : [0];
  const centered = Float32Array.from(numbersOf(w) as Int8Array, (x, i) => x - weights.zeroAt(zeroPoints, i));
  for (const bits of DIGIT_BITS) {
    const digits = bits === 8 ? [centered] : split(centered, bits);
    if (digits.every((digit) => isExact(digit, weights)))
      return [bits, digits.map((digit) => c.constant(tensorOf('float32', w.dims, digit)))];
  }
  return tooMany(c, weights);
}

const tooMany = (c: Decomposition<unknown>, { terms }: Weights): never =>
  c.fail(
    'INVALID_SHAPE',
    `sums ${terms} products of 8-bit integers; ${Math.floor(EXACT / LARGEST)} are as many as it can`,
  );

/** Input `i` in float32, measured from its zero point. */
export function centered(
  c: Decomposition<unknown>,
  i: number,
  zeroPoint: number,
  shape: (zeroPoint: Value) => Value = (value) => value,
): Value {
  const x = castTo(c, c.input(i), 'float32');
  if (!c.given(zeroPoint)) return x;
  return arithmeticOn(c, 'float32')('Sub', x, shape(castTo(c, c.input(zeroPoint), 'float32')));
}

function computedDigits(c: Decomposition<unknown>, weights: Weights): [number, Value[]] {
  const f = arithmeticOn(c, 'float32');
  const bits = DIGIT_BITS.find((b) => weights.terms * largestDigit(b) * LARGEST < EXACT) ?? tooMany(c, weights);
  const digits: Value[] = [];
  let rest = centered(c, weights.input, weights.zeroPoint, weights.shape);
  for (let n = digitsIn(bits); n > 1; n--) {
    const higher = f('Round', f('Mul', rest, 2 ** -bits));
    digits.push(f('Sub', rest, f('Mul', higher, 2 ** bits)));
    rest = higher;
  }
  return [bits, [...digits, rest]];
}

/**
 * The product of 8-bit integers in int32 by float32 kernels: the weights are split into digits so small that no sum
 * leaves the integers that float32 holds. Most constant weights need but one digit; then [128,768]·[768,768] takes 0.84 and
 * [1,768]·[768,3072] 0.06 of the time that products of 258 terms each take.
 */
export function exactProduct(c: Decomposition<unknown>, weights: Weights, multiply: (digit: Value) => Value): Value {
  const known = c.contents(weights.input);
  const [bits, digits] = (known && knownDigits(c, known, weights)) ?? computedDigits(c, weights);
  const f = arithmeticOn(c, 'int32');
  const products = digits.map((digit) => castTo(c, multiply(digit), 'int32'));
  return products.reduceRight((higher, lower) => f('Add', f('Mul', higher, 2 ** bits), lower));
}
