import { SardonyxError } from '../base/errors.js';
import type { ValueType } from '../graph/types.js';
import type { DataSource } from '../loading/source.js';
import { readValue } from '../model/read-values.js';
import { readNpy } from '../tensor/npy.js';
import type { HostValue } from '../tensor/tensor-value.js';
import type { FolderFile } from './folder/folder.js';
import { openBeside } from './load-model.js';

export const isNpy = (bytes: Uint8Array): boolean =>
  Array.from('\x93NUMPY').every((character, i) => bytes[i] === character.charCodeAt(0));

/**
 * Reads the value in a .npy file or a serialized TensorProto, SequenceProto … of the expected kind. `path` is for error
 * messages.
 */
export function valueIn(bytes: Uint8Array, path: string, kind: ValueType['kind'] = 'tensor'): HostValue {
  try {
    return isNpy(bytes) || path.endsWith('.npy') ? readNpy(bytes) : readValue(bytes, kind);
  } catch (cause) {
    throw new SardonyxError('INVALID_VALUE', `${path}: ${(cause as Error).message}`, {}, { cause });
  }
}

/** Reads all bytes of a file. */
export async function bytesFrom(source: DataSource): Promise<Uint8Array> {
  const { file } = await openBeside(source);
  return file.range(0, file.size);
}

/** Reads the value in a file of a folder. */
export const readValueFile = async (file: FolderFile, kind?: ValueType['kind']): Promise<HostValue> =>
  valueIn(await bytesFrom(file), file.url, kind);
