import type { NodeProto, TensorProto } from '../../../build/onnx.js';
import { aborted } from '../../base/aborted.js';
import type { DataSource } from '../../loading/source.js';
import { allOf } from '../../model/document/left-bytes.js';
import type { Model } from '../../model/document/model.js';
import { withTensors } from '../../model/document/tensors.js';
import { readDims, readElementType } from '../../model/tensors.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { bytesOf } from '../../tensor/stored-tensor.js';
import { withProto } from '../model-of.js';
import { type Constant, constantIn, nodesIn, type Scope } from '../quantize/graphs.js';
import { intAt, intsAt, isOnnx } from '../quantize/nodes.js';
import { rawDataOf } from '../tensor-data.js';
import { type ImportProgress, inside, refuse } from './import-weights.js';
import { type Addition, additionsIn, configBeside, type LoraConfig } from './lora-parts.js';
import { isConvertible, making, tensorIn } from './reshaped.js';
import { type StoredWeight, sizeIn } from './stored-weight.js';
import { openedWeights, type WeightFile } from './weight-file.js';

/** Options of `mergeLora`. */
export interface MergeLoraOptions {
  /** Multiplies the adapter, in addition to alpha / rank. Default: 1. */
  readonly scale?: number;
  /** The contents of PEFT's adapter_config.json. Default: the file in the folder of the adapter. */
  readonly config?: LoraConfig;
  /** The model's weights by the adapter's layer names, for layers that cannot be matched automatically. */
  readonly names?: Readonly<Record<string, string>>;
  /** Aborts the merge. */
  readonly signal?: AbortSignal;
  /** Called as the merge progresses. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** A weight of a layer. */
interface Target {
  readonly tensor: TensorProto;
  /** Whether the weight is stored as [inputs, outputs]. */
  readonly isTurned: boolean;
  /** Possible names of the layer. */
  readonly names: readonly string[];
}

/**
 * Merges a LoRA adapter into the weights of a model: W + scale · alpha / rank · B · A, in double precision. The names
 * of PEFT, diffusers and kohya are matched to the names of weights or of the nodes that read them; transposed weights
 * are recognized.
 * @throws SardonyxError INVALID_ARGUMENT with all layers for which the model has no weight, or several
 */
export async function mergeLora(
  model: Model,
  source: DataSource | WeightFile,
  options: MergeLoraOptions = {},
): Promise<Model> {
  const { scale = 1, names = {}, signal, onProgress } = options;
  const file = await openedWeights(source, { signal });
  const config = await configBeside(file, options.config);
  const { additions, problems } = await additionsIn(file, config);
  const targets = targetsIn(model);
  const merges = additions.map((addition) => ({ addition, target: targetOf(addition, targets, names) }));
  const wrong = merges.flatMap(({ addition, target }) => problemOf(addition, target));
  refuse([...problems, ...wrong]);
  const make = making();
  const merged = new Map<TensorProto, TensorProto>();
  for (const [done, { addition, target }] of merges.entries()) {
    if (signal?.aborted) throw aborted(signal, 'importing');
    onProgress?.({ stage: 'layers', done, total: merges.length, node: addition.layer });
    const [{ tensor, isTurned }] = target as [Target];
    const before = merged.get(tensor) ?? tensor;
    const [type, dims] = [readElementType(tensor.dataType), readDims(tensor.dims, tensor.name)];
    const bytes = () => sum(model, before, isTurned, { ...addition, scale: addition.scale * scale });
    merged.set(tensor, inside(tensor, make({ type, dims, bytes })));
  }
  return withProto(
    model,
    withTensors(model.proto, (tensor) => merged.get(tensor) ?? tensor),
  );
}

/** W + scale · up · down, in the element type of W. */
async function sum(model: Model, tensor: TensorProto, isTurned: boolean, addition: Addition): Promise<Uint8Array> {
  const [type, dims] = [readElementType(tensor.dataType), readDims(tensor.dims, tensor.name)];
  const weights = Float64Array.from(numbersOf(tensorIn(type, dims, await allOf(await rawDataOf(tensor, model)))));
  const [down, up] = [await numbersIn(addition.down), await numbersIn(addition.up)];
  const rank = addition.down.dims[0] as number;
  const [inputs, outputs] = [down.length / rank, up.length / rank];
  const [row, column] = isTurned ? [1, outputs] : [inputs, 1];
  for (let o = 0; o < outputs; o++)
    for (let r = 0; r < rank; r++) {
      const factor = addition.scale * (up[o * rank + r] as number);
      for (let i = 0; i < inputs; i++)
        weights[o * row + i * column] =
          (weights[o * row + i * column] as number) + factor * (down[r * inputs + i] as number);
    }
  return bytesOf(tensorOf(type, dims, weights));
}

async function numbersIn({ type, dims, read }: StoredWeight): Promise<ArrayLike<number>> {
  return numbersOf(tensorIn(type, dims, await read()));
}

/** The weights of matrix products and convolutions, with their names and those of the nodes that read them. */
function targetsIn({ proto }: Model): Target[] {
  const found = new Map<TensorProto, Target>();
  for (const [node, scope] of nodesIn(proto)) {
    const weight = weightOf(node, scope);
    if (!weight) continue;
    const { tensor } = weight.constant;
    const names = [...(found.get(tensor)?.names ?? [tensor.name.replace(/[._]weight$/, '')]), layerOf(node)];
    found.set(tensor, { tensor, isTurned: weight.isTurned, names });
  }
  return [...found.values()];
}

/** The node's name without its operator, which exporters append to the layer's name. */
const layerOf = ({ name, opType }: NodeProto): string =>
  name.replace(new RegExp(`[/._]?${opType}(_\\d+)?(_quant)?$`), '');

/** Operators of layers, and whether their weight is stored as [inputs, outputs]. */
const READERS: Readonly<Record<string, (node: NodeProto) => boolean>> = {
  MatMul: () => true,
  Gemm: (node) => intAt(node, 'transB', 0) === 0,
  Conv: () => false,
};

function weightOf(node: NodeProto, scope: Scope): { constant: Constant; isTurned: boolean } | undefined {
  const [, name = ''] = node.input;
  if (!isOnnx(node) || !Object.hasOwn(READERS, node.opType)) return undefined;
  const isTurned = READERS[node.opType]?.(node) ?? false;
  const producer = scope.producers.get(name);
  const isTransposed =
    producer?.opType === 'Transpose' && [undefined, '1,0'].includes(intsAt(producer, 'perm')?.join());
  const constant = constantIn(scope, isTransposed ? producer.input[0] : name);
  return constant && { constant, isTurned: isTurned !== isTransposed };
}

/** Normalizes separators, which differ between exporters and trainers. */
const words = (name: string): string => name.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '');

