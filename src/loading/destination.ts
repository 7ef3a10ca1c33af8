import type { ByteSource } from '../tensor/stored-tensor.js';

/** Room for bytes that arrive in parts. */
export interface Destination {
  write(offset: number, bytes: Uint8Array): void;
  readonly source: ByteSource;
}

/** Makes room for so many bytes. */
export type Allocator = (bytes: number) => Destination;

/** Bytes in JavaScript's memory. */
export const onHeap: Allocator = (length) => {
  const bytes = new Uint8Array(length);
  return { write: (offset, part) => bytes.set(part, offset), source: () => bytes };
};
