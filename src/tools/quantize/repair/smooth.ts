import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { edit } from '../../surgery/edit/edit.js';
import type { EditedNode, EditedValue } from '../../surgery/edit/graph.js';
import type { Watch } from '../progress.js';
import { dimsOf, floatTensor, floatTypeOf } from '../tensor-data.js';
import type { Samples } from '../weights/gram-matrices.js';
import { capturing } from './captured.js';
import {
  constantOf,
  isOnlyRead,
  isStandard,
  type Layer,
  layerOf,
  numbersOf,
  PRODUCTS,
  put,
  reachOf,
  scaleChannel,
} from './layers.js';

/** Options of `smooth`. */
export interface SmoothOptions extends Watch {
  /**
   * How much of the range moves from activations to weights, from 0 to 1; `auto` chooses the best value for each layer.
   */
  readonly alpha?: number | 'auto';
}

/** Values of `alpha` that `auto` tries, in addition to no smoothing. */
const ALPHAS = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7] as const;

/** A constant input that scales a value. */
interface Factor {
  readonly node: EditedNode;
  readonly at: number;
}

/** Products that read the same value, and statistics of its columns. */
interface Group {
  readonly value: EditedValue;
  readonly factors: readonly Factor[];
  readonly layers: readonly Layer[];
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  readonly squares: Float64Array;
  rows: number;
}

/**
 * Moves outliers of activations into weights (SmoothQuant, Xiao et al. 2022, https://arxiv.org/abs/2211.10438).
 * Activation columns with a large range are divided, and the matching weights multiplied. The division goes into the
 * normalization or constant factor that produces the activation; products of other inputs do not change. The model's
 * results do not change.
 * @throws SardonyxError INVALID_ARGUMENT if `alpha` is out of range or there are no samples, ABORTED
 */
export async function smooth(model: Model, feeds: Samples, options: SmoothOptions = {}): Promise<Model> {
  const { alpha = 'auto' } = options;
  if (alpha !== 'auto') requireShare(alpha);
  return edit(model, async (graph) => {
    const groups = await groupsOf(model, graph.nodes);
    if (groups.length === 0) return;
    const names = groups.map(({ value }) => value.name);
    await capturing(model, names, feeds, options, (values) => {
      for (const group of groups) observe(group, values[group.value.name] as TensorValue);
    });
    for (const group of groups) if (group.rows > 0) await divide(model, group, scalesOf(group, alpha));
  });
}

function requireShare(alpha: number): void {
  if (alpha >= 0 && alpha <= 1) return;
  throw new SardonyxError('INVALID_ARGUMENT', `alpha: expected a number from 0 to 1 or 'auto', got ${alpha}`);
}

/** Values whose producer can divide them by constants, and whose readers are all products. */
async function groupsOf(model: Model, nodes: readonly EditedNode[]): Promise<Group[]> {
  const groups: Group[] = [];
  for (const value of new Set(nodes.flatMap(({ outputs }) => outputs))) {
    if (!value || value.isOutput || value.readers.length === 0 || !isDivisible(value)) continue;
    const layers = await Promise.all(value.readers.map((node) => layerOf(model, node, PRODUCTS)));
    const width = layers[0]?.inputs.count ?? 0;
    const isFed = layers.every((layer) => layer?.node.inputs[0] === value && layer.inputs.count === width);
    const factors = isFed && factorsOf(value, width);
    if (!factors) continue;
    const [least, greatest, squares] = [new Float64Array(width), new Float64Array(width), new Float64Array(width)];
    groups.push({ value, factors, layers: layers as Layer[], least, greatest, squares, rows: 0 });
  }
  return groups;
}

/** The inputs of an operator that scale its result per column if they are constant. */
const FACTORS: Readonly<Record<string, readonly number[]>> = {
  LayerNormalization: [1, 2],
  SimplifiedLayerNormalization: [1],
  RMSNormalization: [1],
  Mul: [0, 1],
  Add: [0, 1],
};

/** Whether the producer is a normalization, or the last step of a decomposed one. */
function isDivisible({ producer }: EditedValue): boolean {
  return producer !== undefined && isStandard(producer) && Object.hasOwn(FACTORS, producer.op);
}

