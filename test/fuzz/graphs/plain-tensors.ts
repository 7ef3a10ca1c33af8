import { ELEMENTS } from '../../../src/tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../src/tensor/numbers.js';
import { isPacked } from '../../../src/tensor/packed.js';
import { elementCount, type HostValue, isTensorValue, type TensorValue } from '../../../src/tensor/tensor-value.js';
import type { Plain, PlainArray, PlainValue } from '../reference/array.js';

const isWide = (type: TensorValue['type']) => type === 'int64' || type === 'uint64';

/** The tensor that the runtime is given; floats are rounded to their type. */
export function tensorOfPlain({ type, dims, data }: PlainArray): TensorValue {
  if (type === 'string') return { type, dims, data: data as readonly string[] };
  if (isWide(type))
    return { type, dims, data: (type === 'int64' ? BigInt64Array : BigUint64Array).from(data as readonly bigint[]) };
  return tensorOf(type, dims, data as readonly number[]);
}

export function plainOfTensor(tensor: TensorValue): PlainArray {
  const { type, dims, data } = tensor;
  if (type.startsWith('complex')) throw new Error('complex numbers have no plain form');
  const isExact = type === 'string' || isWide(type);
  const values = isExact ? [...(data as readonly Plain[])] : Array.from(numbersOf(tensor));
  return { type, dims: [...dims], data: isPacked(type) ? values.slice(0, elementCount(dims)) : values };
}

export function plainOfValue(value: HostValue): PlainValue {
  if (isTensorValue(value)) return plainOfTensor(value);
  if (Array.isArray(value)) return value.map(plainOfValue) as PlainArray[];
  if (value === null) return null;
  throw new Error('maps have no plain form');
}

export const valueOfPlain = (value: PlainValue): HostValue =>
  value === null || Array.isArray(value)
    ? ((value as readonly PlainValue[] | null)?.map(valueOfPlain) ?? null)
    : tensorOfPlain(value as PlainArray);

export const isPlainArray = (value: PlainValue | undefined): value is PlainArray =>
  value !== null && value !== undefined && !Array.isArray(value);

export const isFloating = (type: TensorValue['type']): boolean => /^b?float/.test(type);

/** Floats as a tensor of that type holds them. */
export const rounded = (value: PlainArray): PlainArray =>
  isFloating(value.type) && value.type !== 'float64' ? plainOfTensor(tensorOfPlain(value)) : value;

export const sizeOf = ({ dims }: PlainArray): number => elementCount(dims);
export const bitsOf = (type: TensorValue['type']): number => ELEMENTS[type].bits;
