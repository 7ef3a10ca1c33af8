import type { TensorProto } from '../../../../build/onnx.js';
import { type Int64, toBigInt, toNumber } from '../../../model/int64.js';
import { byteLength, type ElementType, elementTypeOf } from '../../../tensor/element-types.js';
import { type Context, error } from '../context.js';
import { since } from './metadata.js';

/** The IR version that introduced each element type. All other types exist since version 1. */
const TYPES_SINCE: Partial<Record<ElementType, number>> = {
  bfloat16: 4,
  float8e4m3fn: 9,
  float8e4m3fnuz: 9,
  float8e5m2: 9,
  float8e5m2fnuz: 9,
  uint4: 10,
  int4: 10,
  float4e2m1: 11,
  float8e8m0: 12,
  uint2: 13,
  int2: 13,
};

/** The element type with a number; reports unknown numbers. */
export function knownElement(code: number, c: Context, value?: string): ElementType | undefined {
  const element = elementTypeOf(code);
  if (!element) {
    const known = code === 0 ? 'the element type is UNDEFINED' : `${code} is not an element type`;
    error(c, 'TYPE', known, { value, hint: 'TensorProto.DataType has 1 (FLOAT) to 26 (INT2)' });
  } else if (TYPES_SINCE[element]) since(TYPES_SINCE[element], element, c);
  return element;
}

/** The number of elements; a bigint, as a few bytes can claim more than 2⁵³. */
export const countOf = (dims: readonly Int64[]): bigint => dims.reduce((n, d) => n * toBigInt(d), 1n);

export const MAX_COUNT = 2n ** 63n - 1n;

/** The number of elements; undefined if the shape is invalid. */
export function elementsOf({ dims }: TensorProto): number | undefined {
  const count = countOf(dims);
  return dims.some((dim) => toNumber(dim) < 0) || count > MAX_COUNT ? undefined : Number(count);
}

/** The number of bytes of the tensor's elements; undefined if the type or shape is invalid. */
export function lengthOf(tensor: TensorProto): number | undefined {
  const element = elementTypeOf(tensor.dataType);
  const count = elementsOf(tensor);
  return element && count !== undefined ? byteLength(element, count) : undefined;
}

export const isExternal = ({ dataLocation }: TensorProto): boolean => dataLocation === 1;
