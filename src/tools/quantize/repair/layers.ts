import { TensorProto } from '../../../../build/onnx.js';
import type { Model } from '../../../model/document/model.js';
import type { EditedNode, EditedValue } from '../../surgery/edit/graph.js';
import { dimsOf, type FloatType, floatsOf, floatTensor, floatTypeOf } from '../tensor-data.js';

/** The layout of a weight: rows of columns of kernels. The columns of different groups are different channels. */
interface Layout {
  readonly rows: number;
  readonly columns: number;
  readonly kernel: number;
  readonly groups: number;
}

/** A node with its own weight and bias, and the positions of each channel in them. */
export interface Layer {
  readonly node: EditedNode;
  readonly values: Float32Array;
  /** The bias; zeros without one. */
  readonly bias: Float64Array;
  /** The input and output channels. */
  readonly inputs: Axis;
  readonly outputs: Axis;
  readonly write: () => void;
  /** The mean and deviation of each output channel, if batch normalization specifies them. */
  normal?: { readonly mean: Float64Array; readonly deviation: Float64Array };
}

/** The channels of a weight along an axis. */
export interface Axis {
  readonly count: number;
  /** The start of each contiguous part of a channel, and their length. */
  readonly strips: (channel: number) => { readonly starts: readonly number[]; readonly length: number };
  /** The channel of an element. */
  readonly channelOf: (at: number) => number;
}

const times = (numbers: readonly number[]): number => numbers.reduce((product, n) => product * n, 1);

function rowsOf({ rows, columns, kernel }: Layout): Axis {
  const length = columns * kernel;
  const strips = (row: number) => ({ starts: [row * length], length });
  return { count: rows, strips, channelOf: (at) => Math.floor(at / length) };
}

function columnsOf({ rows, columns, kernel, groups }: Layout): Axis {
  const own = rows / groups;
  const strips = (channel: number) => {
    const [group, column] = [Math.floor(channel / columns), channel % columns];
    const starts = Array.from({ length: own }, (_, i) => ((group * own + i) * columns + column) * kernel);
    return { starts, length: kernel };
  };
  const channelOf = (at: number) => {
    const row = Math.floor(at / (columns * kernel));
    return Math.floor(row / own) * columns + (Math.floor(at / kernel) % columns);
  };
  return { count: columns * groups, strips, channelOf };
}

type Way = 'rows' | 'columns';

/** The axis of an operator's output channels, and the number of groups. */
type Kinds = Readonly<Record<string, (node: EditedNode) => { outputs: Way; groups: number } | undefined>>;

/** Layers that support a bias. */
const BIASED: Kinds = {
  Conv: (node) => ({ outputs: 'rows', groups: numberAt(node, 'group', 1) }),
  ConvTranspose: (node) => ({ outputs: 'columns', groups: numberAt(node, 'group', 1) }),
  Gemm(node) {
    const isPlain = numberAt(node, 'alpha', 1) === 1 && numberAt(node, 'beta', 1) === 1 && !numberAt(node, 'transA', 0);
    return isPlain ? { outputs: numberAt(node, 'transB', 0) ? 'rows' : 'columns', groups: 1 } : undefined;
  },
};

/** Matrix products. */
export const PRODUCTS: Kinds = {
  Gemm: BIASED.Gemm as Kinds[string],
  MatMul: () => ({ outputs: 'columns', groups: 1 }),
};

export const ALL: Kinds = { ...BIASED, ...PRODUCTS };

export const numberAt = (node: EditedNode, name: string, otherwise: number): number =>
  Number(node.attribute(name) ?? otherwise);

export const isStandard = ({ domain }: EditedNode): boolean => domain === '' || domain === 'ai.onnx';

/** The tensor of a constant: an initializer that callers cannot replace, or the output of a Constant node. */
export function constantOf(value: EditedValue | null | undefined): TensorProto | undefined {
  const tensor = value?.producer?.op === 'Constant' ? value.producer.protos.get('value')?.t : value?.constant;
  return tensor instanceof TensorProto && !value?.isInput ? tensor : undefined;
}

