import { byteLength, ELEMENTS, type ElementType, type TypedArrayConstructor } from './element-types.js';
import { numbersOf, tensorOf } from './numbers.js';
import { narrowedRows, SCALE_BYTES, widenedRows } from './scaled-rows.js';
import { elementCount, type TensorValue } from './tensor-value.js';

/** Storage types of floating-point rows; `int8` rows are each followed by a scale. */
export type StoredType = 'float32' | 'float16' | 'int8';

export const STORED_TYPES: readonly StoredType[] = ['float32', 'float16', 'int8'];

/** Dims in storage of a tensor of `type`. */
export const storedDims = (dims: readonly number[], type: ElementType, stored: ElementType): readonly number[] =>
  stored === 'int8' && type !== 'int8' ? dims.with(-1, (dims.at(-1) as number) + SCALE_BYTES) : dims;

/** Dims of a tensor of `type` from those in storage. */
export const shownDims = (dims: readonly number[], type: ElementType, stored: ElementType): readonly number[] =>
  stored === 'int8' && type !== 'int8' ? dims.with(-1, (dims.at(-1) as number) - SCALE_BYTES) : dims;

export function arrayOf(type: ElementType, bytes: Uint8Array): TensorValue['data'] {
  const array = ELEMENTS[type].array as TypedArrayConstructor;
  const own = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
  return new array(own.buffer as never);
}

/** Converts the stored bytes of a tensor of `dims` from one storage type to another. */
export function storedAnew(bytes: Uint8Array, dims: readonly number[], from: ElementType, to: ElementType): Uint8Array {
  if (from === to) return bytes;
  const data = arrayOf(from, bytes);
  const stored = storedDims(dims, to, from);
  const numbers =
    from === 'int8' ? widenedRows({ dims: stored, data }) : numbersOf({ type: from, dims, data } as TensorValue);
  const made = to === 'int8' ? narrowedRows(numbers, dims.at(-1) as number) : tensorOf(to, dims, numbers).data;
  return bytesOf(made as Int8Array);
}

/** Bytes of a tensor of `dims` in storage. */
export const storedBytes = (dims: readonly number[], type: ElementType, stored: ElementType): number =>
  byteLength(stored, elementCount(storedDims(dims, type, stored)));

export const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
