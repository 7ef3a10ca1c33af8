import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type DataSet, dataSetsAmong } from '../tools/conformance/layout.js';
import type { FolderFile } from '../tools/folder/folder.js';
import { openFolder } from '../tools/folder/open-folder.js';
import { type FolderTrial, trialsIn } from '../tools/verify/trials-in.js';
import { UsageError } from './usage-error.js';

/** The trials in a model file, a folder, a folder of folders, or a zip file of one; they are named after these. */
export async function findTrials(path: string): Promise<FolderTrial[]> {
  if (!existsSync(path)) throw new UsageError(`"${path}" does not exist`);
  const isFolder = statSync(path).isDirectory() || /\.zip$/i.test(path);
  const found = await trialsIn(await openFolder(isFolder ? path : dirname(path)));
  const trials = isFolder ? found : found.filter(({ model }) => resolve(model.url) === resolve(path));
  if (trials.length === 0) throw new UsageError(`"${path}" has no model with test data; see sardonyx verify --help`);
  return trials;
}

/** The data sets in test_data_set_0, test_data_set_1, … of a folder. */
export async function zooSets(path: string): Promise<DataSet<FolderFile>[]> {
  const files: [string, FolderFile][] = [];
  for await (const file of (await openFolder(path)).list()) {
    if (file.path.split('/').length > 2) break;
    files.push([file.path, file]);
  }
  return dataSetsAmong(files);
}
