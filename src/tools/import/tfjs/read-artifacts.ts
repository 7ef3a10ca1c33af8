import { reading } from '../../../base/arguments.js';
import { SardonyxError } from '../../../base/errors.js';
import { Loading, type LoadOptions } from '../../../loading/loading.js';
import type { Beside, DataSource, ExternalFile } from '../../../loading/source.js';
import type { LeftFile } from '../../../model/document/left-bytes.js';
import { filesOf, find, folderOf } from '../../load-model.js';
import type { ModelJson, TensorFlowJSArtifacts } from './artifacts.js';

/**
 * A TensorFlow.js model: a model.json with its weight files in the same folder, files that the user selected, a folder,
 * files by name, or a model in memory (`tf.io`).
 */
export type TensorFlowJSSource =
  | DataSource
  | readonly File[]
  | FileSystemDirectoryHandle
  | Readonly<Record<string, DataSource>>
  | TensorFlowJSArtifacts;

/** Options of `fromTensorFlowJS`. */
export interface FromTensorFlowJSOptions extends LoadOptions {
  /** The weight files, by the paths in model.json, if they are not in the same folder. */
  readonly weights?: readonly ExternalFile[] | undefined;
}

/** The locations of the parts of a model. */
interface Parts {
  readonly json: DataSource;
  readonly files?: readonly ExternalFile[];
  readonly beside?: Beside;
}

export async function readArtifacts(
  source: TensorFlowJSSource,
  options: FromTensorFlowJSOptions,
): Promise<TensorFlowJSArtifacts> {
  if (isArtifacts(source)) return source;
  const loading = new Loading(options);
  try {
    loading.check();
    const { json, files = [], beside } = await partsOf(source);
    const found = await find(json, loading);
    const model = parsed('bytes' in found ? found.bytes : await all(found.file));
    const folder = 'path' in found ? folderOf(found.path) : undefined;
    const open = filesOf([...(options.weights ?? []), ...files], folder, beside ?? found.beside);
    const { paths, weightSpecs } = reading('the weightsManifest', () => filesIn(model));
    const weightData: Uint8Array[] = [];
    for (const path of paths) {
      loading.check();
      weightData.push(await all(await open(path)));
    }
    return { ...model, weightSpecs, weightData };
  } finally {
    loading.close();
  }
}

const filesIn = ({ weightsManifest = [] }: ModelJson) => ({
  paths: weightsManifest.flatMap(({ paths }) => paths.map(String)),
  weightSpecs: weightsManifest.flatMap(({ weights }) => weights),
});

const isArtifacts = (source: object | string): source is TensorFlowJSArtifacts =>
  typeof source === 'object' && source !== null && 'modelTopology' in source;

const all = async ({ size, range }: LeftFile): Promise<Uint8Array> => range(0, size);

async function partsOf(source: Exclude<TensorFlowJSSource, TensorFlowJSArtifacts>): Promise<Parts> {
  if (Array.isArray(source))
    return reading('the files', () => chosen(source.map((file: File) => ({ path: file.name, data: file }))));
  if (isFolder(source))
    return { json: await source.getFileHandle('model.json'), beside: (path) => inFolder(source, path) };
  if (
    typeof source === 'object' &&
    source !== null &&
    Object.getPrototypeOf(source) === Object.prototype &&
    !('open' in source)
  )
    return chosen(Object.entries(source as Record<string, DataSource>).map(([path, data]) => ({ path, data })));
  return { json: source as DataSource };
}

function chosen(files: readonly ExternalFile[]): Parts {
  const json = files.find(({ path }) => /\.json$/i.test(path));
  if (json) return { json: json.data, files };
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `model.json is missing; got ${files.map(({ path }) => path).join(', ') || 'no files'}`,
  );
}

const isFolder = (source: unknown): source is FileSystemDirectoryHandle =>
  (source as { kind?: string } | null)?.kind === 'directory';

async function inFolder(folder: FileSystemDirectoryHandle, path: string): Promise<DataSource> {
  const steps = path.split('/');
  const name = steps.pop() as string;
  let place = folder;
  for (const step of steps) place = await place.getDirectoryHandle(step);
  return place.getFileHandle(name);
}

function parsed(bytes: Uint8Array): ModelJson & { modelTopology: object } {
  const refusal = (reason: string, cause?: unknown) =>
    new SardonyxError('INVALID_MODEL', `not a TensorFlow.js model.json: ${reason}`, {}, { cause });
  let json: ModelJson | null;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw refusal((cause as Error).message, cause);
  }
  const { modelTopology } = json ?? {};
  if (!modelTopology || typeof modelTopology !== 'object') throw refusal('modelTopology is missing');
  return { ...json, modelTopology };
}
