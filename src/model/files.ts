import { SardonyxError } from '../errors.js';
import type { Model } from '../graph/graph.js';
import { type ExternalData, tooShort } from './external-data.js';
import { readModel } from './read-model.js';

/** Reads a model and, as its tensors ask for them, the external files beside it. For Node, Deno and Bun. */
export async function loadModelFile(path: string): Promise<Model> {
  const [fs, { dirname }] = await Promise.all([import('node:fs'), import('node:path')]);
  let bytes: Uint8Array;
  try {
    bytes = fs.readFileSync(path);
  } catch (cause) {
    throw new SardonyxError('INVALID_ARGUMENT', `cannot read the model "${path}": ${reason(cause)}`, {}, { cause });
  }
  return readModel(bytes, { externalData: await folderData(dirname(path)) });
}

/**
 * External data in files of a folder. Models come from strangers: a path may not leave the folder, be it by its
 * spelling or by symbolic links, and only regular files are read.
 */
export async function folderData(folder: string): Promise<ExternalData> {
  const [fs, { join, sep }] = await Promise.all([import('node:fs'), import('node:path')]);
  return (path, offset, length) => {
    const refuse = (why: string, cause?: unknown) =>
      new SardonyxError('EXTERNAL_DATA', `external file ${JSON.stringify(path)} ${why}`, {}, { cause });
    if (!staysBelow(path)) throw refuse("is not a relative path within the model's folder");

    let file: number;
    try {
      const root = fs.realpathSync(folder);
      const real = fs.realpathSync(join(root, path));
      if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) throw refuse("leads out of the model's folder");
      if (!fs.statSync(real).isFile()) throw refuse('is not a regular file');
      file = fs.openSync(real, 'r');
    } catch (cause) {
      throw cause instanceof SardonyxError ? cause : refuse(`cannot be read: ${reason(cause)}`, cause);
    }
    try {
      const { size } = fs.fstatSync(file);
      if (offset + length > size) throw tooShort(path, size, offset, length);
      return readRange(fs, file, offset, length);
    } finally {
      fs.closeSync(file);
    }
  };
}

/** No absolute path, drive, backslash, NUL or step upwards. */
function staysBelow(path: string): boolean {
  return path !== '' && !/^[a-z]:|^\/|\\|\0/i.test(path) && !path.split('/').includes('..');
}

function readRange(fs: typeof import('node:fs'), file: number, offset: number, length: number): Uint8Array {
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