const ROOTS =
  /^(base_model_model|lora_unet|lora_te\d?|lora_transformer|unet|transformer|text_encoder|diffusion_model)_/;

const endsWith = (a: string, b: string): boolean => a === b || a.endsWith(`_${b}`);

/** The weights that match a layer's name: by the whole name, or else by its end. */
function targetOf({ layer }: Addition, targets: readonly Target[], names: Readonly<Record<string, string>>) {
  if (Object.hasOwn(names, layer)) return targets.filter(({ tensor }) => tensor.name === names[layer]);
  const whole = words(layer);
  const bare = whole.replace(ROOTS, '');
  const fitting = (fits: (name: string) => boolean) =>
    targets.filter((target) => target.names.some((name) => fits(words(name))));
  const same = fitting((name) => name === whole || name === bare);
  return same.length > 0
    ? same
    : fitting((name) => name !== '' && (endsWith(name, bare) || (name.includes('_') && endsWith(bare, name))));
}

function problemOf({ layer, down, up }: Addition, targets: readonly Target[]): string[] {
  const refused = (problem: string) => [`${JSON.stringify(layer)}: ${problem}`];
  const [target] = targets;
  if (!target) return refused('the model has no weight with this name');
  if (targets.length > 1)
    return refused(
      `ambiguous: matches ${targets.map(({ tensor }) => JSON.stringify(tensor.name)).join(', ')}; choose one with names`,
    );
  const { tensor, isTurned } = target;
  if (!isConvertible(readElementType(tensor.dataType), 'float64'))
    return refused(`"${tensor.name}" is not a floating-point weight`);
  const own = readDims(tensor.dims, tensor.name);
  const [outputs = 0, ...inputs] = isTurned ? own.toReversed() : own;
  const [rank = 1] = down.dims;
  const added = [sizeIn(up.dims) / rank, sizeIn(down.dims) / rank];
  if (added[0] === outputs && added[1] === sizeIn(inputs)) return [];
  return refused(`the adapter has the shape [${added}], but "${tensor.name}" has [${[outputs, ...inputs]}]`);
}
