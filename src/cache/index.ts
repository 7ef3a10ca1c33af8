import { pageAddress } from '../../bindings/page-address.js';
import { optionsOf } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import { Loading, type LoadOptions } from '../loading/loading.js';
import type { LoadProgress } from '../loading/progress.js';
import { type KeptFile, parsedUrl, siblingOf } from '../loading/source.js';
import { browserStore } from './browser-store.js';
import { download } from './download.js';
import { folderStore } from './folder-store.js';
import { integrityOf, normalIntegrity } from './integrity.js';
import { type CachedFile, type Entry, guarded, Library } from './library.js';

export type { LoadProgress } from '../loading/progress.js';
export type { KeptFile } from '../loading/source.js';
export type { CachedFile } from './library.js';

/** The location of a cache. */
export interface CachePlace {
  /** A folder (Node, Deno, Bun); by default `SARDONYX_CACHE`, or `sardonyx` in the user's cache folder. */
  readonly folder?: string;
  /** Name of the cache in the Cache API, by default `sardonyx`. If given, Node, Deno and Bun also use the Cache API. */
  readonly name?: string;
}

/** Options of `cached`. */
export interface CacheOptions extends CachePlace, LoadOptions {
  /** Expected hash of the file: `sha256-` and base64 or hexadecimal digits. */
  readonly integrity?: string | undefined;
  /** External files of the model, by their paths in it; stored now instead of when the model is first loaded. */
  readonly externalData?: readonly (string | { readonly path: string; readonly integrity: string })[];
}

/**
 * Downloads a file once and stores it, so that later calls need no network. The result is a source for `InferenceSession.create`, which
 * stores the model's external files in the same place.
 * @throws SardonyxError DOWNLOAD, INTEGRITY, STORAGE; ABORTED, named `AbortError`, if the signal aborts
 */
export const cached = (url: string | URL, options?: CacheOptions): Promise<KeptFile> =>
  guarded(async () => keepAll(url, optionsOf(options, 'options of cached', "{ integrity: 'sha256-…' }")));

async function keepAll(url: string | URL, options: CacheOptions): Promise<KeptFile> {
  const library = libraryAt(options);
  const address = absolute(url);
  const loading = new Loading(options);
  try {
    loading.check();
    const external = (options.externalData ?? []).map((file) => (typeof file === 'string' ? { path: file } : file));
    const keepBeside = (file: { path: string; integrity?: string }) =>
      keep(siblingOf(address, file.path).href, library, file.integrity, loading);
    const [entry] = await Promise.all([
      keep(address, library, options.integrity, loading),
      ...external.map(keepBeside),
    ]);
    const { folder, name } = options;
    return keptFile(entry, library, { ...(folder && { folder }), ...(name && { name }) });
  } catch (error) {
    loading.check();
    throw error;
  } finally {
    loading.close();
  }
}

/** Lists the stored files. */
export const list = (place?: CachePlace): Promise<CachedFile[]> =>
  guarded(async () => {
    const entries = await libraryAt(place).entries();
    return entries.map(({ url, bytes, integrity, time }) => ({ url, bytes, integrity, time }));
  });

/** Removes a file, complete or not. Returns whether it was stored. */
export const remove = (url: string | URL, place?: CachePlace): Promise<boolean> =>
  guarded(async () => libraryAt(place).drop(absolute(url)));

const absolute = (url: string | URL) => parsedUrl(url, pageAddress()).href.split('#')[0] as string;

function libraryAt(place: CachePlace | undefined): Library {
  const { folder, name } = optionsOf(place, 'the place of a cache', "{ folder: 'models' }");
  for (const [option, given] of Object.entries({ folder, name }))
    if (given !== undefined && (typeof given !== 'string' || given === ''))
      throw new SardonyxError('INVALID_ARGUMENT', `${option} must be a name, such as 'models', not ${shown(given)}`);
  const store = (name === undefined ? folderStore(folder) : null) ?? browserStore(globalThis.caches, name);
  if (store) return new Library(store);
  throw new SardonyxError(
    'UNSUPPORTED_PLATFORM',
    'neither a file system nor the Cache API is available (pages need https or localhost)',
  );
}

const keptFile = ({ url, file, bytes }: Entry, library: Library, place: CachePlace): KeptFile => ({
  url,
  open: () => library.store.open(file, bytes),
  beside: (path, options) => cached(siblingOf(url, path), { ...place, ...options }),
});

interface Going {
  readonly entry: Promise<Entry>;
  readonly shared: Loading;
  readonly listeners: Set<Listener>;
}

/** Downloads in progress, by place and URL. */
const going = new Map<string, Going>();

type Listener = (progress: LoadProgress) => void;

/** Returns the file from the store, or downloads it. Concurrent calls share one download. */
async function keep(url: string, library: Library, wanted: string | undefined, loading: Loading): Promise<Entry> {
  const integrity = wanted === undefined ? undefined : normalIntegrity(wanted);
  const meter = loading.meter.file(url);
  const found = await library.find(url);
  if (found && (await isRight(found, library, integrity))) {
    meter(found.bytes, found.bytes);
    return found;
  }
  const entry = await downloadTogether(url, library, loading, ({ loaded, total }) => meter(loaded, total));
  if (await isRight(entry, library, integrity)) return entry;
  const has = await integrityOf(await library.store.open(entry.file, entry.bytes));
  await library.drop(url);
  throw new SardonyxError('INTEGRITY', `${url} has the hash ${has}, not ${integrity}`);
}

async function isRight(entry: Entry, library: Library, integrity: string | undefined): Promise<boolean> {
  if (integrity === undefined || entry.integrity === integrity) return true;
  const has = await integrityOf(await library.store.open(entry.file, entry.bytes));
  if (has === integrity) await library.keep({ ...entry, integrity });
  return has === integrity;
}

async function downloadTogether(url: string, library: Library, loading: Loading, listener: Listener): Promise<Entry> {
  const key = `${library.store.place}\n${url}`;
  let found = going.get(key);
  while (found?.shared.signal.aborted) {
    await found.entry.catch(() => {});
    found = going.get(key);
  }
  const { entry, shared, listeners } = found ?? begin(key, url, library);
  const { signal } = loading;
  let leave = (_reason: unknown) => {};
  const left = new Promise<never>((_, reject) => {
    leave = reject;
  });
  const abort = () => leave(new SardonyxError('ABORTED', 'loading was aborted'));
  signal.addEventListener('abort', abort);
  const heard = (progress: LoadProgress) => {
    try {
      listener(progress);
    } catch (error) {
      leave(error);
    }
  };
  listeners.add(heard);
  try {
    loading.check();
    return await Promise.race([entry, left]);
  } finally {
    signal.removeEventListener('abort', abort);
    listeners.delete(heard);
    if (listeners.size === 0) shared.close();
  }
}

/** Starts a download, which continues as long as it has a listener. */
function begin(key: string, url: string, library: Library): Going {
  const listeners = new Set<Listener>();
  const onProgress = (progress: LoadProgress) => {
    for (const tell of listeners) tell(progress);
  };
  const shared = new Loading({ onProgress });
  const entry = download(url, library, shared).finally(() => going.delete(key));
  entry.catch(() => {});
  const made = { entry, shared, listeners };
  going.set(key, made);
  return made;
}
