import { builtin } from '../../bindings/builtin.js';
import { pageAddress } from '../../bindings/page-address.js';
import { hinted } from '../advice/hinted.js';
import { reading } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import { isA } from '../base/kind.js';
import { shown } from '../base/shown.js';
import { normal } from '../model/external-data.js';
import { type Incoming, incoming, request } from './incoming.js';
import type { Loading, LoadOptions } from './loading.js';

/** Bytes of a file or their source: a URL or path, a response, a chosen file, a stream, a file in OPFS. */
export type DataSource =
  | Uint8Array
  | ArrayBuffer
  | SharedArrayBuffer
  | string
  | URL
  | Blob
  | Response
  | ReadableStream<Uint8Array>
  | FileSystemFileHandle
  | KeptFile;

/** A file that belongs to a model: its path in the model, and its contents. */
export interface ExternalFile {
  /** The path of the file in the model. */
  readonly path: string;
  /** The file's contents or their source. */
  readonly data: DataSource;
}

/** A file in a store that knows the other files of its model, such as one from `cached` of `sardonyx/cache`. */
export interface KeptFile {
  /** The URL that the file was downloaded from. */
  readonly url: string;
  /** The contents of the file from the store; a path if it can be read in pieces. */
  open(): Promise<DataSource>;
  /** The file with this path in the model, if known. */
  beside(path: string, options: LoadOptions): Promise<DataSource | undefined>;
}

/** An opened source. */
export type Opened =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly name?: string; readonly beside?: Beside }
  | { readonly kind: 'path'; readonly path: string; readonly beside?: Beside }
  | { readonly kind: 'incoming'; readonly file: Incoming; readonly beside?: Beside };

/** Finds an external file by its path in the model. */
export type Beside = (path: string, options: LoadOptions) => Promise<DataSource | undefined>;

const ACCEPTED =
  'a model must be a URL, path, Uint8Array, ArrayBuffer, Blob, Response, ReadableStream or FileSystemFileHandle';

/**
 * Opens a source, and starts the transfer for a URL. `name` is its path in the model or the caller's name; errors use `unnamed` if there is
 * none.
 */
export async function openSource(
  source: DataSource,
  loading: Loading,
  name?: string,
  unnamed = 'model',
): Promise<Opened> {
  reading('the source of the model', () => isA(source, 'URL'));
  if (typeof source === 'string' && source.trim() === '')
    throw new SardonyxError('INVALID_ARGUMENT', `${name ?? unnamed}: the path is empty`);
  if (typeof source === 'string' || isA(source, 'URL')) return openPlace(source, loading, name);
  if (isA(source, 'Uint8Array')) return { kind: 'bytes', bytes: asOwn(source) };
  if (isBuffer(source)) return { kind: 'bytes', bytes: source.byteLength > 0 ? new Uint8Array(source) : NOTHING };
  if (isKept(source)) return openKept(source, loading, name);
  if (isA(source, 'Response')) return openResponse(source, name ?? (source.url || unnamed));
  if (isA(source, 'ReadableStream'))
    return { kind: 'incoming', file: { name: name ?? unnamed, stream: source, total: undefined, isExact: false } };
  if (isBlob(source)) return openBlob(source, name ?? (nameOf(source) || unnamed));
  if (isHandle(source)) return openBlob(await source.getFile(), name ?? (source.name || unnamed));
  throw noSource(source);
}

export const noSource = (source: unknown): SardonyxError =>
  hinted(new SardonyxError('INVALID_ARGUMENT', `${ACCEPTED}; got ${shown(source)}`), ({ noSource }, complaint) =>
    noSource(complaint, source),
  );

/** Stands in for a transferred buffer, which is empty and cannot be viewed. */
const NOTHING = new Uint8Array();

/**
 * External files by path.
 * @throws SardonyxError INVALID_ARGUMENT if they are not a valid list
 */
export function sourcesOf(given: readonly ExternalFile[]): Map<string, DataSource> {
  const files = reading('externalData', () => {
    const isWhole = Array.isArray(given) && given.every((file) => typeof file?.path === 'string' && file.data != null);
    return isWhole && new Map(given.map(({ path, data }) => [normal(path), data]));
  });
  if (files) return files;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    'externalData must be a list of { path, data }: the path in the model, and the file',
  );
}

export const isBuffer = (source: unknown): source is ArrayBuffer | SharedArrayBuffer =>
  isA(source, 'ArrayBuffer') || isA(source, 'SharedArrayBuffer');

export const isBlob = (source: unknown): source is Blob => isA(source, 'Blob') || isA(source, 'File');

