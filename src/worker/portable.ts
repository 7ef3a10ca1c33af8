import { urlOf } from '../../bindings/load.js';
import type { WasmOptions, WasmSource } from '../../bindings/wasm-options.js';
import type { ModelSource } from '../session/open-model.js';
import type { SessionOptions } from '../session/options.js';
import { type Passage, packArray } from './pack.js';

/** Anything with a model's bytes, or where to find them. */
export type PortableSource = ModelSource | Blob;

type External = NonNullable<SessionOptions['externalData']>[number]['data'];

/** The same source for a worker, whose own place is another: addresses in full. */
export function portableSource(source: PortableSource, buffers: Set<ArrayBuffer>, passage: Passage): PortableSource {
  if (source instanceof URL) return source.href;
  if (typeof source === 'string') return absolute(source);
  return isBytes(source) ? portableBytes(source, buffers, passage) : source;
}

/** In a page, relative addresses are URLs; elsewhere, paths. */
export const absolute = (source: string): string =>
  typeof document === 'undefined' ? source : new URL(source, document.baseURI).href;

export const isBytes = (source: unknown): source is Uint8Array | ArrayBuffer =>
  source instanceof Uint8Array || source instanceof ArrayBuffer;

/** Bytes in shared memory are shared. */
function portableBytes(bytes: Uint8Array | ArrayBuffer, buffers: Set<ArrayBuffer>, passage: Passage): Uint8Array {
  const array = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  return array.buffer instanceof ArrayBuffer ? packArray(array, buffers, passage) : array;
}

export function portableOptions(
  { externalData, ...options }: SessionOptions,
  buffers: Set<ArrayBuffer>,
  passage: Passage,
): SessionOptions {
  if (!externalData) return options;
  const portable = (data: External) => (isBytes(data) ? portableBytes(data, buffers, passage) : data);
  return { ...options, externalData: externalData.map(({ path, data }) => ({ path, data: portable(data) })) };
}

/** The settings for a worker, but for a function that finds binaries. */
export async function portableSettings({ sessionWorkerUrl, ...settings }: WasmOptions): Promise<WasmOptions> {
  const { source, wasmPaths, workerUrl } = settings;
  return {
    ...settings,
    source: typeof source === 'function' ? undefined : await portableBinary(source),
    wasmPaths: typeof wasmPaths === 'object' ? { wasm: portablePlace(wasmPaths.wasm) } : portablePlace(wasmPaths),
    workerUrl: portablePlace(workerUrl),
  };
}

const portablePlace = (place: URL | string | undefined) =>
  typeof place === 'string' ? urlOf(place).href : place?.href;

export async function portableBinary<T extends WasmSource | undefined>(source: T): Promise<T | WasmSource | undefined> {
  if (typeof source === 'string' || source instanceof URL) return portablePlace(source);
  return typeof Response !== 'undefined' && source instanceof Response ? bytesOf(source) : source;
}

const bodies = new WeakMap<Response, Promise<ArrayBuffer>>();

/** A response can be read once only. */
function bytesOf(response: Response): Promise<ArrayBuffer> {
  const body = bodies.get(response) ?? response.arrayBuffer();
  bodies.set(response, body);
  return body;
}
