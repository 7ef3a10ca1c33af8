import { TensorProto } from '../../../../build/onnx.js';
import type { Model } from '../../../model/document/model.js';
import { writeTensorProto } from '../../../model/write-attributes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { edit } from '../../surgery/edit/edit.js';
import type { EditedGraph, EditedNode, EditedValue } from '../../surgery/edit/graph.js';
import type { Watch } from '../progress.js';
import type { Samples } from '../weights/gram-matrices.js';
import { capturing } from './captured.js';
import { constantOf, numberAt, put } from './layers.js';
import { copyRounded, type RoundedLayer, roundedLayers, storedOf } from './qdq.js';

/** What a layer gives in floats, what its rounded copy gives of the same, and by how much that is less on average. */
interface Comparison {
  readonly layer: RoundedLayer;
  readonly exact: string;
  readonly rounded: string;
  readonly lack: Float64Array;
  count: number;
}

/**
 * Adds to the biases of a rounded model what layers give too little on average, each on the inputs that it has in floats
 * (Nagel et al. 2019, https://arxiv.org/abs/1906.04721). `quantized` is what `quantizeStatic` made of `model`, of format QDQ;
 * products without a bias stay as they are.
 */
export function correctBias(model: Model, quantized: Model, feeds: Samples, watch: Watch = {}): Promise<Model> {
  return edit(quantized, async (graph) => {
    const comparisons: Comparison[] = [];
    const both = await edit(model, async (floats) => {
      for (const layer of await roundedLayers(graph, model, floats)) comparisons.push(...compared(layer, floats));
    });
    const names = comparisons.flatMap(({ exact, rounded }) => [exact, rounded]);
    await capturing(both, names, feeds, watch, (values) => {
      for (const comparison of comparisons) observe(comparison, values);
    });
    for (const { layer, lack, count } of comparisons.filter(({ count }) => count > 0))
      await addToBias(
        layer,
        lack.map((sum) => sum / count),
      );
  });
}

function compared(layer: RoundedLayer, floats: EditedGraph): Comparison[] {
  const { node, twin } = layer;
  const rounded = hasBias(node) ? copyRounded(node, floats)?.outputs[0] : undefined;
  const exact = twin.node.outputs[0];
  if (!rounded || !exact) return [];
  return [{ layer, exact: exact.name, rounded: rounded.name, lack: new Float64Array(twin.outputs.count), count: 0 }];
}

const hasBias = (node: EditedNode): boolean =>
  node.op !== 'MatMul' && (!node.inputs[2] || numberAt(node, 'beta', 1) === 1);

function observe(comparison: Comparison, values: Readonly<Record<string, TensorValue>>): void {
  const [exact, rounded] = [values[comparison.exact] as TensorValue, values[comparison.rounded] as TensorValue];
  const { lack } = comparison;
  const [a, b] = [numbersOf(exact), numbersOf(rounded)];
  const inner = exact.dims.slice(2).reduce((product, dim) => product * dim, 1);
  for (let i = 0; i < a.length; i++) {
    const channel = Math.floor(i / inner) % lack.length;
    lack[channel] = (lack[channel] as number) + (a[i] as number) - (b[i] as number);
  }
  comparison.count += a.length / lack.length;
}

/** Adds to a bias in the steps that it has; makes one where there is none. */
async function addToBias(layer: RoundedLayer, lack: Float64Array): Promise<void> {
  const { node } = layer;
  const old = node.inputs[2];
  const stored = await storedOf(old);
  if (stored) return stored.write(stored.codes.map((code, c) => inSteps(lack[c] as number, stored.scaleAt(c), code)));
  if (old) return addToFloats(node, old, lack);
  const steps = await biasSteps(layer);
  if (steps) makeBias(layer, lack, steps);
  else put(node, 2, constant(`${layer.twin.node.name}_bias`, 'float32', lack));
}

/** Integers of 32 bits end somewhere. */
const inSteps = (by: number, step: number, from = 0): number =>
  Math.min(Math.max(from + Math.round(by / step), -(2 ** 31)), 2 ** 31 - 1);

const constant = (name: string, type: 'float32' | 'int32', values: ArrayLike<number>): TensorProto =>
  new TensorProto(writeTensorProto(tensorOf(type, [values.length], values), name));

async function addToFloats(node: EditedNode, old: EditedValue, lack: Float64Array): Promise<void> {
  const tensor = constantOf(old) && (await old.tensor());
  if (!tensor) return;
  const sums = Float64Array.from(numbersOf(tensor), (x, c) => x + (lack[c] as number));
  put(node, 2, new TensorProto(writeTensorProto(tensorOf(tensor.type, tensor.dims, sums), old.name)));
}

/** The steps of products: those of the activation times those of the weights of each channel. */
async function biasSteps({ node, weight, twin: { outputs } }: RoundedLayer): Promise<Float32Array | undefined> {
  const reader = node.inputs[0]?.producer;
  const scale = reader?.op === 'DequantizeLinear' ? await reader.inputs[1]?.tensor() : undefined;
  const step = scale && numbersOf(scale)[0];
  if (step === undefined) return undefined;
  return Float32Array.from({ length: outputs.count }, (_, c) => {
    const [at = 0] = outputs.strips(c).starts;
    return step * weight.scaleAt(at);
  });
}

function makeBias({ node, twin }: RoundedLayer, lack: Float64Array, steps: Float32Array): void {
  const name = `${twin.node.inputs[1]?.name}_bias`;
  const reader = node.graph.addNode({ op: 'DequantizeLinear', inputs: [null, null], attributes: { axis: 0 } });
  put(
    reader,
    0,
    constant(
      `${name}_quantized`,
      'int32',
      lack.map((by, c) => inSteps(by, steps[c] as number)),
    ),
  );
  put(reader, 1, constant(`${name}_scale`, 'float32', steps));
  node.inputs = [...node.inputs.slice(0, 2), ...reader.outputs];
}
