import { builtin } from '../../../bindings/builtin.js';
import { reading } from '../../base/arguments.js';
import { SardonyxError } from '../../base/errors.js';
import { isA } from '../../base/kind.js';
import { shown } from '../../base/shown.js';
import { isBlob, isBuffer } from '../../loading/source.js';
import { fileOf } from '../../model/document/left-bytes.js';
import { inBlob, openBeside } from '../load-model.js';
import type { Folder } from './folder.js';
import { folderInZip } from './in-zip.js';
import { folderOfList, type NamedFile } from './of-list.js';
import { fileOfEntry, folderOfEntries, folderOfHandle } from './of-user.js';
import { folderOnDisk } from './on-disk.js';

/**
 * A folder or zip file: a path on disk, the bytes or Blob of a zip file, a folder that the user selected
 * (`showDirectoryPicker`, or the files of `<input type=file webkitdirectory>`) or dropped (`dataTransfer.items`, or the
 * results of `webkitGetAsEntry`), files with their paths, or an open folder.
 */
export type FolderSource =
  | string
  | URL
  | Uint8Array
  | ArrayBuffer
  | Blob
  | FileSystemDirectoryHandle
  | DataTransferItemList
  | FileSystemEntry
  | Iterable<File>
  | Iterable<FileSystemEntry>
  | Iterable<NamedFile>
  | Folder;

/**
 * Opens a folder or zip file. Only the list of files is read. Call it with dropped items before the drop event ends.
 * @throws SardonyxError FILE_NOT_FOUND, UNSUPPORTED_PLATFORM; INVALID_ARGUMENT if the source is not a folder;
 * INVALID_VALUE if a file is not a zip file
 */
export async function openFolder(source: FolderSource): Promise<Folder> {
  if (typeof source === 'string' || isA(source, 'URL')) return openPath(source);
  if (isA(source, 'Uint8Array')) return folderInZip({ ...fileOf(source), name: '' });
  if (isBuffer(source)) return folderInZip({ ...fileOf(new Uint8Array(source)), name: '' });
  if (isBlob(source)) return openBlob(source);
  const has = (name: string | symbol) =>
    reading('the folder', () => Object(source) === source && name in (source as object));
  if (has('list')) return source as Folder;
  if (has('getFileHandle')) return folderOfHandle(source as FileSystemDirectoryHandle);
  if (has('isDirectory')) return folderOfEntries([source as FileSystemEntry]);
  if (has(Symbol.iterator)) return openList([...(source as Iterable<unknown>)]);
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `expected a folder (a path, a zip file, a FileSystemDirectoryHandle, dropped items or [path, file] pairs), got ${shown(source)}`,
  );
}

/**
 * Opens a list of items, entries or files. Items are converted at once, as they become invalid after the drop event. A
 * single zip file is opened.
 */
async function openList(list: readonly unknown[]): Promise<Folder> {
  const dropped = list.flatMap((item) => (isItem(item) ? (item.webkitGetAsEntry() ?? []) : [item]));
  const [only] = dropped;
  if (dropped.length === 1 && isZip(only)) return openBlob(isBlob(only) ? only : await fileOfEntry(only));
  return dropped.length > 0 && dropped.every(isEntry)
    ? folderOfEntries(dropped)
    : folderOfList(dropped as (File | NamedFile)[]);
}

const isItem = (item: unknown): item is DataTransferItem =>
  typeof (item as Partial<DataTransferItem> | null)?.webkitGetAsEntry === 'function';

const isEntry = (item: unknown): item is FileSystemEntry =>
  typeof (item as Partial<FileSystemEntry> | null)?.isDirectory === 'boolean';

const isZip = (item: unknown): item is File | FileSystemEntry =>
  (isBlob(item) || (isEntry(item) && item.isFile)) && /\.zip$/i.test((item as File).name);

const openBlob = (blob: Blob): Promise<Folder> =>
  folderInZip({ ...inBlob(blob), name: (blob as File).name ?? '', blob });

async function openPath(place: string | URL): Promise<Folder> {
  const [fs, path, url] = [builtin('fs'), builtin('path'), builtin('url')];
  if (!fs || !path || !url)
    throw new SardonyxError('UNSUPPORTED_PLATFORM', `cannot read "${place}": this platform has no file system`);
  const root = /^file:/i.test(`${place}`) ? url.fileURLToPath(place) : `${place}`;
  const found = fs.statSync(root, { throwIfNoEntry: false });
  if (!found) throw new SardonyxError('FILE_NOT_FOUND', `"${root}" does not exist`);
  if (found.isDirectory()) return folderOnDisk(root);
  const { file } = await openBeside(root);
  return folderInZip({ ...file, name: path.basename(root) });
}