/** The constants to divide instead of a value, with one number per column; undefined if this is not possible. */
function factorsOf({ producer }: EditedValue, width: number): Factor[] | undefined {
  if (!producer) return undefined;
  const isSum = producer.op === 'Add';
  const factors = (FACTORS[producer.op] ?? []).filter((at) => isRow(producer.inputs[at], width));
  const others = producer.inputs.filter((value, at) => value && !factors.includes(at));
  const [input] = others;
  if (factors.length === 0 || others.length !== 1 || !input) return undefined;
  const own = factors.map((at) => ({ node: producer, at }));
  if (!isSum) return own;
  const isInner = isDivisible(input) && input.producer?.op !== 'Add' && isOnlyRead(input);
  const inner = isInner ? factorsOf(input, width) : undefined;
  return inner && [...own, ...inner];
}

function isRow(value: EditedValue | null | undefined, width: number): boolean {
  const tensor = constantOf(value);
  return tensor !== undefined && floatTypeOf(tensor) === 'float32' && dimsOf(tensor).join() === `${width}`;
}

function observe(group: Group, { data }: TensorValue): void {
  const { least, greatest, squares } = group;
  const width = squares.length;
  const numbers = data as Float32Array;
  for (let i = 0; i < numbers.length; i++) {
    const [x, column] = [numbers[i] as number, i % width];
    if (x < (least[column] as number)) least[column] = x;
    if (x > (greatest[column] as number)) greatest[column] = x;
    squares[column] = (squares[column] as number) + x * x;
  }
  group.rows += numbers.length / width;
}

function scalesOf(group: Group, alpha: number | 'auto'): Float64Array {
  const reaches = group.squares.map((_, c) =>
    Math.max(...group.layers.map((layer) => reachOf(layer, layer.inputs, c))),
  );
  const scales = (by: number) => reaches.map((reach, c) => scaleOf(group, c, reach, by));
  if (alpha !== 'auto') return scales(alpha);
  const candidates = [reaches.map(() => 1), ...ALPHAS.map(scales)];
  const noises = candidates.map((candidate) => noiseOf(group, candidate));
  return candidates[Math.max(noises.indexOf(Math.min(...noises)), 0)] as Float64Array;
}

function scaleOf({ least, greatest }: Group, column: number, reach: number, alpha: number): number {
  const far = Math.max(-(least[column] as number), greatest[column] as number);
  const scale = Math.fround(far ** alpha / reach ** (1 - alpha));
  return scale > 1e-5 && scale < 1e5 ? scale : 1;
}

/**
 * The noise of products after 8-bit rounding, up to a constant factor. The step of the activation is weighted by the
 * squares of weights, and that of the weights by those of the activation.
 */
function noiseOf({ layers, least, greatest, squares, rows }: Group, scales: Float64Array): number {
  const each = (values: Float64Array) => values.map((x, c) => x / (scales[c] as number));
  const step = Math.max(...each(greatest)) - Math.min(...each(least));
  const energy = squares.reduce((sum, square, c) => sum + square / (scales[c] as number) ** 2, 0) / rows;
  return layers.reduce((noise, { values, inputs, outputs }) => {
    const scaled = values.map((w, i) => w * (scales[inputs.channelOf(i)] as number));
    const reach = scaled.reduce((most, w) => Math.max(most, Math.abs(w)), 0);
    const weights = scaled.reduce((sum, w) => sum + w * w, 0);
    return noise + step ** 2 * weights + (2 * reach) ** 2 * energy * outputs.count;
  }, 0);
}

async function divide(model: Model, { factors, layers }: Group, scales: Float64Array): Promise<void> {
  for (const layer of layers) {
    scales.forEach((scale, c) => {
      scaleChannel(layer, layer.inputs, c, scale);
    });
    layer.write();
  }
  for (const { node, at } of factors) {
    const value = node.inputs[at] as EditedValue;
    const numbers = (await numbersOf(model, value)) as Float64Array;
    const divided = Float32Array.from(numbers, (x, c) => x / (scales[c] as number));
    put(node, at, floatTensor(value.name, 'float32', [scales.length], divided));
  }
}
