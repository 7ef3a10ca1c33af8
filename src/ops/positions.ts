import { stridesOf } from '../graph/dims.js';
import { integers, type TensorValue } from '../tensor/tensor-value.js';
import type { Inference } from './definition.js';

export const OUT_OF_RANGE = 'an index is out of range';

/** Index counted from 0; an error where it is outside the axis. */
export function positionOf(c: Inference<unknown>, index: number, length: number): number {
  if (index >= -length && index < length) return index < 0 ? index + length : index;
  return c.fail('INVALID_VALUE', `index ${index} is outside an axis of ${length}`);
}

/** The rows that tuples of indices name, in a tensor whose first dims are `dims`. */
export function rowsOfTuples(c: Inference<unknown>, indices: TensorValue, dims: readonly number[]): number[] {
  const depth = dims.length;
  const strides = stridesOf(dims);
  const values = integers(indices);
  return Array.from({ length: depth > 0 ? values.length / depth : 1 }, (_, t) =>
    strides.reduce(
      (row, stride, j) => row + stride * positionOf(c, values[t * depth + j] as number, dims[j] as number),
      0,
    ),
  );
}
