import { builtin } from '../../bindings/builtin.js';
import { SardonyxError } from '../errors.js';
import type { Model } from '../graph/graph.js';
import { type ExternalData, tooShort } from './external-data.js';
import { OWN_FILE, readSkeleton } from './file-skeleton.js';
import { readModel } from './read-model.js';

type FileSystem = typeof import('node:fs');

function files(): { fs: FileSystem; path: typeof import('node:path') } {
  const fs = builtin('fs');
  const path = builtin('path');
  if (fs && path) return { fs, path };
  throw new SardonyxError(
    'UNSUPPORTED_PLATFORM',
    'there is no file system here: give the bytes of the model, or a URL',
  );
}

/**
 * Reads a model; its larger tensors, in the file itself and in those beside it, are read when they are asked for. For
 * Node, Deno and Bun.
 */
export async function loadModelFile(path: string): Promise<Model> {
  const {
    fs,
    path: { dirname },
  } = files();
  const external = await folderData(dirname(path));
  const refuse = (cause: unknown) =>
    new SardonyxError('INVALID_ARGUMENT', `cannot read the model "${path}": ${reason(cause)}`, {}, { cause });
  let bytes: Uint8Array;
  try {
    bytes = skeletonOf(fs, path) ?? fs.readFileSync(path);
  } catch (cause) {
    throw refuse(cause);
  }
  const size = fs.statSync(path).size;
  const own = sourceIn(fs, path, size);
  return readModel(bytes, {
    externalData: (name, offset, length) => (name === OWN_FILE ? own(offset, length) : external(name, offset, length)),
  });
}

/** The model without its larger tensors; undefined where it is malformed, which reading it whole will say better. */
function skeletonOf(fs: FileSystem, path: string): Uint8Array | undefined {
  const file = fs.openSync(path, 'r');
  try {
    return readSkeleton((offset, length) => readRange(fs, file, offset, length), fs.fstatSync(file).size);
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  } finally {
    fs.closeSync(file);
  }
}

/** Sources of byte ranges of one file, which is opened for each reading. */
function sourceIn(fs: FileSystem, path: string, size: number, name = path) {
  return (offset: number, length: number) => {
    if (offset + length > size) throw tooShort(name, size, offset, length);
    return () => {
      const bytes = readFrom(fs, path, offset, length);
      if (bytes.length < length) throw tooShort(name, offset + bytes.length, offset, length);
      return bytes;
    };
  };
}

function readFrom(fs: FileSystem, path: string, offset: number, length: number): Uint8Array {
  let file: number | undefined;
  try {
    file = fs.openSync(path, 'r');
    return readRange(fs, file, offset, length);
  } catch (cause) {
    throw new SardonyxError('EXTERNAL_DATA', `weights cannot be read from "${path}": ${reason(cause)}`, {}, { cause });
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

/**
 * External data in files of a folder. Models come from strangers: a path may not leave the folder, be it by its
 * spelling or by symbolic links, and only regular files are read.
 */
export async function folderData(folder: string): Promise<ExternalData> {
  const {
    fs,
    path: { join, sep },
  } = files();
  return (path, offset, length) => {
    const refuse = (why: string, cause?: unknown) =>
      new SardonyxError('EXTERNAL_DATA', `external file ${JSON.stringify(path)} ${why}`, {}, { cause });
    if (!staysBelow(path)) throw refuse("is not a relative path within the model's folder");
    try {
      const root = fs.realpathSync(folder);
      const real = fs.realpathSync(join(root, path));
      if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) throw refuse("leads out of the model's folder");
      const facts = fs.statSync(real);
      if (!facts.isFile()) throw refuse('is not a regular file');
      fs.accessSync(real, fs.constants.R_OK);
      return sourceIn(fs, real, facts.size, path)(offset, length);
    } catch (cause) {
      throw cause instanceof SardonyxError ? cause : refuse(`cannot be read: ${reason(cause)}`, cause);
    }
  };
}

/** No absolute path, drive, backslash, NUL or step upwards. */
function staysBelow(path: string): boolean {
  return path !== '' && !/^[a-z]:|^\/|\\|\0/i.test(path) && !path.split('/').includes('..');
}

function readRange(fs: FileSystem, file: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const MOST_AT_ONCE = 2 ** 30;
  let done = 0;
  while (done < length) {
    const count = fs.readSync(file, bytes, done, Math.min(length - done, MOST_AT_ONCE), offset + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
