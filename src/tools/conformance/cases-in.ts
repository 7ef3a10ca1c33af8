import { SardonyxError } from '../../base/errors.js';
import { type FolderSource, openFolder } from '../folder/open-folder.js';
import { bytesFrom } from '../read-value-file.js';
import type { CaseFile, ConformanceCase } from './case.js';
import { trialsAmong } from './layout.js';

/**
 * Finds the test cases in a folder with the layout of ONNX's backend tests (`onnx/backend/test/data`), the Model Zoo,
 * or ONNX's light models. Cases are named after their folders. Files are read when their case runs.
 * @throws SardonyxError INVALID_VALUE if there are no cases, and the errors of `openFolder`
 */
export async function conformanceCases(source: FolderSource): Promise<ConformanceCase[]> {
  const folder = await openFolder(source);
  const files: [string, CaseFile][] = [];
  for await (const file of folder.list()) files.push([`${folder.name}/${file.path}`, () => bytesFrom(file)]);
  const cases = withoutShared(trialsAmong(files));
  if (cases.length > 0) return cases;
  throw new SardonyxError(
    'INVALID_VALUE',
    'no test cases found; a test case is a model and, in the same folder, test_data_set_0 with input_0.pb, output_0.pb …',
  );
}

/** Removes the folders that all names share. */
function withoutShared(cases: readonly ConformanceCase[]): ConformanceCase[] {
  const folders = cases.map(({ name }) => name.split('/').slice(0, -1));
  const [first = []] = folders;
  const shared = first.findIndex((step, i) => folders.some((folder) => folder[i] !== step));
  const count = shared < 0 ? first.length : shared;
  return cases.map((found) => ({ ...found, name: found.name.split('/').slice(count).join('/') }));
}
