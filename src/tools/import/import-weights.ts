import type { TensorProto } from '../../../build/onnx.js';
import { aborted } from '../../base/aborted.js';
import { SardonyxError } from '../../base/errors.js';
import { nextTurn } from '../../base/turns.js';
import type { DataSource } from '../../loading/source.js';
import { withFields } from '../../model/document/changed.js';
import { sizeOf } from '../../model/document/left-bytes.js';
import type { Model } from '../../model/document/model.js';
import { withTensors } from '../../model/document/tensors.js';
import { readDims, readElementType } from '../../model/tensors.js';
import type { ElementType } from '../../tensor/element-types.js';
import { ELSEWHERE, outside, withPending } from '../external-data.js';
import { withProto } from '../model-of.js';
import { isNamed } from '../quantize/names.js';
import type { NamePattern } from '../quantize/options.js';
import { keepingBlocks } from './keeping-blocks.js';
import { initializersIn, type Match } from './match.js';
import { converted, isConvertible, making, transposed } from './reshaped.js';
import type { StoredWeight } from './stored-weight.js';
import { openedWeights, type WeightFile } from './weight-file.js';

/** The progress of `importWeights` and `mergeLora`. */
export interface ImportProgress {
  /** The current stage. */
  readonly stage: string;
  /** The number of finished weights. */
  readonly done: number;
  /** The number of weights. */
  readonly total: number;
  /** The weight in progress. */
  readonly node: string;
}

/**
 * Maps weight names of a file to those of the model: a record of the names that differ, or a function that returns
 * `undefined` for weights to skip.
 */
export type Renaming = Readonly<Record<string, string>> | ((name: string) => string | undefined);

/** Options of `importWeights`. */
export interface ImportWeightsOptions {
  /** Maps names of the file to different names of the model. */
  readonly names?: Renaming;
  /** Weights of rank 2 that are transposed in the file, by the model's names; `*` matches any text. */
  readonly transpose?: readonly NamePattern[];
  /** Whether to convert floats to the type of the model. Otherwise, the types must be equal. */
  readonly convert?: boolean;
  /** Whether all weights of the file must be in the model. Default: true. */
  readonly strict?: boolean;
  /**
   * Whether the model refers to the imported file as external data if the file stores a weight as the model needs it.
   */
  readonly external?: boolean;
  /** Whether to keep GGUF's Q4_0 and Q8_0 quantized, with `MatMulNBits` and `GatherBlockQuantized`. */
  readonly blocks?: boolean;
  /** Aborts the import. */
  readonly signal?: AbortSignal;
  /** Called as the import progresses. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/**
 * Replaces weights of a model with those of a file: safetensors (one file, or shards with their index) or GGUF. Shapes
 * must be equal. The weights stay in their file until the model is saved.
 * @throws SardonyxError INVALID_ARGUMENT with all weights that cannot be imported and the reasons
 */
export async function importWeights(
  model: Model,
  source: DataSource | WeightFile,
  options: ImportWeightsOptions = {},
): Promise<Model> {
  const file = await openedWeights(source, { signal: options.signal });
  const { matches, problems } = matched(model, file, options);
  const { rest, kept } = options.blocks ? keepingBlocks(model, matches) : { rest: matches, kept: model };
  problems.push(...rest.flatMap((match) => problemsOf(match, options)));
  refuse(problems);
  const replaced = await replacing(rest, file, options);
  const proto = withTensors(kept.proto, (tensor) => replaced.get(tensor) ?? tensor);
  const imported = withProto(kept, proto);
  return options.external ? besideModel(imported, file) : imported;
}

/** Matches the weights of the file with initializers of the model. */
function matched({ proto }: Model, { tensors }: WeightFile, { names, strict = true }: ImportWeightsOptions) {
  const own = initializersIn(proto);
  const found = [...tensors].flatMap(([name, weight]) => {
    const target = renamed(name, names);
    return target === undefined ? [] : [{ name: target, from: name, weight, tensors: own.get(target) ?? [] }];
  });
  const twice = found.filter(({ name }, i) => found.findIndex((other) => other.name === name) !== i);
  const matches = found.filter(({ tensors }) => tensors.length > 0);
  const unknown = strict || matches.length === 0 ? found.filter(({ tensors }) => tensors.length === 0) : [];
  const problems = [
    ...unknown.map(({ name, from }) => `${called(name, from)}: not found in the model`),
    ...twice.map(({ name, from }) => `${called(name, from)}: given twice`),
  ];
  if (found.length === 0) problems.push('the file has no selected weights');
  return { matches, problems };
}

const called = (name: string, from: string): string =>
  name === from ? JSON.stringify(name) : `${JSON.stringify(name)} (${JSON.stringify(from)} in the file)`;

const renamed = (name: string, names: Renaming | undefined): string | undefined => {
  if (typeof names === 'function') return names(name);
  return names && Object.hasOwn(names, name) ? names[name] : name;
};

/** Throws all problems, if any. */
export function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const weights = problems.length === 1 ? '1 weight' : `${problems.length} weights`;
  throw new SardonyxError('INVALID_ARGUMENT', `cannot import ${weights}: ${problems.join('; ')}`);
}

