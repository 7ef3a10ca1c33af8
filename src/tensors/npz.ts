import { unzipSync } from 'fflate';
import { SardonyxError } from '../base/errors.js';
import { isA } from '../base/kind.js';
import { readNpy } from '../tensor/npy.js';
import type { Tensor } from '../tensor/tensor.js';

const SUFFIX = /\.npy$/;

/**
 * Reads the arrays in a .npz file, compressed or not, by name.
 * @throws SardonyxError INVALID_VALUE if the bytes are not a .npz file, or an array in it has an unsupported type
 */
export function readNpz(file: Uint8Array | ArrayBuffer): Record<string, Tensor> {
  const arrays = Object.entries(unzipped(isA(file, 'Uint8Array') ? file : new Uint8Array(file)));
  return Object.fromEntries(arrays.map(([name, bytes]) => [name.replace(SUFFIX, ''), named(name, bytes)]));
}

function unzipped(bytes: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes);
  } catch (cause) {
    throw new SardonyxError(
      'INVALID_VALUE',
      `these bytes are no .npz file: ${(cause as Error).message}`,
      {},
      { cause },
    );
  }
}

function named(name: string, bytes: Uint8Array): Tensor {
  try {
    return readNpy(bytes);
  } catch (cause) {
    throw new SardonyxError('INVALID_VALUE', `${name}: ${(cause as Error).message}`, {}, { cause });
  }
}
