import { urlOf } from '../../../bindings/load.js';
import { pageAddress } from '../../../bindings/page-address.js';
import type { WasmOptions, WasmSource } from '../../../bindings/wasm-options.js';
import { isCopied, type Passage, packArray } from '../../../workers/pack.js';
import { type SentStream, send } from '../../../workers/streams.js';
import { SardonyxError } from '../../base/errors.js';
import { isA } from '../../base/kind.js';
import { incoming } from '../../loading/incoming.js';
import { isBlob, isKept, sourcesOf } from '../../loading/source.js';
import type { ModelSource } from '../../session/open-model.js';
import type { SessionOptions } from '../../session/options.js';
import { isBackend } from '../../session/providers.js';
import { copyInPieces, PIECE } from './in-pieces.js';

/** A model's bytes or their source. */
export type PortableSource = ModelSource;

type ExternalFile = NonNullable<SessionOptions['externalData']>[number];

/** The transfer list of a message to a worker. */
export interface Cargo {
  /** Buffers to transfer. */
  readonly buffers: Set<Transferable>;
  /** Streams to end when they are no longer read. */
  readonly streams: Set<SentStream>;
}

/** The same source for a worker, which has another base URL: addresses are absolute, and streams are sent through a port. */
export async function portableSource(
  source: PortableSource,
  { buffers, streams }: Cargo,
  passage: Passage,
): Promise<PortableSource | MessagePort> {
  if (isA(source, 'URL')) return source.href;
  if (typeof source === 'string') return absolute(source);
  if (isBytes(source)) return portableBytes(source, buffers, passage);
  const stream = isA(source, 'Response') ? incoming(source).stream : isUncloneable(source) ? source.stream() : source;
  if (!isA(stream, 'ReadableStream')) return source;
  if (stream.locked)
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      'the stream of the model is locked by another reader and cannot be sent',
    );
  const sent = send(stream);
  streams.add(sent);
  buffers.add(sent.port);
  return sent.port;
}

/** Whether a Blob cannot be cloned, because it is a file on disk in Node. */
function isUncloneable(source: PortableSource): source is Blob {
  try {
    if (isBlob(source)) structuredClone(source);
    return false;
  } catch {
    return true;
  }
}

/** A source that can be posted; a cached file is opened. */
export const unkept = async (source: PortableSource): Promise<PortableSource> =>
  isKept(source) ? source.open() : source;

/** In pages and their workers, relative addresses are URLs; elsewhere they are paths. */
export function absolute(source: string): string {
  const page = pageAddress();
  return page ? new URL(source, page).href : source;
}

export const isBytes = (source: unknown): source is Uint8Array | ArrayBuffer =>
  isA(source, 'Uint8Array') || isA(source, 'ArrayBuffer');

/** Bytes in a form that can be posted. Shared memory is shared. */
async function portableBytes(
  bytes: Uint8Array | ArrayBuffer,
  buffers: Set<Transferable>,
  passage: Passage,
): Promise<Uint8Array> {
  const array = isA(bytes, 'Uint8Array') ? bytes : new Uint8Array(bytes);
  if (!isA(array.buffer, 'ArrayBuffer')) return array;
  if (array.length <= PIECE || !isCopied(array, passage)) return packArray(array, buffers, passage);
  const copy = new Uint8Array(array.length);
  await copyInPieces([{ from: array, to: copy }]);
  buffers.add(copy.buffer);
  return copy;
}

export async function portableOptions(
  { externalData, ...options }: SessionOptions,
  cargo: Cargo,
  passage: Passage,
): Promise<SessionOptions> {
  const stuck = [options.executionProviders ?? []].flat().find(isBackend);
  if (stuck)
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `executionProviders: the backend "${stuck.name}" cannot be sent to a worker; use 'wasm' or 'reference'`,
    );
  if (!externalData) return options;
  const portable = async ([path, data]: readonly [string, ModelSource]) => ({
    path,
    data: await portableSource(data, cargo, passage),
  });
  const files = await Promise.all([...sourcesOf(externalData)].map(portable));
  return { ...options, externalData: files as readonly ExternalFile[] };
}

/** The settings for a worker, without a function that finds binaries. */
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
  if (typeof source === 'string' || isA(source, 'URL')) return portablePlace(source);
  return isA(source, 'Response') ? bytesOf(source) : source;
}

const bodies = new WeakMap<Response, Promise<ArrayBuffer>>();

/** The bytes of a response, cached because it can be read only once. */
function bytesOf(response: Response): Promise<ArrayBuffer> {
  if (response.bodyUsed && !bodies.has(response))
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      'the response in env.wasm.source was already read: pass a module or bytes',
    );
  const body = bodies.get(response) ?? response.arrayBuffer();
  bodies.set(response, body);
  return body;
}
