import { builtin } from '../../bindings/builtin.js';
import { hinted } from '../advice/hinted.js';
import { SardonyxError } from '../base/errors.js';
import { looksLikeText, SHOWN, type Suspect } from '../base/first-bytes.js';
import { type ExternalData, type FileRanges, tooShort } from './external-data.js';
import { noModel } from './no-model.js';
import { cursorAtStart, Malformed, OWN_FILE, readSkeleton } from './skeleton.js';

type FileSystem = typeof import('node:fs');
type Facts = Pick<import('node:fs').Stats, 'size' | 'mtimeMs'>;

/** A model in a folder. Large tensors, in the file itself or in external files, are read on access. */
export interface ModelFile {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly external: ExternalData;
  readonly suspect: () => Suspect;
}

/** Opens a model in Node, Deno or Bun. */
export function openModelFile(path: string): ModelFile {
  const { fs, dirname } = fileSystem(path);
  try {
    const facts = fs.statSync(path);
    const { bytes, suspect } = skeletonIn(fs, path);
    const own = sourceIn(fs, path, facts);
    const folder = dirname(path);
    const external: ExternalData = (name, ...range) =>
      name === OWN_FILE ? own(...range) : rangesIn(folder, name).ranges(...range);
    return { bytes, size: facts.size, external, suspect };
  } catch (cause) {
    throw unreadable('the model ', path, cause);
  }
}

/** A file whose ranges are read on demand. */
export interface RangedFile {
  readonly size: number;
  readonly ranges: FileRanges;
  /** The path, and the time of the last change. */
  readonly path: string;
  readonly mtimeMs: number;
}

/** Opens any file for reads of ranges on demand. */
export function rangesOf(path: string, name: string): RangedFile {
  const { fs } = fileSystem(path);
  try {
    const { size, mtimeMs } = fs.statSync(path);
    return { size, mtimeMs, path, ranges: sourceIn(fs, path, { size, mtimeMs }, name) };
  } catch (cause) {
    throw unreadable('', path, cause);
  }
}

function fileSystem(path: string) {
  const [fs, paths] = [builtin('fs'), builtin('path')];
  if (fs && paths) return { fs, ...paths };
  throw new SardonyxError(
    'UNSUPPORTED_PLATFORM',
    `cannot read "${path}": there is no file system here; pass a URL or bytes`,
  );
}

const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);

function unreadable(what: string, path: string, cause: unknown): unknown {
  if (cause instanceof SardonyxError) return cause;
  const { fs, resolve, dirname } = fileSystem(path);
  const place = resolve(path);
  const { code } = cause as NodeJS.ErrnoException;
  const isAbsent = ABSENT.has(code);
  const reason = isAbsent ? `there is no file ${place}` : reasonOf(cause);
  const error = new SardonyxError(
    isAbsent ? 'FILE_NOT_FOUND' : 'FILE_UNREADABLE',
    `cannot read ${what}"${path}": ${reason}`,
    {},
    { cause },
  );
  const folder = code === 'EISDIR' ? place : dirname(place);
  return hinted(error, ({ unreadableFile }, complaint) =>
    unreadableFile(complaint, path, place, code, () => fs.readdirSync(folder)),
  );
}

/** The model without its large tensors. */
function skeletonIn(fs: FileSystem, path: string): Pick<ModelFile, 'bytes' | 'suspect'> {
  const file = fs.openSync(path, 'r');
  const cursor = cursorAtStart();
  try {
    const { size } = fs.fstatSync(file);
    const read = (offset: number, length: number) => readRange(fs, file, offset, length);
    const head = read(0, Math.min(size, SHOWN));
    const suspect = () => ({ name: path, head, size, reach: cursor.reach });
    if (looksLikeText(head)) throw noModel(suspect());
    try {
      return { bytes: readSkeleton(read, size, cursor), suspect };
    } catch (cause) {
      throw cause instanceof Malformed ? noModel(suspect(), cause.message, cause) : cause;
    }
  } finally {
    fs.closeSync(file);
  }
}

/** Tables of at least this size in bytes stay in their file; runs read rows from it. */
const TABLE_BYTES = 1 << 24;