const turned = (dims: readonly number[]): readonly number[] => dims.toReversed();

const isTurned = (name: string, { transpose = [] }: ImportWeightsOptions): boolean => isNamed([name], transpose);

function problemsOf({ name, weight, tensors }: Match, options: ImportWeightsOptions): string[] {
  const { type, dims } = weight;
  return tensors.flatMap((tensor) => {
    const [wanted, own] = [readElementType(tensor.dataType, name), readDims(tensor.dims, name)];
    const given = isTurned(name, options) ? turned(dims) : dims;
    const problem = dimsProblem(given, own) ?? typeProblem(type, wanted, options);
    return problem ? [`${JSON.stringify(name)}: ${problem}`] : [];
  });
}

function dimsProblem(given: readonly number[], own: readonly number[]): string | undefined {
  if (given.join() === own.join()) return undefined;
  const complaint = `the shape is [${given}] in the file, but [${own}] in the model`;
  const isOther = own.length === 2 && turned(given).join() === own.join();
  return isOther ? `${complaint}; if it is transposed, list it in transpose` : complaint;
}

function typeProblem(given: ElementType, wanted: ElementType, { convert }: ImportWeightsOptions): string | undefined {
  if (given === wanted || (convert && isConvertible(given, wanted))) return undefined;
  const hint = isConvertible(given, wanted) ? '; set convert to convert it' : '';
  return `the type is ${given} in the file, but ${wanted} in the model${hint}`;
}

/** Makes the replacement of each matched tensor. */
async function replacing(
  matches: readonly Match[],
  { files }: WeightFile,
  options: ImportWeightsOptions,
): Promise<ReadonlyMap<TensorProto, TensorProto>> {
  const { signal, onProgress, external } = options;
  const replaced = new Map<TensorProto, TensorProto>();
  const make = making();
  for (const [done, { name, weight, tensors }] of matches.entries()) {
    if (signal?.aborted) throw aborted(signal, 'the import');
    onProgress?.({ stage: 'weights', done, total: matches.length, node: name });
    for (const tensor of tensors) {
      const [type, turn] = [readElementType(tensor.dataType, name), isTurned(name, options)];
      const { location, offset } = weight.place;
      const isSame = !turn && type === weight.type && weight.data === weight.stored;
      if (isSame && external && files.has(location))
        replaced.set(tensor, outside(tensor, location, offset, weight.stored));
      else replaced.set(tensor, inside(tensor, isSame ? weight.data : make(reshaped(weight, type, turn))));
    }
    if (done % 64 === 63) await nextTurn();
  }
  return replaced;
}

function reshaped(weight: StoredWeight, type: ElementType, turn: boolean) {
  const changed = converted(weight, type);
  return turn ? transposed(changed) : changed;
}

/** Stores the data of a tensor in the model itself. */
export const inside = (tensor: TensorProto, data: Uint8Array): TensorProto =>
  withFields(tensor, {
    ...ELSEWHERE,
    rawData: sizeOf(data) > 0 ? (data as Uint8Array<ArrayBuffer>) : undefined,
    externalData: undefined,
    dataLocation: undefined,
  });

/** Adds the weight file to the model's files. It is saved with the model unless it is in the same folder. */
function besideModel(model: Model, { files, folder }: WeightFile): Model {
  if (folder !== undefined && folder === model.folder) return model;
  return { ...model, ...withPending(model, new Map([...(model.pending ?? []), ...files])) };
}