/** The elements of a floating-point constant. */
export async function numbersOf(
  model: Model,
  value: EditedValue | null | undefined,
): Promise<Float64Array<ArrayBuffer> | undefined> {
  const tensor = constantOf(value);
  return tensor && floatTypeOf(tensor) ? Float64Array.from(await floatsOf(model, tensor)) : undefined;
}

/** Whether a single node reads a value, which is not an output. */
export const isOnlyRead = (value: EditedValue): boolean => value.readers.length === 1 && !value.isOutput;

/** The layer of a node with a floating-point weight of its own; undefined for other nodes. */
export async function layerOf(model: Model, node: EditedNode, kinds = BIASED): Promise<Layer | undefined> {
  const kind = isStandard(node) && Object.hasOwn(kinds, node.op) ? kinds[node.op]?.(node) : undefined;
  const [, weight, old] = node.inputs;
  const tensor = constantOf(weight);
  const type = tensor && floatTypeOf(tensor);
  const [rows = 0, columns = 0, ...kernel] = tensor ? dimsOf(tensor) : [];
  if (!kind || !weight || !type || !isOnlyRead(weight) || rows * columns === 0) return undefined;
  const layout = { rows, columns, kernel: times(kernel), groups: kind.groups };
  const [byRows, byColumns] = [rowsOf(layout), columnsOf(layout)];
  const [outputs, inputs] = kind.outputs === 'rows' ? [byRows, byColumns] : [byColumns, byRows];
  const bias = old ? await numbersOf(model, old) : new Float64Array(outputs.count);
  if (bias?.length !== outputs.count) return undefined;
  const values = Float32Array.from(await floatsOf(model, tensor));
  const write = () => {
    put(node, 1, floatTensor(weight.name, type, dimsOf(tensor), values));
    if (old || bias.some((b) => b !== 0)) put(node, 2, biasTensor(node, type, bias));
  };
  return { node, values, bias, inputs, outputs, write };
}

const biasTensor = ({ inputs: [, weight, old] }: EditedNode, type: FloatType, bias: Float64Array): TensorProto =>
  floatTensor(old?.name ?? `${weight?.name}_bias`, type, [bias.length], Float32Array.from(bias));

/** Sets a constant input of a node. It keeps its name if no other node reads it. */
export function put(node: EditedNode, at: number, tensor: TensorProto): void {
  const old = node.inputs[at];
  if (old?.constant && isOnlyRead(old) && !old.isInput) old.constant = tensor;
  else {
    const value = node.graph.newValue(tensor.name);
    value.constant = tensor;
    node.graph.constants.push(value);
    const inputs = Array.from({ length: Math.max(at + 1, node.inputs.length) }, (_, i) => node.inputs[i] ?? null);
    node.inputs = inputs.map((input, i) => (i === at ? value : input));
  }
}

/** The largest magnitude in a channel. */
export function reachOf({ values }: Layer, axis: Axis, channel: number): number {
  const { starts, length } = axis.strips(channel);
  let reach = 0;
  for (const start of starts)
    for (let i = start; i < start + length; i++) reach = Math.max(reach, Math.abs(values[i] as number));
  return reach;
}

export function scaleChannel({ values }: Layer, axis: Axis, channel: number, by: number): void {
  const { starts, length } = axis.strips(channel);
  for (const start of starts) for (let i = start; i < start + length; i++) values[i] = (values[i] as number) * by;
}

/** Scales an output channel. */
export function scaleOutput(layer: Layer, channel: number, by: number): void {
  const { bias, normal } = layer;
  scaleChannel(layer, layer.outputs, channel, by);
  bias[channel] = (bias[channel] as number) * by;
  if (!normal) return;
  normal.mean[channel] = (normal.mean[channel] as number) * by;
  normal.deviation[channel] = (normal.deviation[channel] as number) * Math.abs(by);
}
