import type { Listed, Open } from './folder.js';

/** An entry of a folder. */
export type Entry<F> = { readonly name: string } & ({ readonly open: Open } | { readonly folder: F });

/** The maximum depth of nested folders. */
const DEEPEST = 16;

/** Lists the files of a folder, then those of its subfolders, level by level. */
export async function* breadthFirst<F>(
  root: F,
  entriesIn: (folder: F) => AsyncIterable<Entry<F>> | Iterable<Entry<F>>,
): AsyncGenerator<Listed> {
  let folders: (readonly [string, F])[] = [['', root]];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    const deeper: (readonly [string, F])[] = [];
    for (const [path, folder] of folders)
      for await (const entry of entriesIn(folder)) {
        const place = `${path}${entry.name}`;
        if ('folder' in entry) deeper.push([`${place}/`, entry.folder]);
        else yield [place, entry.open];
      }
    folders = deeper;
  }
}
