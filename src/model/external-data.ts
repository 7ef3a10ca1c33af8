import type { TensorProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import type { ByteSource } from '../tensor/stored-tensor.js';
import { OWN_FILE } from './skeleton.js';

/** Normalizes a path in a model's folder. */
export const normal = (path: string): string => path.replace(/^(\.\/)+/, '');

/** Returns the source of bytes `offset` … `offset + length` of the file at `path` in the model. Throws an error if they do not exist. */
export type ExternalData = (path: string, offset: number, length: number) => ByteSource;

/** `ExternalData` of a single file. */
export type FileRanges = (offset: number, length: number) => ByteSource;

/** External data from `files`, by path, and others from `rest`. `given` are the paths that the caller has provided. */
export function externalFiles(
  files: ReadonlyMap<string, FileRanges>,
  rest?: ExternalData,
  given: readonly string[] = [...files.keys()].filter((name) => name !== OWN_FILE),
): ExternalData {
  return (path, offset, length) => {
    const file = files.get(normal(path));
    if (file) return file(offset, length);
    const names = given.map((name) => `"${name}"`).join(', ') || 'none';
    const refuse = (complaint: string, cause?: unknown) =>
      new SardonyxError(
        'EXTERNAL_DATA',
        `${complaint}; given: ${names}; pass { path: "${path}", data } in externalData`,
        {},
        { cause },
      );
    if (!rest) throw refuse(`external file "${path}" was not given`);
    try {
      return rest(path, offset, length);
    } catch (error) {
      throw path !== OWN_FILE && isAbsence(error) ? refuse(error.complaint, error.cause) : error;
    }
  };
}

const isAbsence = (error: unknown): error is SardonyxError =>
  error instanceof SardonyxError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

/** A file in memory. */
export function fileInMemory(path: string, data: Uint8Array): FileRanges {
  return (offset, length) => {
    if (offset + length > data.length) throw tooShort(path, data.length, offset, length);
    return () => data.subarray(offset, offset + length);
  };
}

export const tooShort = (path: string, size: number, offset: number, length: number): SardonyxError =>
  new SardonyxError(
    'EXTERNAL_DATA',
    `external file "${path}" has ${size} bytes, but the model reads ${offset} to ${offset + length}`,
  );

/** The source of the `length` bytes of an external tensor. Every error names the tensor. */
export function readExternal(proto: TensorProto, length: number, source: ExternalData | undefined): ByteSource {
  const entries = new Map(proto.externalData.map(({ key, value }) => [key ?? '', value ?? '']));
  const refuse = (message: string, cause?: unknown) =>
    new SardonyxError('EXTERNAL_DATA', message, { value: proto.name }, { cause });
  const integer = (key: string, missing: number): number => {
    const written = entries.get(key);
    const value = written === undefined ? missing : /^\d+$/.test(written) ? Number(written) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw refuse(`the ${key} "${written}" of external data is not a byte count`);
    return value;
  };

  const path = entries.get('location');
  if (!path) throw refuse('external data has no location');
  const offset = integer('offset', 0);
  const stated = integer('length', length);
  if (stated !== length) throw refuse(`external data has ${stated} bytes; its type and dims need ${length}`);
  if (!source) throw refuse(`its data is in "${path}": pass it in externalData`);
  try {
    return source(path, offset, length);
  } catch (thrown) {
    const cause = thrown instanceof SardonyxError ? thrown.cause : thrown;
    throw refuse(thrown instanceof Error ? thrown.message : String(thrown), cause);
  }
}
