import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Graph } from '../graph/graph.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { pathsBelow } from '../tools/conformance/files.js';
import { type DataSet, dataSetsAmong, type Trial, trialsAmong } from '../tools/conformance/layout.js';
import { expectedOf, feedsOf } from '../tools/conformance/values.js';
import { readValueFile } from './read-file.js';
import { UsageError } from './usage-error.js';

/** Paths of a model and of the data sets that belong to it. */
export type FileTrial = Trial<string>;
export type FileSet = DataSet<string>;

/** The trials at `path`, a model file, a folder or a folder of folders, which are named after these. */
export function findTrials(path: string): FileTrial[] {
  if (!existsSync(path)) throw new UsageError(`there is no "${path}"`);
  const isFolder = statSync(path).isDirectory();
  const direct = isFolder ? trialsIn(path, 1) : trialsIn(dirname(path), 1).filter(({ model }) => isSame(model, path));
  const trials = direct.length > 0 || !isFolder ? direct : trialsIn(path, 2);
  if (trials.length === 0) throw new UsageError(`"${path}" holds no model with test data (see sardonyx verify --help)`);
  return trials.map((trial) => ({ ...trial, name: basename(resolve(trial.name)) }));
}

const isSame = (one: string, other: string): boolean => resolve(one) === resolve(other);

const trialsIn = (folder: string, depth: number): FileTrial[] =>
  trialsAmong(pathsBelow(folder, depth).map((path) => [`${folder}/${path}`, `${folder}/${path}`]));

/** Those in the folders test_data_set_0, test_data_set_1 … of a folder. */
export const zooSets = (folder: string): FileSet[] =>
  dataSetsAmong(pathsBelow(folder, 1).map((path) => [path, `${folder}/${path}`]));

export const readFeeds = ({ inputs }: Graph, set: FileSet): Promise<Record<string, HostValue>> =>
  feedsOf(inputs, set, readValueFile);

export const readExpected = ({ outputs }: Graph, set: FileSet): Promise<Record<string, HostValue>> =>
  expectedOf(outputs, set, readValueFile);
