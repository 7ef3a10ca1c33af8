import { builtin } from '../../bindings/builtin.js';
import { advised } from '../advice/advised.js';
import { GrowingBytes } from '../loading/growing-bytes.js';
import { receive } from '../loading/incoming.js';
import { Loading, type LoadOptions } from '../loading/loading.js';
import {
  type Beside,
  type DataSource,
  type ExternalFile,
  isBlob,
  isHandle,
  isKept,
  openSource,
} from '../loading/source.js';
import { frozen } from '../model/document/frozen.js';
import { fileOf, type LeftFile, rangeOf } from '../model/document/left-bytes.js';
import { located } from '../model/document/located.js';
import type { Files, Model } from '../model/document/model.js';
import { decodeFile } from '../model/document/skeleton.js';
import { normal } from '../model/external-data.js';
import { type RangedFile, rangesIn, rangesOf } from '../model/files.js';
import { noModel } from '../model/no-model.js';
import { modelOf, NO_FILES } from './model-of.js';
import { readAhead } from './read-ahead.js';

/** Options of `loadModel`. */
export interface LoadModelOptions extends LoadOptions {
  /** The external data files of the model, if they are not in the same folder. */
  readonly externalData?: readonly ExternalFile[] | undefined;
}

/**
 * Loads a model as a document that preserves everything in the file. From a path, a Blob or a file of OPFS, larger
 * weights are read only when they are needed.
 * @throws SardonyxError INVALID_MODEL, FILE_NOT_FOUND, FILE_UNREADABLE, DOWNLOAD, ABORTED
 */
export async function loadModel(source: DataSource, options: LoadModelOptions = {}): Promise<Model> {
  const loading = new Loading(options);
  try {
    loading.check();
    const found = await find(source, loading);
    const folder = 'path' in found ? folderOf(found.path) : undefined;
    const files = filesOf(options.externalData ?? [], folder, found.beside);
    refuseEmpty('bytes' in found ? found.bytes.length : found.file.size, nameOf(source));
    if ('bytes' in found) return await readHere(found.bytes, files, nameOf(source));
    const { file } = found;
    const proto = frozen(await decodeFile(file, nameOf(source)));
    return { proto, original: rangeOf(file, 0, file.size), files, ...(folder !== undefined && { folder }) };
  } catch (error) {
    throw await advised(error);
  } finally {
    loading.close();
  }
}

/** Refuses an empty file, which protobuf would decode as a message without fields. */
function refuseEmpty(size: number, name: string): void {
  if (size === 0) throw noModel({ name, head: new Uint8Array(), size, reach: 0 });
}

async function readHere(bytes: Uint8Array, files: Files, name: string): Promise<Model> {
  try {
    return modelOf(bytes, files);
  } catch (cause) {
    throw await located(cause, fileOf(bytes), name);
  }
}

/** The name of a source in error messages. */
const nameOf = (source: DataSource): string =>
  typeof source === 'string' ? source : isNamed(source) ? source.name : 'the file';

const isNamed = (source: DataSource): source is Extract<DataSource, { readonly name: string }> =>
  typeof source === 'object' && 'name' in source && typeof source.name === 'string' && source.name !== '';

/** An open file of any kind, and access to files next to it. */
export interface OpenedFile {
  readonly file: LeftFile;
  readonly files: Files;
  /** The path, if it is known. */
  readonly path?: string | undefined;
  readonly folder?: string | undefined;
}

/** Opens a file that is not a model, from the same sources as `loadModel`. */
export async function openBeside(source: DataSource, options: LoadModelOptions = {}): Promise<OpenedFile> {
  const loading = new Loading(options);
  try {
    loading.check();
    const found = await find(source, loading);
    const path = 'path' in found ? found.path : undefined;
    const folder = path === undefined ? undefined : folderOf(path);
    const files = filesOf(options.externalData ?? [], folder, found.beside);
    return { file: 'bytes' in found ? fileOf(found.bytes) : found.file, files, path, folder };
  } finally {
    loading.close();
  }
}

export function folderOf(path: string): string | undefined {
  const paths = builtin('path');
  return paths?.resolve(paths.dirname(path));
}

/** An open source: its bytes, or a file that can be read in ranges. */
type Found = { readonly beside?: Beside | undefined } & (
  | { readonly bytes: Uint8Array }
  | { readonly file: LeftFile }
  | { readonly file: LeftFile; readonly path: string }
);

/** Opens a source. A stream is read completely, as it can be read only once. */
export async function find(source: DataSource, loading: Loading, name?: string): Promise<Found> {
  if (isBlob(source)) return { file: inBlob(source) };
  if (isHandle(source)) return { file: inBlob(await source.getFile()) };
  if (isKept(source)) {
    const beside: Beside = (path, options) => source.beside(path, options);
    return { ...(await find(await source.open(), loading, source.url)), beside };
  }
  const opened = await openSource(source, loading, name);
  const { beside } = opened;
  if (opened.kind === 'path') return { file: readable(rangesOf(opened.path, opened.path)), path: opened.path, beside };
  if (opened.kind === 'bytes') return { bytes: opened.bytes, beside };
  const bytes = new GrowingBytes(opened.file.total);
  await receive(opened.file, loading, (part) => bytes.push(part));
  return { bytes: bytes.take(), beside };
}

function readable(file: RangedFile): LeftFile {
  const range = (begin: number, end: number) => file.ranges(begin, end - begin)();
  return { size: file.size, range, ahead: readAhead(file, range) };
}

export const inBlob = (blob: Blob): LeftFile => ({
  size: blob.size,
  range: async (begin, end) => new Uint8Array(await blob.slice(begin, end).arrayBuffer()),
});

/** Opens external data files: the given ones, or else those next to the model. */
export function filesOf(given: readonly ExternalFile[], folder: string | undefined, beside: Beside | undefined): Files {
  const sources = new Map(given.map(({ path, data }) => [normal(path), data]));
  const opened = new Map<string, Promise<LeftFile>>();
  const open = async (path: string): Promise<LeftFile> => {
    const source = sources.get(path);
    if (source === undefined && folder !== undefined) return readable(rangesIn(folder, path));
    const found = source ?? (await beside?.(path, {}));
    return found === undefined ? NO_FILES(path) : openFile(found);
  };
  return async (path) => {
    const name = normal(path);
    const file = opened.get(name) ?? open(name);
    opened.set(name, file);
    return file;
  };
}

async function openFile(source: DataSource): Promise<LeftFile> {
  const loading = new Loading({});
  try {
    const found = await find(source, loading);
    return 'bytes' in found ? fileOf(found.bytes) : found.file;
  } finally {
    loading.close();
  }
}
