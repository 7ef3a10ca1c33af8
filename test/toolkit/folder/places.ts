import type { FolderSource } from '../../../src/tools/folder/index.js';

type Contents = readonly (readonly [path: string, bytes: Uint8Array])[];

const blobOf = (bytes: Uint8Array): Blob => new Blob([bytes as BlobPart]);

/** What lies directly in a folder: files, and those below by the folder's name. */
function entriesIn(files: Contents): Map<string, [string, Uint8Array][]> {
  const below = new Map<string, [string, Uint8Array][]>();
  for (const [path, bytes] of files) {
    const [first = '', ...rest] = path.split('/');
    below.set(first, [...(below.get(first) ?? []), [rest.join('/'), bytes]]);
  }
  return below;
}

const isFile = (inner: Contents): boolean => inner[0]?.[0] === '';

/** A folder as `showDirectoryPicker` and OPFS give it. */
export function handleOf(name: string, files: Contents): FileSystemDirectoryHandle {
  const entries = [...entriesIn(files)].map(([child, inner]) =>
    isFile(inner)
      ? { kind: 'file', name: child, getFile: async () => blobOf(inner[0]?.[1] as Uint8Array) }
      : handleOf(child, inner),
  );
  return {
    kind: 'directory',
    name,
    getFileHandle() {},
    async *values() {
      yield* entries;
    },
  } as unknown as FileSystemDirectoryHandle;
}

/** What `webkitGetAsEntry` gives of a folder that was dropped: a hundred entries at a time, and none in the end. */
export function entryOf(name: string, files: Contents): FileSystemEntry {
  const entries = [...entriesIn(files)].map(([child, inner]) =>
    isFile(inner) ? fileEntry(child, inner[0]?.[1] as Uint8Array) : entryOf(child, inner),
  );
  const createReader = () => {
    let at = 0;
    return {
      readEntries(tell: (found: object[]) => void) {
        tell(entries.slice(at, at + 100));
        at += 100;
      },
    };
  };
  return { isFile: false, isDirectory: true, name, fullPath: `/${name}`, createReader } as unknown as FileSystemEntry;
}

const fileEntry = (name: string, bytes: Uint8Array): object => ({
  isFile: true,
  isDirectory: false,
  name,
  fullPath: `/${name}`,
  file: (tell: (file: File) => void) => tell(new File([bytes as BlobPart], name)),
});

/** Items as a drop event has them, one of them text. */
export const itemsOf = (...entries: FileSystemEntry[]): FolderSource =>
  [null, ...entries].map((entry) => ({ webkitGetAsEntry: () => entry })) as unknown as DataTransferItemList;

/** The files that `<input webkitdirectory>` has. */
export const chosen = (files: Contents): File[] =>
  files.map(([path, bytes]) => {
    const file = new File([bytes as BlobPart], path.split('/').at(-1) as string);
    return Object.defineProperty(file, 'webkitRelativePath', { value: path });
  });
