import type { ByteSource } from '../tensor/stored-tensor.js';

/** Memory for bytes that arrive in parts. */
export interface Destination {
  write(offset: number, bytes: Uint8Array): void;
  readonly source: ByteSource;
}

/** Allocates memory for this number of bytes. */
export type Allocator = (bytes: number) => Destination;

/** Memory in the JavaScript heap. */
export const onHeap: Allocator = (length) => {
  const bytes = new Uint8Array(length);
  return { write: (offset, part) => bytes.set(part, offset), source: () => bytes };
};
