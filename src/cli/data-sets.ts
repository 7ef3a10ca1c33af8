import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SardonyxError } from '../base/errors.js';
import type { Graph, Value } from '../graph/graph.js';
import type { Feeds } from '../session/feeds.js';
import { elementCount, type HostValue } from '../tensor/tensor-value.js';
import { concreteDims, openInputs } from './feeds.js';
import { readValueFile } from './read-file.js';
import { UsageError } from './usage-error.js';

/** A model file and the data sets that belong to it. */
export interface Trial {
  readonly name: string;
  readonly model: string;
  readonly sets: readonly DataSet[];
}

/** Files by position. `ramp`: the inputs of ONNX's light models, 0 … n−1 divided by n. */
export interface DataSet {
  readonly name: string;
  readonly inputs: readonly string[] | 'ramp';
  readonly outputs: readonly string[];
}

/**
 * The trials at `path`, a model file or a folder. Layouts: the Model Zoo's (a model beside test_data_set_0,
 * test_data_set_1 …), ONNX's light models (NAME.onnx beside NAME_output_0.pb), or a folder of such folders.
 */
export function findTrials(path: string): Trial[] {
  if (!existsSync(path)) throw new UsageError(`there is no "${path}"`);
  const isFolder = statSync(path).isDirectory();
  const direct = isFolder ? trialsIn(path) : trialsIn(dirname(path)).filter(({ model }) => model === path);
  const trials = direct.length > 0 || !isFolder ? direct : foldersIn(path).flatMap(trialsIn);
  if (trials.length === 0) throw new UsageError(`"${path}" holds no model with test data (see sardonyx verify --help)`);
  return trials;
}

/** Models of one folder; where it has several, a data set folder could be any's, so only their own outputs count. */
function trialsIn(folder: string): Trial[] {
  const files = readdirSync(folder);
  const models = files.filter((file) => file.endsWith('.onnx')).sort(inOrder);
  const sets = models.length === 1 ? zooSets(folder) : [];
  return models
    .map((file): Trial => {
      const model = join(folder, file);
      if (sets.length > 0) return { name: basename(resolve(folder)), model, sets };
      const name = basename(file, '.onnx');
      const outputs = numbered(folder, files, `${name}_output`);
      return { name, model, sets: outputs.length > 0 ? [{ name: 'ramp', inputs: 'ramp', outputs }] : [] };
    })
    .filter((trial) => trial.sets.length > 0);
}

/** Those in the folders test_data_set_0, test_data_set_1 … of a folder. */
export function zooSets(folder: string): DataSet[] {
  return foldersIn(folder)
    .filter((set) => /^test_data_set_\d+$/.test(basename(set)))
    .map((set) => {
      const files = readdirSync(set);
      return {
        name: basename(set).replace('test_data_set_', ''),
        inputs: numbered(set, files, 'input'),
        outputs: numbered(set, files, 'output'),
      };
    });
}

/** `input_0.pb`, `input_1.pb` … in that order. */
const numbered = (folder: string, files: readonly string[], stem: string): string[] =>
  files
    .filter((file) => file.startsWith(`${stem}_`) && /^\d+\.pb$/.test(file.slice(stem.length + 1)))
    .sort(inOrder)
    .map((file) => join(folder, file));

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort(inOrder)
    .map((name) => join(folder, name));

const inOrder = new Intl.Collator('en', { numeric: true }).compare;

export function readFeeds(graph: Graph, { inputs }: DataSet): Feeds {
  const open = openInputs(graph);
  if (inputs === 'ramp') return Object.fromEntries(open.map((input) => [input.name, ramp(input)]));
  const targets = inputs.length <= open.length ? open : graph.inputs;
  return Object.fromEntries(readInOrder(inputs, targets, 'input').map((value, i) => [targets[i]?.name, value]));
}

export const readExpected = (graph: Graph, { outputs }: DataSet): HostValue[] =>
  readInOrder(outputs, graph.outputs, 'output');

function readInOrder(files: readonly string[], values: readonly Value[], kind: string): HostValue[] {
  if (files.length > values.length)
    throw new SardonyxError('INVALID_VALUE', `${files.length} ${kind} files for ${values.length} ${kind}s`);
  return files.map((file, i) => readValueFile(file, values[i]?.type?.kind));
}

function ramp({ name, type }: Value): HostValue {
  if (type?.kind !== 'tensor' || type.element !== 'float32' || !type.dims)
    throw new SardonyxError('INVALID_TYPE', 'has no input file, and only float32 tensors can do without', {
      value: name,
    });
  const dims = concreteDims(type.dims);
  const count = elementCount(dims);
  return { type: 'float32', dims, data: Float32Array.from({ length: count }, (_, i) => i / count) };
}
