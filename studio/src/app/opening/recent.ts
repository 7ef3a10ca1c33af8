import { signal } from '@preact/signals';
import type { FoundFile } from '../../store/found-files.js';

/** A recently opened model, as handles that browsers store: https://wicg.github.io/file-system-access */
export interface Recent {
  readonly id: number;
  readonly name: string;
  readonly handles: readonly FileSystemHandle[];
  /** SHA-256 of the model's file, if a link has named it. */
  readonly hash?: string | undefined;
}

/** The latest first; empty if the browser has no handles. */
export const recent = signal<readonly Recent[]>([]);

const [DATABASE, STORE, KEPT] = ['sardonyx-studio', 'recent', 6];

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function storeFor(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'id' });
  return (await answered(opening)).transaction(STORE, mode).objectStore(STORE);
}

/** Reads the stored entries; none if the browser does not let pages store data. */
export async function readRecent(): Promise<void> {
  const all = await storeFor('readonly').then(
    (store) => answered(store.getAll() as IDBRequest<Recent[]>),
    () => [],
  );
  recent.value = all.sort((one, other) => other.id - one.id);
}

/** Entry ids by the files they were opened with. */
const ids = new WeakMap<Blob, number>();

/** Stores an opened model, replacing its earlier entry. */
export async function keepRecent(handles: readonly FileSystemHandle[], files: readonly FoundFile[]): Promise<void> {
  const { name } = handles.find((handle) => handle.name.endsWith('.onnx')) ?? handles[0] ?? {};
  if (name === undefined) return;
  await readRecent();
  const same = await Promise.all(recent.value.map((each) => isSame(each.handles, handles)));
  const others = recent.value.filter((_, i) => !same[i]);
  const hash = recent.value.find((_, i) => same[i])?.hash;
  const id = Date.now();
  for (const { data } of files) ids.set(data, id);
  await write([{ id, name, handles, hash }, ...others].slice(0, KEPT));
}

/** Stores the hash of a model's file, so that links can find it. */
export async function keepHash(file: Blob, hash: string): Promise<void> {
  const id = ids.get(file);
  if (id !== undefined) await write(recent.value.map((each) => (each.id === id ? { ...each, hash } : each)));
}

async function write(kept: readonly Recent[]): Promise<void> {
  const store = await storeFor('readwrite').catch(() => undefined);
  if (!store) return;
  store.clear();
  for (const each of kept) store.put(each);
  recent.value = kept;
}

async function isSame(some: readonly FileSystemHandle[], others: readonly FileSystemHandle[]): Promise<boolean> {
  if (some.length !== others.length) return false;
  const equal = await Promise.all(some.map((handle, i) => handle.isSameEntry(others[i] as FileSystemHandle)));
  return equal.every(Boolean);
}

interface Asked extends FileSystemHandle {
  queryPermission?(options: { mode: 'read' }): Promise<PermissionState>;
  requestPermission?(options: { mode: 'read' }): Promise<PermissionState>;
}

/** Whether the handles can be read without asking for permission. */
export async function areReadable(handles: readonly FileSystemHandle[]): Promise<boolean> {
  const states = await Promise.all(handles.map((handle) => (handle as Asked).queryPermission?.({ mode: 'read' })));
  return states.every((state) => state === undefined || state === 'granted');
}

/** The files behind handles, including those in folders; asks for permission to read them. */
export async function filesBehind(handles: readonly FileSystemHandle[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const handle of handles) {
    const permission = await (handle as Asked).requestPermission?.({ mode: 'read' });
    if (permission === 'denied') throw new Error(`The browser did not allow this page to read ${handle.name}.`);
    await walk(handle, '', found);
  }
  return found;
}

async function walk(handle: FileSystemHandle, folder: string, into: FoundFile[]): Promise<void> {
  const path = folder + handle.name;
  if (handle.kind === 'file') into.push({ path, data: await (handle as FileSystemFileHandle).getFile() });
  else for await (const each of (handle as FileSystemDirectoryHandle).values()) await walk(each, `${path}/`, into);
}
