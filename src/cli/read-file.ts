import { readFileSync } from 'node:fs';
import { SardonyxError } from '../base/errors.js';
import type { ValueType } from '../graph/types.js';
import { readValue } from '../model/read-values.js';
import { readNpy } from '../tensor/npy.js';
import type { HostValue } from '../tensor/tensor-value.js';

export function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'FILE_NOT_FOUND' : 'FILE_UNREADABLE';
    throw new SardonyxError(code, `cannot read "${path}": ${(cause as Error).message}`, {}, { cause });
  }
}

export const isNpy = (bytes: Uint8Array): boolean =>
  Array.from('\x93NUMPY').every((character, i) => bytes[i] === character.charCodeAt(0));

/** The value in a .npy file or a serialized TensorProto, SequenceProto … of the kind expected. */
export const readValueFile = (path: string, kind: ValueType['kind'] = 'tensor'): HostValue =>
  valueIn(readBytes(path), path, kind);

export function valueIn(bytes: Uint8Array, path: string, kind: ValueType['kind'] = 'tensor'): HostValue {
  try {
    return isNpy(bytes) || path.endsWith('.npy') ? readNpy(bytes) : readValue(bytes, kind);
  } catch (cause) {
    throw new SardonyxError('INVALID_VALUE', `${path}: ${(cause as Error).message}`, {}, { cause });
  }
}
