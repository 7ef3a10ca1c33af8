import type { TensorProto } from '../../build/onnx.js';
import { SardonyxError } from '../errors.js';
import type { ByteSource } from '../tensor/stored-tensor.js';

/**
 * Where to find bytes `offset` … `offset + length` of the file that a model knows as `path`; throws where there are none.
 */
export type ExternalData = (path: string, offset: number, length: number) => ByteSource;

/** A file that belongs to a model: the path by which the model refers to it, and its contents. */
export interface ExternalFile {
  readonly path: string;
  readonly data: Uint8Array;
}

const normal = (path: string): string => path.replace(/^(\.\/)+/, '');

export function externalFiles(files: readonly ExternalFile[]): ExternalData {
  const byPath = new Map(files.map(({ path, data }) => [normal(path), data]));
  return (path, offset, length) => {
    const data = byPath.get(normal(path));
    if (!data) {
      const given = [...byPath.keys()].map((name) => `"${name}"`).join(', ') || 'none';
      throw new SardonyxError('EXTERNAL_DATA', `external file "${path}" was not given; given: ${given}`);
    }
    if (offset + length > data.length) throw tooShort(path, data.length, offset, length);
    return () => data.subarray(offset, offset + length);
  };
}

export const tooShort = (path: string, size: number, offset: number, length: number): SardonyxError =>
  new SardonyxError(
    'EXTERNAL_DATA',
    `external file "${path}" has ${size} bytes; bytes ${offset} to ${offset + length} are wanted`,
  );

/** The source of the `length` bytes of an external tensor; every refusal names the tensor. */
export function readExternal(proto: TensorProto, length: number, source: ExternalData | undefined): ByteSource {
  const entries = new Map(proto.externalData.map(({ key, value }) => [key ?? '', value ?? '']));
  const refuse = (message: string, cause?: unknown) =>
    new SardonyxError('EXTERNAL_DATA', message, { value: proto.name }, { cause });
  const integer = (key: string, missing: number): number => {
    const written = entries.get(key);
    const value = written === undefined ? missing : /^\d+$/.test(written) ? Number(written) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw refuse(`external data has the ${key} "${written}", not a byte count`);
    return value;
  };

  const path = entries.get('location');
  if (!path) throw refuse('external data has no location');
  const offset = integer('offset', 0);
  const stated = integer('length', length);
  if (stated !== length) throw refuse(`external data has ${stated} bytes; its type and dims make ${length}`);
  if (!source) throw refuse(`its data is in the external file "${path}", which was not given (option externalData)`);
  try {
    return source(path, offset, length);
  } catch (cause) {
    throw refuse(cause instanceof Error ? cause.message : String(cause), cause);
  }
}
