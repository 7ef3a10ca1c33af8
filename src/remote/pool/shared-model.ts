import { builtin } from '../../../bindings/builtin.js';
import { isA } from '../../base/kind.js';
import { type Incoming, receive } from '../../loading/incoming.js';
import type { Loading } from '../../loading/loading.js';
import type { LoadProgress } from '../../loading/progress.js';
import {
  type DataSource,
  type ExternalFile,
  type KeptFile,
  type Opened,
  openSource,
  sourcesOf,
} from '../../loading/source.js';
import { copyAll, oneAfterAnother } from '../worker/in-pieces.js';

/**
 * A model for several workers. It and its external files, when first requested, are loaded once, into shared memory if available. Workers
 * read files on disk themselves.
 */
export async function sharedModel(
  source: DataSource,
  given: readonly ExternalFile[],
  loading: Loading,
): Promise<KeptFile> {
  const opened = await openSource(source, loading);
  const contents = await bring(opened, loading, opened.kind === 'path' ? opened.path : 'model');

  const sources = sourcesOf(given);
  const find = async (path: string) => {
    const { signal } = loading;
    const meter = loading.meter.file(path);
    const onProgress = ({ loaded, total }: LoadProgress) => meter(loaded, total);
    const data = sources.get(path) ?? (await opened.beside?.(path, { signal, onProgress }));
    return data === undefined ? undefined : bring(await openSource(data, loading, path), loading, path);
  };
  const files = new Map<string, Promise<DataSource | undefined>>();
  return {
    url: opened.kind === 'incoming' ? opened.file.name : 'model',
    open: async () => contents,
    beside(path) {
      const file = files.get(path) ?? find(path);
      files.set(path, file);
      return file;
    },
  };
}

/** Converts a path to a URL, because a string would be relative to a page if there is one, as in Electron. */
async function bring(opened: Opened, loading: Loading, name: string): Promise<Uint8Array | URL> {
  if (opened.kind === 'incoming') return receiveShared(opened.file, loading);
  const contents = opened.kind === 'path' ? fileUrl(opened.path) : await shared(opened.bytes);
  const size = opened.kind === 'path' ? sizeOf(opened.path) : opened.bytes.length;
  loading.meter.file(name)(size, size);
  return contents;
}

const fileUrl = (path: string) => (builtin('url') as typeof import('node:url')).pathToFileURL(path);

const sizeOf = (path: string) => builtin('fs')?.statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Allocates the announced size. Further bytes are collected first, in garbage-collected memory. */
async function receiveShared(file: Incoming, loading: Loading): Promise<Uint8Array> {
  if (file.isExact) loading.account?.demandAlone(file.total ?? 0, file.name);
  const room = allocate(file.isExact ? (file.total ?? 0) : 0);
  const beyond: Uint8Array[] = [];
  let length = 0;
  await receive(file, loading, (part) => {
    if (beyond.length === 0 && length + part.length <= room.length) room.set(part, length);
    else beyond.push(part.slice());
    length += part.length;
    loading.account?.demandAlone(length, file.name);
  });
  if (beyond.length === 0) return room.subarray(0, length);
  const whole = allocate(length);
  const inRoom = room.subarray(0, length - beyond.reduce((sum, part) => sum + part.length, 0));
  await copyAll(oneAfterAnother([inRoom, ...beyond], whole));
  return whole;
}

const isShared = ({ buffer }: Uint8Array) => !isA(buffer, 'ArrayBuffer');

async function shared(bytes: Uint8Array): Promise<Uint8Array> {
  if (isShared(bytes)) return bytes;
  const copy = allocate(bytes.length);
  await copyAll([{ from: bytes, to: copy }]);
  return copy;
}

function allocate(bytes: number): Uint8Array {
  const canShare = globalThis.crossOriginIsolated !== false && typeof SharedArrayBuffer !== 'undefined';
  return new Uint8Array(canShare ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
}
