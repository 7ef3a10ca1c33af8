/**
 * The bytes before the limits of the imported memory: its names and kind.
 * https://webassembly.github.io/spec/core/binary/modules.html#import-section
 */
const MEMORY = '\x03env\x06memory\x02';
const [OF_ONE, SHARED] = [1, 3];

/** Changes a binary of kernels to import shared memory. Only one byte differs: binaries for one thread have atomic instructions too. */
export function onSharedMemory(binary: ArrayBufferLike | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary as ArrayBuffer).slice();
  const limits = String.fromCharCode(...bytes.subarray(0, 4096)).indexOf(MEMORY) + MEMORY.length;
  if (bytes[limits] === OF_ONE) bytes[limits] = SHARED;
  return bytes;
}
