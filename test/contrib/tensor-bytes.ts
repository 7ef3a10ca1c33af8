import { ELEMENTS, type ElementType } from '../../src/tensor/element-types.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';

type Bytes = { readonly buffer: ArrayBufferLike; readonly byteOffset: number; readonly byteLength: number };

export function bytesOfData(data: TensorValue['data']): Buffer {
  const { buffer, byteOffset, byteLength } = data as unknown as Bytes;
  return Buffer.from(buffer, byteOffset, byteLength);
}

type FromBuffer = new (buffer: ArrayBuffer) => TensorValue['data'];

/** Bytes, copied and so aligned, as the array that tensors of a type have. */
export const dataOfBytes = (type: ElementType, bytes: Uint8Array): TensorValue['data'] =>
  new (ELEMENTS[type].array as unknown as FromBuffer)(new Uint8Array(bytes).buffer);