/** The same bytes in an array of this realm. */
const asOwn = ({ buffer, byteOffset, length }: Uint8Array) =>
  length > 0 ? new Uint8Array(buffer, byteOffset, length) : NOTHING;

/** The model's part of a buffer, as in onnxruntime's arguments of `create`. */
export function partOf(source: DataSource, byteOffset: number, byteLength?: number): Uint8Array {
  if (!reading('the source of the model', () => isBuffer(source)))
    throw new SardonyxError('INVALID_ARGUMENT', 'an offset and length need an ArrayBuffer as the first argument');
  const buffer = source as ArrayBuffer;
  if (isRange(byteOffset, byteLength ?? 0, buffer.byteLength)) return new Uint8Array(buffer, byteOffset, byteLength);
  const range = `offset ${shown(byteOffset)} and length ${shown(byteLength)}`;
  throw new SardonyxError('INVALID_ARGUMENT', `${range} are outside a buffer of ${buffer.byteLength} bytes`);
}

const isRange = (offset: number, length: number, size: number) =>
  [offset, length].every((bytes) => Number.isInteger(bytes) && bytes >= 0) && offset + length <= size;

const hasMethod = (value: unknown, name: string) =>
  reading('the source of the model', () => typeof (value as Record<string, unknown> | null)?.[name] === 'function');

export const isKept = (source: unknown): source is KeptFile => hasMethod(source, 'open') && hasMethod(source, 'beside');
export const isHandle = (source: unknown): source is FileSystemFileHandle => hasMethod(source, 'getFile');

async function openPlace(source: string | URL, loading: Loading, name?: string): Promise<Opened> {
  const url = urlOf(source);
  if (!url && isContents(source as string))
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      'expected a path, got the contents of a file as text: read it as bytes with arrayBuffer(), or readFile without an encoding',
    );
  if (!url) return { kind: 'path', path: source as string };
  if (url.protocol === 'file:') {
    const node = builtin('url');
    if (node) return { kind: 'path', path: node.fileURLToPath(url) };
  }
  return openResponse(await request(url, loading.signal), name ?? url.href, url);
}

/** Whether a string is the contents of a file: a path is shorter and contains no NUL. */
const isContents = (text: string) => text.length > 4096 || text.includes('\0');

/** Opens a response; external files are fetched relative to its URL. */
function openResponse(response: Response, name?: string, asked?: URL): Opened {
  const file = incoming(response, name);
  const base = asked ?? (response.url || undefined);
  if (!base || !/^https?:/.test(String(base))) return { kind: 'incoming', file };
  return { kind: 'incoming', file, beside: async (path) => siblingOf(base, path) };
}

/** The URL of an external file. Models may be untrusted: the path must stay in the model's folder. */
export function siblingOf(base: string | URL, path: string): URL {
  const folder = new URL('.', base);
  const steps = path.split('/').filter((step) => step !== '.' && step !== '');
  const isBelow = !/^[/\\]|^[a-z][a-z+.-]*:|\\|\0/i.test(path) && !steps.includes('..') && steps.length > 0;
  if (!isBelow)
    throw new SardonyxError(
      'EXTERNAL_DATA',
      `external file ${JSON.stringify(path)} is not a relative path within the model's folder`,
    );
  const url = new URL(steps.map(encodeURIComponent).join('/'), folder);
  url.search = new URL(base).search;
  return url;
}

const nameOf = (blob: Blob): string | undefined => (blob as Partial<File>).name;

function openBlob(blob: Blob, name: string): Opened {
  const stream = blob.stream() as ReadableStream<Uint8Array>;
  return { kind: 'incoming', file: { name, stream, total: blob.size, isExact: true, contentType: blob.type } };
}

async function openKept(kept: KeptFile, loading: Loading, name = kept.url): Promise<Opened> {
  const opened = await openSource(await kept.open(), loading, name);
  const named = opened.kind === 'bytes' ? { ...opened, name } : opened;
  return { ...named, beside: (path, options) => kept.beside(path, options) };
}

/** The URL of `source`, or undefined for a path. In pages and workers, relative addresses are URLs. */
function urlOf(source: string | URL): URL | undefined {
  if (isA(source, 'URL')) return source;
  if (/^(https?|file|data|blob):/i.test(source)) return parsedUrl(source);
  const base = pageAddress();
  return base ? parsedUrl(source, base) : undefined;
}

export function parsedUrl(source: string | URL, base?: string): URL {
  try {
    return new URL(source, base);
  } catch (cause) {
    throw new SardonyxError('INVALID_ARGUMENT', `invalid URL ${shown(source)}`, {}, { cause });
  }
}
