import { SardonyxError } from '../../base/errors.js';
import { oneOf } from '../quantize/one-of.js';
import type { NamePattern, QuantizeProgress } from '../quantize/options.js';
import type { Samples } from '../quantize/weights/gram-matrices.js';

export const HALF_TYPES = ['float16', 'bfloat16'] as const;
/** A half-precision element type. */
export type HalfType = (typeof HALF_TYPES)[number];

/** Options of `toFloat16` and `mixedPrecision`. */
export interface Float16Options {
  /** The type that replaces float32. Default: `float16`. */
  readonly to?: HalfType;
  /** Whether inputs and outputs keep their types, with Cast nodes added. */
  readonly keepIO?: boolean;
  /** The nodes to convert, by their names, output names or operators. Default: all. */
  readonly include?: readonly NamePattern[];
  /** The nodes to keep, by their names, output names or operators. */
  readonly exclude?: readonly NamePattern[];
  /**
   * Smaller nonzero weights are raised to this magnitude, so that they do not become 0. Default: the smallest positive
   * value of the type.
   */
  readonly minPositive?: number;
  /**
   * Larger weights are clamped to this magnitude, and nodes with larger values stay in float32. Default: the largest
   * finite value of the type.
   */
  readonly maxFinite?: number;
  /** Whether to convert float64, too. */
  readonly doubles?: boolean;
  /** Samples to run the model on. Nodes whose values exceed `maxFinite` stay in float32. */
  readonly feeds?: Samples;
  /** Aborts the conversion. */
  readonly signal?: AbortSignal;
  /** Called as the conversion progresses. */
  readonly onProgress?: (progress: QuantizeProgress) => void;
}

export interface Settings extends Float16Options {
  readonly to: HalfType;
  readonly minPositive: number;
  readonly maxFinite: number;
}

/** A weight with values outside the range of the half-precision type. */
export interface ClampedWeight {
  /** The name of the weight. */
  readonly weight: string;
  /** The number of values with a magnitude above `maxFinite`. */
  readonly above: number;
  /** The number of nonzero values with a magnitude below `minPositive`. */
  readonly below: number;
}

/** A node that stays in float32. */
export interface KeptNode {
  /** The name of the node. */
  readonly node: string;
  /** The operator of the node. */
  readonly operator: string;
  /** The reason why the node stays in float32. */
  readonly reason: string;
}

/** Describes the result of `toFloat16`. */
export interface Float16Report {
  /** The number of converted nodes. */
  readonly converted: number;
  /** The nodes that stay in float32, with reasons. */
  readonly kept: readonly KeptNode[];
  /** The weights with values outside the range of the type. */
  readonly clamped: readonly ClampedWeight[];
}

const LIMITS: Readonly<Record<HalfType, { readonly minPositive: number; readonly maxFinite: number }>> = {
  float16: { minPositive: 2 ** -24, maxFinite: 65504 },
  bfloat16: { minPositive: 2 ** -133, maxFinite: 2 ** 127 * (2 - 2 ** -7) },
};

export function settingsOf(options: Float16Options): Settings {
  const { to = 'float16' } = options;
  oneOf('to', to, HALF_TYPES);
  const { minPositive = LIMITS[to].minPositive, maxFinite = LIMITS[to].maxFinite } = options;
  if (!(minPositive >= 0 && minPositive < maxFinite && maxFinite <= LIMITS[to].maxFinite))
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `minPositive and maxFinite: expected ascending numbers from 0 to ${LIMITS[to].maxFinite}, got ${minPositive} and ${maxFinite}`,
    );
  return { ...options, to, minPositive, maxFinite };
}
