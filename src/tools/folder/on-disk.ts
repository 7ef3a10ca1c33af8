import { builtin } from '../../../bindings/builtin.js';
import { SardonyxError } from '../../base/errors.js';
import { breadthFirst, type Entry } from './breadth-first.js';
import { type Folder, folderOf } from './folder.js';

/**
 * A folder in Node, Deno or Bun. Links to folders are not followed. `beside` finds nothing, as readers open files next
 * to a path themselves.
 */
export function folderOnDisk(root: string): Folder {
  const { basename, resolve } = builtin('path') as typeof import('node:path');
  const ways = { placed: (path: string) => `${root}/${path}`, beside: async () => undefined };
  return folderOf(basename(resolve(root)), () => breadthFirst(root, entriesIn), ways);
}

function* entriesIn(folder: string): Generator<Entry<string>> {
  for (const entry of entriesOf(folder)) {
    const { name } = entry;
    const path = `${folder}/${name}`;
    if (entry.isDirectory()) yield { name, folder: path };
    else if (entry.isFile() || entry.isSymbolicLink()) yield { name, open: () => path };
  }
}

function entriesOf(folder: string) {
  const fs = builtin('fs') as typeof import('node:fs');
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    throw new SardonyxError('FILE_UNREADABLE', `cannot list "${folder}": ${(cause as Error).message}`, {}, { cause });
  }
}
