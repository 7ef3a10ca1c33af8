/** A model and its data sets. */
export interface Trial<F> {
  /** The folder; followed by the model's name if the folder has several models. */
  readonly name: string;
  readonly model: F;
  readonly dataSets: readonly DataSet<F>[];
}

/**
 * Serialized values by position; undefined without a file. `ramp`: the inputs of ONNX's light models, 0 … n−1 divided
 * by n.
 */
export interface DataSet<F> {
  readonly name: string;
  readonly inputs: readonly (F | undefined)[] | 'ramp';
  readonly outputs: readonly (F | undefined)[];
}

/** The models and values of a folder. */
interface Folder<F> {
  readonly models: Map<string, F>;
  readonly sets: Map<string, { readonly input: F[]; readonly output: F[] }>;
  /** The outputs in files beside a model, by the model's name. */
  readonly outputs: Map<string, F[]>;
}

type Files<F> = Iterable<readonly [path: string, file: F]>;

/**
 * Finds trials among files. Either a model is beside folders test_data_set_0 … with input_0.pb … and output_0.pb …, as
 * in ONNX's backend tests and the Model Zoo, or NAME.onnx is beside NAME_output_0.pb, as in ONNX's light models. Paths
 * use slashes.
 */
export const trialsAmong = <F>(files: Files<F>): Trial<F>[] =>
  [...foldersAmong(files)].flatMap(([path, folder]) => trialsIn(path, folder)).sort((a, b) => inOrder(a.name, b.name));

/** The data sets in the root folder. */
export const dataSetsAmong = <F>(files: Files<F>): DataSet<F>[] => dataSetsIn(folderIn(foldersAmong(files), ''));

function foldersAmong<F>(files: Files<F>): Map<string, Folder<F>> {
  const folders = new Map<string, Folder<F>>();
  for (const [path, file] of files) sort(folders, path, file);
  return folders;
}

const PLACES = {
  model: /^(?:(.*)\/)?([^/]+)\.onnx$/,
  value: /^(?:(.*)\/)?test_data_set_(\d+)\/(input|output)_(\d+)\.pb$/,
  output: /^(?:(.*)\/)?([^/]+)_output_(\d+)\.pb$/,
} as const;

function sort<F>(folders: Map<string, Folder<F>>, path: string, file: F): void {
  const folderOf = (name = '') => folderIn(folders, name);
  const model = PLACES.model.exec(path);
  if (model) return void folderOf(model[1]).models.set(model[2] as string, file);
  const value = PLACES.value.exec(path);
  if (value) {
    const [, folder, set, kind, position] = value;
    const { [kind as 'input']: values } = entry(folderOf(folder).sets, set as string, () => ({
      input: [],
      output: [],
    }));
    values[Number(position)] = file;
    return;
  }
  const output = PLACES.output.exec(path);
  if (output) entry(folderOf(output[1]).outputs, output[2] as string, () => [])[Number(output[3])] = file;
}

const folderIn = <F>(folders: Map<string, Folder<F>>, path: string): Folder<F> =>
  entry(folders, path, () => ({ models: new Map(), sets: new Map(), outputs: new Map() }));

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

const dataSetsIn = <F>({ sets }: Folder<F>): DataSet<F>[] =>
  [...sets]
    .map(([name, { input, output }]) => ({ name, inputs: input, outputs: output }))
    .sort((a, b) => inOrder(a.name, b.name));

/**
 * The trials of a folder. In a folder with several models, only the output files of each model count, as data sets
 * could belong to any.
 */
function trialsIn<F>(path: string, folder: Folder<F>): Trial<F>[] {
  const dataSets = dataSetsIn(folder);
  return [...folder.models].flatMap(([name, model]): Trial<F>[] => {
    if (folder.models.size === 1 && dataSets.length > 0) return [{ name: path || name, model, dataSets }];
    const outputs = folder.outputs.get(name);
    const place = path ? `${path}/${name}` : name;
    return outputs ? [{ name: place, model, dataSets: [{ name: 'ramp', inputs: 'ramp', outputs }] }] : [];
  });
}

const inOrder = new Intl.Collator('en', { numeric: true }).compare;
