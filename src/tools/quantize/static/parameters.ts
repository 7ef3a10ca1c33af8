import { SardonyxError } from '../../../base/errors.js';
import { fromFloat16, toFloat16 } from '../../../tensor/half.js';
import { roundHalfEven } from '../weights/blocks.js';
import { boundsOf, type IntegerType } from './integers.js';

/** The range of a value. */
export interface Range {
  /** The lowest value. */
  readonly lowest: number;
  /** The highest value. */
  readonly highest: number;
}

/** Element types of values with scales. */
export type ScaleType = 'float32' | 'float16';

/** How to map a range to integers. */
export interface Scheme {
  readonly type: IntegerType;
  /** Whether the range is symmetric around 0. */
  readonly symmetric: boolean;
  /** Whether to use one bit less. */
  readonly reduced?: boolean;
  /** The minimum width of the range. */
  readonly minimumRange?: number | undefined;
  /** The element type of the values, to which scales are rounded. Default: float32. */
  readonly float?: ScaleType;
}

/** Parameters of quantized values, which are `scale * (integer - zeroPoint)`. */
export interface Parameters {
  readonly type: IntegerType;
  readonly scale: number;
  readonly zeroPoint: number;
}

export const NEAREST: Readonly<Record<ScaleType, (x: number) => number>> = {
  float32: Math.fround,
  float16: (x) => fromFloat16(toFloat16(x)),
};

/** The smallest normal number of each type. */
const TINY: Readonly<Record<ScaleType, number>> = { float32: 2 ** -126, float16: 2 ** -14 };

/** The distance of subnormal float16 numbers. */
const STEP = 2 ** -24;

/**
 * The scale and zero point for a range, which is widened to include 0. They equal onnxruntime's bit for bit except for
 * narrow ranges of float16: there, scales below 2⁻¹⁴ become 1, so that a range of 0.0156 is quantized to 0.
 * @throws SardonyxError INVALID_ARGUMENT if the ends of the range are not finite or not in order
 */
export function parametersOf(range: Range, scheme: Scheme): Parameters {
  requireFinite(range);
  const { type, symmetric, reduced = false, float = 'float32' } = scheme;
  const nearest = NEAREST[float];
  const [low, high] = boundsOf(type, symmetric, reduced);
  const [from, to] = widened(range, scheme);
  const exact = nearest(to - from) / (high - low);
  const scale = float === 'float16' && exact < TINY.float16 ? Math.ceil(exact / STEP) * STEP : exact;
  if (scale === 0 || (float === 'float32' && scale < TINY.float32)) return { type, scale: 1, zeroPoint: 0 };
  const zeroPoint = roundHalfEven(symmetric ? (low + high) / 2 : low - from / scale);
  return { type, scale: nearest(scale), zeroPoint: zeroPoint + 0 };
}

function widened({ lowest, highest }: Range, { symmetric, minimumRange, float = 'float32' }: Scheme) {
  const nearest = NEAREST[float];
  const from = Math.min(nearest(lowest), 0);
  const least = minimumRange === undefined ? 0 : nearest(from + nearest(minimumRange));
  const to = Math.max(nearest(highest), 0, least);
  const far = Math.max(-from, to);
  return symmetric ? ([-far, far] as const) : ([from, to] as const);
}

function requireFinite({ lowest, highest }: Range): void {
  if (Number.isFinite(lowest) && Number.isFinite(highest) && lowest <= highest) return;
  const message = `invalid range from ${lowest} to ${highest}; expected finite numbers in ascending order`;
  throw new SardonyxError('INVALID_ARGUMENT', message);
}
