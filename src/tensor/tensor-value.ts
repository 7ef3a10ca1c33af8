import { type DataOf, ELEMENTS, type ElementType } from './element-types.js';

/** Row-major tensor data. Sardonyx accepts any object of this form as a tensor, of any class. */
export interface TensorValue<T extends ElementType = ElementType> {
  /** The element type. */
  readonly type: T;
  /** The shape: the size of each dimension; empty for a scalar. */
  readonly dims: readonly number[];
  /** The elements in row-major order. */
  readonly data: DataOf<T>;
}

/** A value outside linear memory: a tensor, a sequence, a map, or an absent optional (null). */
export type HostValue = TensorValue | readonly HostValue[] | ReadonlyMap<number | bigint | string, unknown> | null;

export function elementCount(dims: readonly number[]): number {
  let count = 1;
  for (let i = 0; i < dims.length; i++) count *= dims[i] as number;
  return count;
}

/** A copy of the tensor with its own data. */
export const copyOf = ({ type, dims, data }: TensorValue): TensorValue => ({ type, dims, data: data.slice() });

/** A copy of a tensor, or of the tensors of a sequence, with their own data. */
export function detached(value: HostValue): HostValue {
  if (isTensorValue(value)) return copyOf(value);
  return Array.isArray(value) ? value.map(detached) : value;
}

export function isTensorValue(value: unknown): value is TensorValue {
  const v = value as Partial<TensorValue> | null | undefined;
  return typeof v === 'object' && v !== null && typeof v.type === 'string' && v.type in ELEMENTS && 'data' in v;
}

/** The elements of an integer tensor as numbers; int64 beyond 2⁵³ is rounded. */
export const integers = (tensor: TensorValue): number[] => Array.from(tensor.data as ArrayLike<unknown>, Number);
