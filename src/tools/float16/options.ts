import { SardonyxError } from '../../base/errors.js';
import { oneOf } from '../quantize/one-of.js';
import type { NamePattern, QuantizeProgress } from '../quantize/options.js';
import type { Samples } from '../quantize/weights/gram-matrices.js';

export const HALF_TYPES = ['float16', 'bfloat16'] as const;
export type HalfType = (typeof HALF_TYPES)[number];

export interface Float16Options {
  /** What float32 becomes; float16 if left out. */
  readonly to?: HalfType;
  /** Whether inputs and outputs stay as they are, with Casts behind and before them. */
  readonly keepIO?: boolean;
  /** Nodes that are converted, by their names, those of their outputs, or their operators; all if left out. */
  readonly include?: readonly NamePattern[];
  /** Nodes that stay as they are. */
  readonly exclude?: readonly NamePattern[];
  /** What smaller weights become, so that none becomes 0: the least positive number of the type if left out. */
  readonly minPositive?: number;
  /** What larger weights become, and what makes a node stay in float32: the greatest number of the type if left out. */
  readonly maxFinite?: number;
  /** Whether float64 becomes half, too. */
  readonly doubles?: boolean;
  /** Inputs on which the model is run, so that nodes whose numbers are beyond `maxFinite` stay in float32. */
  readonly feeds?: Samples;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: QuantizeProgress) => void;
}

export interface Settings extends Float16Options {
  readonly to: HalfType;
  readonly minPositive: number;
  readonly maxFinite: number;
}

/** A weight some of whose numbers the type does not hold. */
export interface ClampedWeight {
  readonly weight: string;
  /** How many were greater than `maxFinite`, and less than `minPositive`. */
  readonly above: number;
  readonly below: number;
}

/** A node that stays as it was. */
export interface KeptNode {
  readonly node: string;
  readonly operator: string;
  readonly reason: string;
}

export interface Float16Report {
  /** Nodes whose floats are of the new type. */
  readonly converted: number;
  readonly kept: readonly KeptNode[];
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
      `minPositive and maxFinite are between 0 and ${LIMITS[to].maxFinite}, not ${minPositive} and ${maxFinite}`,
    );
  return { ...options, to, minPositive, maxFinite };
}
