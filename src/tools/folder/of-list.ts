import { reading } from '../../base/arguments.js';
import { SardonyxError } from '../../base/errors.js';
import { shown } from '../../base/shown.js';
import { type DataSource, isBlob } from '../../loading/source.js';
import { type Folder, folderOf, type Listed } from './folder.js';

/** A path and a file, or a function that returns the file when it is needed. */
export type NamedFile = readonly [path: string, file: DataSource | (() => DataSource | Promise<DataSource>)];

/**
 * Makes a folder of files with their paths, as in `<input webkitdirectory>`. If all are in one folder, the result has
 * its name.
 */
export function folderOfList(files: Iterable<File | NamedFile>): Folder {
  return enclosed('', Array.from(files, listed));
}

function listed(entry: File | NamedFile): Listed {
  if (isBlob(entry)) return [(entry as File).webkitRelativePath || (entry as File).name, () => entry];
  const [path, file] = reading('the list of files', () => Array.from(entry as NamedFile) as unknown as NamedFile);
  if (typeof path !== 'string')
    throw new SardonyxError('INVALID_ARGUMENT', `path: expected a string, got ${shown(path)}`);
  return [path, typeof file === 'function' ? file : () => file];
}

const stepsIn = (path: string): number => path.split('/').length;

/** Makes a folder of files. If all are in one folder, that folder is the result. */
export function enclosed(name: string, files: readonly Listed[]): Folder {
  const shallowFirst = files.toSorted(([a], [b]) => stepsIn(a) - stepsIn(b));
  const [first] = /^[^/]+\//.exec(shallowFirst[0]?.[0] ?? '') ?? [];
  if (first === undefined || !files.every(([path]) => path.startsWith(first)))
    return folderOf(name, () => shallowFirst);
  const below = shallowFirst.map(([path, open]): Listed => [path.slice(first.length), open]);
  return folderOf(first.slice(0, -1), () => below);
}
