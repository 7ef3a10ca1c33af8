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

/** What opens a file: a path, or a Blob, of which any range can be read, or all that is in it. */
export type Open = () => DataSource | Promise<DataSource>;

/** A file by its path from the folder on. */
export type Listed = readonly [path: string, open: Open];

/** How a folder has it otherwise: what messages call a file, and what finds one beside another. */
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

/** Models come from strangers: what they refer to lies in their folder or below. */
function besides(path: string, other: string): string {
  if (!/^[/\\]|\0/.test(other) && !other.split(/[/\\]/).includes('..'))
    return path.slice(0, path.lastIndexOf('/') + 1) + normal(other);
  throw new SardonyxError(
    'EXTERNAL_DATA',
    `external file ${JSON.stringify(other)} is not a relative path within the model's folder`,
  );
}