/** Sources of byte ranges of one file, which is opened for each read. */
function sourceIn(fs: FileSystem, path: string, { size, mtimeMs }: Facts, name = path): FileRanges {
  return (offset, length) => {
    if (offset + length > size) throw tooShort(name, size, offset, length);
    const read = (work: (from: (target: Uint8Array, at: number) => void) => void) =>
      reading(fs, path, (file) => {
        if (fs.fstatSync(file).mtimeMs !== mtimeMs) throw new Error('it has changed since the model was opened');
        work((target, at) => {
          const count = fill(fs, file, target, offset + at);
          if (count < target.length) throw tooShort(name, offset + at + count, offset, length);
        });
      });
    const into = (target: Uint8Array, at: number) => read((from) => from(target, at));
    const whole = () => {
      const bytes = new Uint8Array(length);
      into(bytes, 0);
      return bytes;
    };
    const rows = (wanted: readonly number[], rowBytes: number) => {
      const bytes = new Uint8Array(wanted.length * rowBytes);
      read((from) => {
        for (const [i, row] of wanted.entries()) from(bytes.subarray(i * rowBytes, (i + 1) * rowBytes), row * rowBytes);
      });
      return bytes;
    };
    return Object.assign(whole, { into, ...(length >= TABLE_BYTES && { rows }) });
  };
}

/** Runs `work` with an open file. */
function reading(fs: FileSystem, path: string, work: (file: number) => void): void {
  let file: number | undefined;
  try {
    file = fs.openSync(path, 'r');
    work(file);
  } catch (cause) {
    if (cause instanceof SardonyxError) throw cause;
    throw new SardonyxError('EXTERNAL_DATA', `cannot read weights from "${path}": ${reasonOf(cause)}`, {}, { cause });
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

/**
 * An external file at `path` of a model in a folder. Models may be untrusted: neither the path nor symbolic links may leave the folder, and
 * only regular files are read.
 */
export function rangesIn(folder: string, path: string): RangedFile {
  const { fs, join, sep, resolve } = fileSystem(folder);
  const refuse = (why: string, cause?: unknown) =>
    new SardonyxError('EXTERNAL_DATA', `external file ${JSON.stringify(path)} ${why}`, {}, { cause });
  if (!staysBelow(path)) throw refuse("is not a relative path within the model's folder");
  try {
    const root = fs.realpathSync(folder);
    const real = fs.realpathSync(join(root, path));
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) throw refuse("is outside the model's folder");
    const facts = fs.statSync(real);
    if (!facts.isFile()) throw refuse('is not a regular file');
    fs.closeSync(fs.openSync(real, 'r'));
    const { size, mtimeMs } = facts;
    return { size, mtimeMs, path: real, ranges: sourceIn(fs, real, facts, path) };
  } catch (cause) {
    if (cause instanceof SardonyxError) throw cause;
    const isAbsent = ABSENT.has((cause as NodeJS.ErrnoException).code);
    throw refuse(
      isAbsent ? `is not in the model's folder, ${resolve(folder)}` : `cannot be read: ${reasonOf(cause)}`,
      cause,
    );
  }
}

/** Whether a path is relative and contains no drive, backslash, NUL or `..`. */
function staysBelow(path: string): boolean {
  return path !== '' && !/^[a-z]:|^\/|\\|\0/i.test(path) && !path.split('/').includes('..');
}

function readRange(fs: FileSystem, file: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, fill(fs, file, bytes, offset));
}

const MOST_AT_ONCE = 2 ** 30;

/** Buffer size for reads into shared memory, which not every runtime supports directly. */
const SHARED_AT_ONCE = 2 ** 20;

/** Reads into `target` from `offset` of the file on, and returns the number of bytes. */
function fill(fs: FileSystem, file: number, target: Uint8Array, offset: number): number {
  const between = target.buffer instanceof ArrayBuffer ? null : new Uint8Array(Math.min(target.length, SHARED_AT_ONCE));
  let done = 0;
  while (done < target.length) {
    const wanted = Math.min(target.length - done, between?.length ?? MOST_AT_ONCE);
    const count = fs.readSync(file, between ?? target, between ? 0 : done, wanted, offset + done);
    if (count === 0) break;
    if (between) target.set(between.subarray(0, count), done);
    done += count;
  }
  return done;
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
