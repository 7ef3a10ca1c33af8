import { readFileSync } from 'node:fs';
import { SardonyxError } from '../errors.js';
import type { ValueType } from '../graph/types.js';
import { readValue } from '../model/read-values.js';
import { readNpy } from '../tensor/npy.js';
import type { HostValue } from '../tensor/tensor-value.js';

export function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new SardonyxError('INVALID_ARGUMENT', `cannot read "${path}": ${(cause as Error).message}`, {}, { cause });
  }
}

/** The value in a .npy file or a serialized TensorProto, SequenceProto … of the kind expected. */
export function readValueFile(path: string, kind: ValueType['kind'] = 'tensor'): HostValue {
  const bytes = readBytes(path);
  try {
    return path.endsWith('.npy') ? readNpy(bytes) : readValue(bytes, kind);
  } catch (cause) {
    throw new SardonyxError('INVALID_VALUE', `${path}: ${(cause as Error).message}`, {}, { cause });
  }
}
