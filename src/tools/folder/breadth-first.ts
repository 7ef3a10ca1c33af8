import type { Listed, Open } from './folder.js';

/** What a folder has in it. */
export type Entry<F> = { readonly name: string } & ({ readonly open: Open } | { readonly folder: F });

/** Folders that hold models are not nested deeper. */
const DEEPEST = 16;

/** The files in a folder, then those in the folders in it, and so on. */
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
