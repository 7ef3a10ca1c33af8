import type { Model } from '../../../model/document/model.js';
import { int64List, numbersOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { edit } from '../../surgery/edit/edit.js';
import type { EditedGraph, EditedNode, EditedValue } from '../../surgery/edit/graph.js';
import type { Watch } from '../progress.js';
import type { Samples } from '../weights/gram-matrices.js';
import { capturing } from './captured.js';

/** The input of a layer as a matrix: for each group, rows of `width` elements. */
export interface Reading {
  /** The name of the node's output in the float model. */
  readonly output: string;
  readonly groups: number;
  readonly width: number;
  /** The kernel dims of a convolution. */
  readonly kernel: readonly number[];
}

const sizeOf = ({ groups, width }: Reading): number => groups * width ** 2;

/** The maximum number of matrix elements to accumulate at once: 128 MiB in double precision. */
const MOST_AT_ONCE = 2 ** 24;

function* portions(readings: readonly Reading[]): Generator<Reading[]> {
  let [portion, size]: [Reading[], number] = [[], 0];
  for (const reading of readings) {
    if (portion.length > 0 && size + sizeOf(reading) > MOST_AT_ONCE) {
      yield portion;
      [portion, size] = [[], 0];
    }
    portion.push(reading);
    size += sizeOf(reading);
  }
  if (portion.length > 0) yield portion;
}

/**
 * Yields XᵀX of the inputs of layers, [groups, width, width]. As many layers as fit in memory are computed in each
 * pass.
 */
export async function* gramsOf(
  model: Model,
  readings: readonly Reading[],
  samples: Samples,
  watch: Watch,
): AsyncGenerator<readonly [Reading, Float64Array]> {
  for (const portion of portions(readings)) {
    const names = new Map<Reading, string>();
    const extended = await edit(model, (graph) => {
      for (const reading of portion) names.set(reading, addProduct(graph, reading).name);
    });
    const sums = new Map(portion.map((reading) => [reading, new Float64Array(sizeOf(reading))]));
    await capturing(extended, [...names.values()], samples, watch, (values) => {
      for (const [reading, sum] of sums) addUp(sum, values[names.get(reading) as string] as TensorValue);
    });
    yield* sums;
  }
}

function addUp(sum: Float64Array, product: TensorValue): void {
  const numbers = numbersOf(product);
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (numbers[i] as number);
}

type Made = EditedValue | null;

function addProduct(graph: EditedGraph, reading: Reading): EditedValue {
  const node = graph.value(reading.output)?.producer as EditedNode;
  const make = (op: string, inputs: readonly Made[], attributes = {}): Made =>
    graph.addNode({ op, inputs, attributes }).outputs[0] ?? null;
  const shaped = (x: Made, dims: readonly number[]) =>
    make('Reshape', [x, graph.addConstant('shape', int64List(dims))]);
  const { groups, width, kernel } = reading;
  const [input = null] = node.inputs;
  if (kernel.length === 0) {
    const rows = shaped(input, [-1, width]);
    return make('MatMul', [make('Transpose', [rows], { perm: [1, 0] }), rows]) as EditedValue;
  }
  // [n, channels · kernel, …] → [channels · kernel, n, …] → [groups, width, n · …]
  const patches = shaped(addPatches(graph, node, reading), [0, groups * width, -1]);
  const columns = shaped(make('Transpose', [patches], { perm: [1, 0, 2] }), [groups, width, -1]);
  return make('MatMul', [columns, make('Transpose', [columns], { perm: [0, 2, 1] })]) as EditedValue;
}

const MOVES = ['auto_pad', 'dilations', 'pads', 'strides'] as const;

/** Extracts the patches that a kernel is applied to, by a convolution with one-hot kernels. */
function addPatches(graph: EditedGraph, node: EditedNode, { groups, width, kernel }: Reading): Made {
  const size = kernel.reduce((product, dim) => product * dim, 1);
  const count = groups * width;
  const data = new Float32Array(count * size);
  for (let i = 0; i < count; i++) data[i * size + (i % size)] = 1;
  const ones = graph.addConstant('ones', { type: 'float32', dims: [count, 1, ...kernel], data });
  const conv = graph.addNode({ op: 'Conv', inputs: [node.inputs[0] ?? null, ones] });
  for (const name of MOVES) {
    const proto = node.protos.get(name);
    if (proto) conv.protos.set(name, proto);
  }
  conv.setAttribute('group', count / size);
  return conv.outputs[0] ?? null;
}
