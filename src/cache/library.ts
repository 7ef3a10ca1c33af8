import { SardonyxError } from '../base/errors.js';
import type { Appender, FileStore } from './file-store.js';

/** A complete file in the cache. */
export interface CachedFile {
  /** The URL that it was downloaded from. */
  readonly url: string;
  /** Its size in bytes. */
  readonly bytes: number;
  /** Hash of the bytes, as in `integrity`; undefined if none was requested. */
  readonly integrity: string | undefined;
  /** Milliseconds since 1970 when it was downloaded. */
  readonly time: number;
}

/** A stored file and its name in the store. */
export interface Entry extends CachedFile {
  readonly file: string;
}

/** An interrupted download and the version of its file. */
export interface Part {
  readonly file: string;
  readonly tag: string;
}

/** The entries of a store. An entry is written only after its file is complete. */
export class Library {
  constructor(readonly store: FileStore) {}

  /** The entry of a URL, if its file is complete. Other processes may use the same store. */
  async find(url: string): Promise<Entry | undefined> {
    const entry = await this.#read<Entry>(await entryName(url));
    return entry && (await guarded(() => this.store.size(entry.file))) === entry.bytes ? entry : undefined;
  }

  async part(url: string): Promise<Part | undefined> {
    return this.#read<Part>(await partName(url));
  }

  /** Starts a new file. Only a file of a known version can be resumed later: its name is derived from the version. */
  async begin(url: string, tag: string | undefined): Promise<Part> {
    await this.dropPart(url);
    const file = `${await keyOf(url)}-${tag ? await keyOf(tag) : crypto.randomUUID()}.data`;
    if ((await this.find(url))?.file === file) await this.remove(await entryName(url));
    await this.remove(file);
    if (tag) await this.#write(await partName(url), { file, tag });
    return { file, tag: tag ?? '' };
  }

  /** The number of bytes that an interrupted download has stored. */
  async begun(url: string): Promise<number> {
    const part = await this.part(url);
    return part ? guarded(() => this.store.size(part.file)) : 0;
  }

  append = (part: Part): Promise<Appender> => guarded(() => this.store.append(part.file));

  async keep(entry: Entry): Promise<void> {
    const before = await this.find(entry.url);
    await this.#write(await entryName(entry.url), entry);
    await this.remove(await partName(entry.url));
    if (before && before.file !== entry.file) await this.remove(before.file);
  }

  async dropPart(url: string): Promise<void> {
    const [part, entry] = [await this.part(url), await this.find(url)];
    await this.remove(await partName(url));
    if (part && part.file !== entry?.file) await this.remove(part.file);
  }

  async drop(url: string): Promise<boolean> {
    const entry = await this.find(url);
    await this.remove(await entryName(url));
    if (entry) await this.remove(entry.file);
    await this.dropPart(url);
    return entry !== undefined;
  }

  async entries(): Promise<Entry[]> {
    const names = (await guarded(() => this.store.names())).filter((name) => name.endsWith(ENTRY));
    const entries = await Promise.all(names.map((name) => this.#read<Entry>(name)));
    return entries.filter((entry) => entry !== undefined);
  }

  remove = (name: string): Promise<void> => guarded(() => this.store.remove(name));

  async #read<T>(name: string): Promise<T | undefined> {
    const text = await guarded(() => this.store.readText(name));
    try {
      const noted = JSON.parse(text ?? 'null');
      return FILE.test(noted?.file) ? (noted as T) : undefined;
    } catch {
      return undefined;
    }
  }

  #write = (name: string, value: object) => guarded(() => this.store.writeText(name, JSON.stringify(value)));
}

/** File names that an entry may contain, so that it cannot refer outside the store. */
const FILE = /^[\da-f-]+\.data$/;
const ENTRY = '.entry';
const entryName = async (url: string) => `${await keyOf(url)}${ENTRY}`;
const partName = async (url: string) => `${await keyOf(url)}.part`;

async function keyOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const FULL: ReadonlySet<unknown> = new Set(['QuotaExceededError', 'ENOSPC', 'EDQUOT']);

/** Runs a storage operation, and explains its errors. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof SardonyxError) throw cause;
    const { name, code, message } = cause as Error & { code?: unknown };
    const isFull = FULL.has(name) || FULL.has(code);
    const complaint = isFull
      ? `there is no space to store the file${await roomLeft()}`
      : `the cache failed: ${message}`;
    throw new SardonyxError('STORAGE', complaint, {}, { cause });
  }
}

async function roomLeft(): Promise<string> {
  const { usage, quota } = (await globalThis.navigator?.storage?.estimate?.().catch(() => undefined)) ?? {};
  if (usage === undefined || quota === undefined) return '; free some space, or remove cached files';
  const [used, all] = [usage, quota].map((bytes) => Math.round(bytes / 1e6));
  return `: this site uses ${used} of its ${all} MB; remove cached files, or call navigator.storage.persist()`;
}
