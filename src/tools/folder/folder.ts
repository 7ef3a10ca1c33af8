import { SardonyxError } from '../../base/errors.js';
import type { DataSource, KeptFile } from '../../loading/source.js';
import { normal } from '../../model/external-data.js';

/** A file in a folder. `loadModel` and sessions accept it and find external data in the same folder. */
export interface FolderFile extends KeptFile {
  /** The path relative to the folder, separated by slashes. */
  readonly path: string;
}

/** A folder: on disk, in OPFS, selected or dropped by the user, or in a zip file. */
export interface Folder {
  /** The name of the folder, without the path; `''` if it is unknown. */
  readonly name: string;
  /**
   * Lists all files in the folder and its subfolders, those with shorter paths first.
   * @throws SardonyxError FILE_UNREADABLE
   */
  list(): AsyncIterable<FolderFile>;
}

/** Opens a file. Returns a path or a Blob, which can be read in ranges, or all its bytes. */
export type Open = () => DataSource | Promise<DataSource>;

/** A file and its path relative to the folder. */
export type Listed = readonly [path: string, open: Open];

/**
 * Overrides for a kind of folder: `placed` returns the name of a file for messages, `beside` opens a file next to
 * another.
 */
interface Ways {
  readonly placed?: (path: string) => string;
  readonly beside?: (path: string, other: string) => Promise<DataSource | undefined>;
}

export function folderOf(
  name: string,
  files: () => AsyncIterable<Listed> | Iterable<Listed>,
  { placed = (path) => path, beside = async (path, other) => find(files(), besides(path, other)) }: Ways = {},
): Folder {
  return {
    name,
    async *list() {
      for await (const [path, open] of files())
        yield { path, url: placed(path), open: async () => open(), beside: (other) => beside(path, other) };
    },
  };
}

async function find(files: AsyncIterable<Listed> | Iterable<Listed>, wanted: string): Promise<DataSource | undefined> {
  for await (const [path, open] of files) if (path === wanted) return open();
  return undefined;
}

/** Resolves a path in the folder of another file. Paths out of that folder are refused, as models may be untrusted. */
function besides(path: string, other: string): string {
  if (!/^[/\\]|\0/.test(other) && !other.split(/[/\\]/).includes('..'))
    return path.slice(0, path.lastIndexOf('/') + 1) + normal(other);
  throw new SardonyxError(
    'EXTERNAL_DATA',
    `external file ${JSON.stringify(other)} is not a relative path within the model's folder`,
  );
}
