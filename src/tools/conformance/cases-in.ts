import { reading } from '../../base/arguments.js';
import { SardonyxError } from '../../base/errors.js';
import { isA } from '../../base/kind.js';
import { shown } from '../../base/shown.js';
import { isBlob, isBuffer } from '../../loading/source.js';
import type { ConformanceCase } from './case.js';
import { filesInHandle, filesInZip, filesOnDisk, type Listed } from './files.js';
import { trialsAmong } from './layout.js';

/**
 * A folder or zip file on disk, a zip file's bytes, a folder that the user chose (`showDirectoryPicker`, or the files of
 * `<input type=file webkitdirectory>`) or files by their paths.
 */
export type ConformanceSource =
  | string
  | URL
  | Uint8Array
  | ArrayBuffer
  | FileSystemDirectoryHandle
  | Blob
  | Iterable<File>
  | Iterable<Listed>;

/**
 * The cases in a folder laid out as ONNX's backend tests (`onnx/backend/test/data`), the Model Zoo, or ONNX's light models,
 * named by their folders, as far as these differ. Files are read when it is their turn.
 * @throws SardonyxError FILE_NOT_FOUND; INVALID_VALUE where there is no case
 */
export async function conformanceCases(source: ConformanceSource): Promise<ConformanceCase[]> {
  const cases = withoutShared(trialsAmong(await filesOf(source)));
  if (cases.length > 0) return cases;
  throw new SardonyxError(
    'INVALID_VALUE',
    'there is no case: a model beside a folder test_data_set_0 with input_0.pb … and output_0.pb …',
  );
}

async function filesOf(source: ConformanceSource): Promise<Iterable<Listed>> {
  if (typeof source === 'string' || isA(source, 'URL')) return filesOnDisk(source);
  if (isA(source, 'Uint8Array')) return filesInZip(source);
  if (isBuffer(source)) return filesInZip(new Uint8Array(source));
  if (isBlob(source)) return filesInZip(new Uint8Array(await source.arrayBuffer()));
  const has = (name: string | symbol) =>
    reading('the source of the cases', () => Object(source) === source && name in source);
  if (has('getFileHandle')) return filesInHandle(source as FileSystemDirectoryHandle);
  if (has(Symbol.iterator)) return Array.from(source as Iterable<File | Listed>, listed);
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `cases are in a folder, a zip file or files by their paths, not in ${shown(source)}`,
  );
}

const listed = (entry: File | Listed): Listed =>
  isBlob(entry) ? [(entry as File).webkitRelativePath || (entry as File).name, entry] : (entry as Listed);

/** Without the folders that enclose all. */
function withoutShared(cases: readonly ConformanceCase[]): ConformanceCase[] {
  const folders = cases.map(({ name }) => name.split('/').slice(0, -1));
  const [first = []] = folders;
  const shared = first.findIndex((step, i) => folders.some((folder) => folder[i] !== step));
  const count = shared < 0 ? first.length : shared;
  return cases.map((found) => ({ ...found, name: found.name.split('/').slice(count).join('/') }));
}
