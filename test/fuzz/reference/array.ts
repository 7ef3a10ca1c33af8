import type { ElementType } from '../../../src/tensor/element-types.js';

export type Plain = number | bigint | string;

/** A tensor in plain numbers: floats of every width as float64, int64 and uint64 as bigint, bool as 0 or 1, strings as they are. */
export interface PlainArray {
  readonly type: ElementType;
  readonly dims: readonly number[];
  readonly data: readonly Plain[];
}

/** A tensor, a sequence, or an empty optional. */
export type PlainValue = PlainArray | readonly PlainArray[] | null;

export const isPlainArray = (value: PlainValue | undefined): value is PlainArray =>
  value !== null && value !== undefined && !Array.isArray(value);

/** Sums of truths are truths. */
export const plain = (type: ElementType, dims: readonly number[], data: readonly Plain[]): PlainArray => ({
  type,
  dims,
  data: type === 'bool' ? data.map((x) => Number(Boolean(x))) : data,
});

export const countOf = (dims: readonly number[]): number => dims.reduce((count, size) => count * size, 1);

export const int64s = (values: readonly number[], dims = [values.length]): PlainArray =>
  plain('int64', dims, values.map(BigInt));

/** Elements as numbers, those of 64 bits too. */
export const numbersOf = ({ type, data }: PlainArray): readonly number[] =>
  type === 'int64' || type === 'uint64' ? data.map(Number) : (data as readonly number[]);

/** The axis counted from the front. */
export function axisOf(axis: number, rank: number): number {
  if (axis < -rank || axis >= rank) throw new RangeError(`axis ${axis} of ${rank} axes`);
  return axis < 0 ? axis + rank : axis;
}

/** The index counted from the front. */
export function indexOf(index: number, size: number): number {
  if (index < -size || index >= size) throw new RangeError(`index ${index} of ${size} elements`);
  return index < 0 ? index + size : index;
}
