import { stridesOf } from '../graph/dims.js';
import type { Size } from '../graph/sizes.js';
import { numbersOf } from '../tensor/numbers.js';
import { evaluateStrided } from '../tensor/strided.js';
import type { TensorValue } from '../tensor/tensor-value.js';

/** Axes of [N, C, spatial…] in the order [N, spatial…, C]. */
export const toChannelsLast = (rank: number): number[] => [0, ...Array.from({ length: rank - 2 }, (_, i) => i + 2), 1];

/** Axes of [N, spatial…, C] in the order [N, C, spatial…]. */
export const toChannelsFirst = (rank: number): number[] => [
  0,
  rank - 1,
  ...Array.from({ length: rank - 2 }, (_, i) => i + 1),
];

/** Dims of [N, spatial…, C] in the order [N, C, spatial…]. */
export const asChannelsFirst = (dims: readonly Size[] | undefined): Size[] | undefined =>
  dims && [dims[0] as Size, dims.at(-1) as Size, ...dims.slice(1, -1)];

/**
 * Result of `compute` for a channels-last `x`, in double precision. `compute` takes and returns [N, C, spatial…]; the result is
 * channels-last.
 */
export function onChannelsFirst(x: TensorValue, compute: (x: TensorValue) => TensorValue): Float64Array {
  const wide: TensorValue = { type: 'float64', dims: x.dims, data: Float64Array.from(numbersOf(x)) };
  const y = compute(inOrder(wide, toChannelsFirst(x.dims.length)));
  return inOrder(y, toChannelsLast(y.dims.length)).data as Float64Array;
}

function inOrder(x: TensorValue, axes: readonly number[]): TensorValue {
  const strides = stridesOf(x.dims);
  const pick = (values: readonly number[]) => axes.map((axis) => values[axis] as number);
  return evaluateStrided(x, pick(x.dims), pick(strides), 0);
}
