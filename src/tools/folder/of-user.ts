import { SardonyxError } from '../../base/errors.js';
import { breadthFirst, type Entry } from './breadth-first.js';
import { type Folder, folderOf } from './folder.js';

/** A folder from `showDirectoryPicker`, or in OPFS. */
export const folderOfHandle = (root: FileSystemDirectoryHandle): Folder =>
  folderOf(root.name, () => breadthFirst(root, entriesInHandle));

async function* entriesInHandle(folder: FileSystemDirectoryHandle): AsyncGenerator<Entry<FileSystemDirectoryHandle>> {
  for await (const entry of (folder as unknown as { values(): AsyncIterable<FileSystemHandle> }).values()) {
    const { name } = entry;
    if (entry.kind === 'directory') yield { name, folder: entry as FileSystemDirectoryHandle };
    else yield { name, open: () => (entry as FileSystemFileHandle).getFile() };
  }
}

/** A folder of dropped entries from `webkitGetAsEntry`. A single dropped folder is the result itself. */
export function folderOfEntries(dropped: readonly FileSystemEntry[]): Folder {
  const [only] = dropped;
  if (dropped.length === 1 && only?.isDirectory)
    return folderOf(only.name, () => breadthFirst(only as FileSystemDirectoryEntry, entriesBelow));
  const entriesIn = (folder: FileSystemDirectoryEntry | null) => (folder ? entriesBelow(folder) : dropped.map(entryOf));
  return folderOf('', () => breadthFirst(null, entriesIn));
}

const entryOf = (entry: FileSystemEntry): Entry<FileSystemDirectoryEntry> =>
  entry.isDirectory
    ? { name: entry.name, folder: entry as FileSystemDirectoryEntry }
    : { name: entry.name, open: () => fileOfEntry(entry) };

export const fileOfEntry = (entry: FileSystemEntry): Promise<File> =>
  told<File>(entry, (...tell) => (entry as FileSystemFileEntry).file(...tell));

/** Reads until nothing is left, as Chromium returns at most 100 entries at a time. */
async function* entriesBelow(folder: FileSystemDirectoryEntry): AsyncGenerator<Entry<FileSystemDirectoryEntry>> {
  const reader = folder.createReader();
  for (;;) {
    const entries = await told<FileSystemEntry[]>(folder, (...tell) => reader.readEntries(...tell));
    if (entries.length === 0) return;
    yield* entries.map(entryOf);
  }
}

const told = <T>({ fullPath }: FileSystemEntry, ask: (yes: (found: T) => void, no: (why: Error) => void) => void) =>
  new Promise<T>((resolve, reject) =>
    ask(resolve, (cause) =>
      reject(new SardonyxError('FILE_UNREADABLE', `cannot read "${fullPath}": ${cause.message}`, {}, { cause })),
    ),
  );
