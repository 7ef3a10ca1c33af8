import { differ } from '../graph/guards.js';
import { formatSize, product, type Size } from '../graph/sizes.js';
import { float } from '../schema/attributes.js';
import type { Evaluation, Inference } from '../schema/definition.js';
import { type ElementType, rangeOf } from '../tensor/element-types.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { FORMULAS } from './formulas.js';

/** Input positions of 8-bit integer products and convolutions. */
export const [X, W, X_ZERO, W_ZERO, SCALE, BIAS, Y_ZERO] = [0, 1, 2, 3, 4, 5, 6];

export const integerSignature = 'X: T1, W: T2, x_zero?: T1, w_zero?: T2, scale?: TF, bias?: TB, y_zero?: TY -> Y: TR';

const NARROW = ['int8', 'uint8'] as const;

export const integerTypes = {
  T1: NARROW,
  T2: NARROW,
  TF: ['float32'],
  TB: ['int32', 'float32'],
  TY: NARROW,
  TR: ['int32', 'float32', ...NARROW],
} as const;

/** Bounds of a scaled result, in quantized steps. */
export const integerAttributes = { low: float(Number.NEGATIVE_INFINITY), high: float(Number.POSITIVE_INFINITY) };

export interface IntegerEpilogue {
  readonly low: number;
  readonly high: number;
}

/** int32 without a scale; with one, the type of the result's zero point, or float32 without that. */
export const resultOf = (c: Inference<unknown>): ElementType =>
  !c.given(SCALE) ? 'int32' : c.given(Y_ZERO) ? c.element(Y_ZERO) : 'float32';

function requireCount(c: Inference<unknown>, i: number, what: string, counts: readonly (Size | undefined)[]): void {
  const dims = c.given(i) ? c.dims(i) : undefined;
  if (!dims || counts.some((wanted) => !differ(product(dims), wanted))) return;
  c.fail('INVALID_SHAPE', `${what} [${dims}] must have ${counts.map(formatSize).join(' or ')} elements`);
}

/** Checks zero points, scale and bias against the number of rows (which may have zero points of their own) and columns. */
export function requireIntegerEpilogue(c: Inference<unknown>, rows: Size | undefined, columns: Size | undefined): void {
  requireCount(c, X_ZERO, 'the zero point of X', [1, rows]);
  requireCount(c, W_ZERO, 'the zero point of W', [1, columns]);
  requireCount(c, SCALE, 'the scale', [1, columns]);
  requireCount(c, BIAS, 'the bias', [columns]);
  requireCount(c, Y_ZERO, 'the zero point of the result', [1]);
  if (c.given(Y_ZERO) && !c.given(SCALE)) c.fail('INVALID_MODEL', 'a result with a zero point needs a scale');
  const wanted = resultOf(c) === 'float32' ? 'float32' : 'int32';
  if (c.given(BIAS) && c.element(BIAS) !== wanted)
    c.fail('INVALID_MODEL', `the bias of a result in ${resultOf(c)} is ${wanted}, not ${c.element(BIAS)}`);
}

/** Input `i` minus its zero points, in int32. Element `at` has zero point `zeroOf(at)`. */
export function centered(
  c: Evaluation<unknown>,
  i: number,
  zeroPoint: number,
  zeroOf: (at: number) => number,
): TensorValue {
  const x = c.tensor(i);
  const { dims } = x;
  const values = Int32Array.from(numbersOf(x));
  if (!c.given(zeroPoint)) return { type: 'int32', dims, data: values };
  const zeros = numbersOf(c.tensor(zeroPoint));
  const one = zeros.length === 1;
  return { type: 'int32', dims, data: values.map((v, at) => v - (zeros[one ? 0 : zeroOf(at)] as number)) };
}

/** The largest finite float32. */
const LARGEST = (2 - 2 ** -23) * 2 ** 127;

const optional = (c: Evaluation<unknown>, i: number) => (c.given(i) ? numbersOf(c.tensor(i)) : undefined);

/** Applies scale, bias, bounds and zero point to int32 sums, columns last. */
export function finishedIntegers(
  c: Evaluation<unknown>,
  sums: Int32Array,
  columns: number,
  { low, high }: IntegerEpilogue,
): TensorValue {
  const { element, dims } = c.result(0);
  const [scale, bias, zero] = [optional(c, SCALE), optional(c, BIAS), optional(c, Y_ZERO)];
  const biasOf = (i: number) => (bias?.[i % columns] as number) ?? 0;
  if (!scale) return { type: 'int32', dims, data: sums.map((sum, i) => sum + biasOf(i)) };
  const factor = (i: number) => scale[scale.length === 1 ? 0 : i % columns] as number;
  // With an infinite or NaN scale, a sum of 0 maps to the zero point.
  const finite = (x: number) => (Number.isNaN(x) ? 0 : Math.min(Math.max(x, -LARGEST), LARGEST));
  const within = (x: number) => Math.min(Math.max(x, low), high);
  if (!zero) {
    const floats = Float64Array.from(sums, (sum, i) => within(Math.fround(Math.fround(sum) * factor(i)) + biasOf(i)));
    return tensorOf(element, dims, floats);
  }
  const [least, largest] = rangeOf(element);
  const steps = Float64Array.from(sums, (sum, i) => {
    const scaled = Math.fround(Math.fround((sum + biasOf(i)) | 0) * finite(factor(i)));
    const rounded = FORMULAS.Round(scaled, 0, 0, 0, 0) + (zero[0] as number);
    return Math.min(Math.max(within(rounded), least), largest);
  });
  return tensorOf(element, dims, steps);
}
