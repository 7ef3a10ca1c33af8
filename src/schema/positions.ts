import { stridesOf } from '../graph/dims.js';
import { integers, type TensorValue } from '../tensor/tensor-value.js';
import type { Inference } from './definition.js';

/** Target of index tuples: the dims that they index in turn, and the first of these axes. */
export interface Indexed {
  readonly dims: readonly number[];
  readonly axis: number;
}

const isInside = (index: number, length: number) => index >= -length && index < length;

function outside(index: number, length: number, axis: number, place = ''): string {
  const valid = length > 0 ? `${-length} to ${length - 1} are valid` : 'none is valid';
  return `index ${index}${place} is outside axis ${axis} of size ${length}: ${valid}`;
}

/** The index counted from 0. Throws an error if it is outside the axis. */
export function positionOf(c: Inference<unknown>, index: number, length: number, axis: number): number {
  if (isInside(index, length)) return index < 0 ? index + length : index;
  return c.fail('INVALID_VALUE', outside(index, length, axis));
}

/** Returns the error message for the first index outside its axis. */
export const outsideOf =
  ({ dims, axis }: Indexed) =>
  (indices: TensorValue): string => {
    const sizeAt = (i: number) => dims[i % dims.length] as number;
    const values = integers(indices);
    const at = values.findIndex((index, i) => !isInside(index, sizeAt(i)));
    const place = stridesOf(indices.dims).map((stride, d) => Math.floor(at / stride) % (indices.dims[d] as number));
    return outside(values[at] as number, sizeAt(at), axis + (at % dims.length), ` at [${place}]`);
  };

/** The rows at tuples of indices, in a tensor with these dims from `axis` on. */
export function rowsOfTuples(c: Inference<unknown>, indices: TensorValue, { dims, axis }: Indexed): number[] {
  const depth = dims.length;
  const strides = stridesOf(dims);
  const values = integers(indices);
  return Array.from({ length: depth > 0 ? values.length / depth : 1 }, (_, t) =>
    strides.reduce(
      (row, stride, j) => row + stride * positionOf(c, values[t * depth + j] as number, dims[j] as number, axis + j),
      0,
    ),
  );
}
