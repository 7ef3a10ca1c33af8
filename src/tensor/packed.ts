import { dataLength, ELEMENTS, type ElementType, type TypedArray } from './element-types.js';
import { emptyData } from './empty-data.js';
import { elementCount, type TensorValue } from './tensor-value.js';

export const isPacked = (type: ElementType): boolean => type !== 'string' && ELEMENTS[type].bits < 8;

/** Elements of less than a byte, low bits first, as one number each; two's complement if the type is signed. */
export function unpack(type: ElementType, data: ArrayLike<number>, count: number): Int8Array {
  const { bits } = ELEMENTS[type];
  const perByte = 8 / bits;
  const isSigned = type.startsWith('int');
  const shift = 8 - bits;
  const values = new Int8Array(count);
  for (let i = 0; i < count; i++) {
    const code = (data[Math.floor(i / perByte)] as number) >> (bits * (i % perByte));
    values[i] = isSigned ? (code << (24 + shift)) >> (24 + shift) : code & ((1 << bits) - 1);
  }
  return values;
}

/** The inverse of `unpack`; bits beyond the type's are dropped. */
export function pack(type: ElementType, values: ArrayLike<number>): Uint8Array | Int8Array {
  const { bits, array } = ELEMENTS[type];
  const perByte = 8 / bits;
  const bytes = new Uint8Array(dataLength(type, values.length));
  const mask = (1 << bits) - 1;
  for (let i = 0; i < values.length; i++) {
    const at = Math.floor(i / perByte);
    bytes[at] = (bytes[at] as number) | (((values[i] as number) & mask) << (bits * (i % perByte)));
  }
  return array === Int8Array ? new Int8Array(bytes.buffer) : bytes;
}

/** The entries of a tensor's data; elements of less than a byte are unpacked, so that they can be moved one by one. */
export const entriesOf = ({ type, dims, data }: TensorValue): TensorValue['data'] =>
  isPacked(type) ? unpack(type, data as Uint8Array, elementCount(dims)) : data;

/** An array for the entries of a tensor, filled with zeros or empty strings. */
export const emptyEntries = (type: ElementType, dims: readonly number[]): TypedArray | string[] =>
  emptyData(isPacked(type) ? 'int8' : type, dims);

/** The inverse of `entriesOf`. */
export const tensorOfEntries = (
  type: ElementType,
  dims: readonly number[],
  entries: TensorValue['data'],
): TensorValue => ({
  type,
  dims,
  data: isPacked(type) ? pack(type, entries as TypedArray as Int8Array) : entries,
});
