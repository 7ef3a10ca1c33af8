import { builtin } from '../../../bindings/builtin.js';
import { SardonyxError } from '../../base/errors.js';
import type { CaseFile } from './case.js';

/** A file by its path, which is divided by slashes. */
export type Listed = readonly [path: string, file: CaseFile];

/** Of use to a suite. */
const ENDING = /\.(onnx|pb)$/;

/** Folders that hold a suite are not nested deeper. */
const DEEPEST = 16;

/** @throws SardonyxError FILE_NOT_FOUND, UNSUPPORTED_PLATFORM */
export async function filesOnDisk(place: string | URL): Promise<Iterable<Listed>> {
  const [fs, url] = [builtin('fs'), builtin('url')];
  if (!fs || !url)
    throw new SardonyxError('UNSUPPORTED_PLATFORM', `cannot read "${place}": there is no file system here`);
  const root = /^file:/i.test(`${place}`) ? url.fileURLToPath(place) : `${place}`;
  const found = fs.statSync(root, { throwIfNoEntry: false });
  if (!found) throw new SardonyxError('FILE_NOT_FOUND', `there is no "${root}"`);
  const read = (path: string) => new Uint8Array(fs.readFileSync(path));
  if (!found.isDirectory()) return filesInZip(read(root));
  return pathsBelow(root).map((path) => [path, () => read(`${root}/${path}`)]);
}

/** Paths of files in a folder and those in it, relative to it. */
export function pathsBelow(root: string, depth = DEEPEST): string[] {
  const fs = builtin('fs') as typeof import('node:fs');
  const below = (folder: string, left: number): string[] =>
    fs.readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) return left > 0 ? below(`${path}/`, left - 1) : [];
      return ENDING.test(path) ? [path] : [];
    });
  return below('', depth);
}

/** @throws SardonyxError INVALID_VALUE where the bytes are no zip file */
export async function filesInZip(bytes: Uint8Array): Promise<Listed[]> {
  const { unzipSync } = await import('fflate');
  try {
    return Object.entries(unzipSync(bytes, { filter: ({ name }) => ENDING.test(name) }));
  } catch (cause) {
    throw new SardonyxError('INVALID_VALUE', `these bytes are no zip file: ${(cause as Error).message}`, {}, { cause });
  }
}

/** A folder of the user's or of OPFS. */
export async function filesInHandle(folder: FileSystemDirectoryHandle, path = '', depth = DEEPEST): Promise<Listed[]> {
  const files: Listed[] = [];
  const entries = (folder as unknown as { values(): AsyncIterable<FileSystemHandle> }).values();
  for await (const entry of entries) {
    const place = `${path}${entry.name}`;
    if (entry.kind === 'file') files.push([place, bytesOf(entry as FileSystemFileHandle)]);
    else if (depth > 0)
      files.push(...(await filesInHandle(entry as FileSystemDirectoryHandle, `${place}/`, depth - 1)));
  }
  return files;
}

const bytesOf = (handle: FileSystemFileHandle) => async () =>
  new Uint8Array(await (await handle.getFile()).arrayBuffer());
