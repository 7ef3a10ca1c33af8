import { TensorProto } from '../../../../build/onnx.js';
import type { Model } from '../../../model/document/model.js';
import { writeTensorProto } from '../../../model/write-attributes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { edit } from '../../surgery/edit/edit.js';
import type { EditedGraph, EditedNode, EditedValue } from '../../surgery/edit/graph.js';
import { eachOf, type Watch } from '../progress.js';
import type { Samples } from '../weights/gram-matrices.js';
import { capturing } from './captured.js';
import { constantOf, numberAt, put } from './layers.js';
import { type RoundedLayer, roundedLayers, storedOf } from './qdq.js';

/** A layer that has or can have a bias, with the names of its exact and quantized outputs. */
interface Biased {
  readonly exact: string;
  readonly rounded: string;
  readonly channels: number;
  /** The scales for a new quantized bias; undefined if it would be floats. */
  readonly steps: Float32Array | undefined;
}

/**
 * Corrects the biases of a quantized model by the mean error of each output channel (Nagel et al. 2019,
 * https://arxiv.org/abs/1906.04721). Layers are corrected in order, each with all layers before it corrected, so the
 * model runs once on all samples for each layer. `quantized` is the result of `quantizeStatic` for `model` in QDQ
 * format. Layers without a bias do not change.
 * @throws SardonyxError INVALID_ARGUMENT if `quantized` has no layers of `model` in QDQ format or there are no samples
 */
export async function correctBias(model: Model, quantized: Model, feeds: Samples, watch: Watch = {}): Promise<Model> {
  const layers = await biasedLayers(model, quantized);
  const exact = new Map(layers.map(({ exact, channels }) => [exact, channels]));
  const expected = await meansOf(model, exact, feeds, watch);
  let current = quantized;
  await eachOf(
    'biases',
    layers,
    ({ rounded }) => rounded,
    watch,
    async (layer) => {
      const found = await meansOf(current, new Map([[layer.rounded, layer.channels]]), feeds, watch);
      const [mean, own] = [expected.get(layer.exact), found.get(layer.rounded)];
      const lack = mean?.map((x, c) => x - (own?.[c] as number));
      if (lack?.every(Number.isFinite)) current = await edit(current, (graph) => addToBias(graph, layer, lack));
    },
  );
  return current;
}

async function biasedLayers(model: Model, quantized: Model): Promise<Biased[]> {
  const layers: Biased[] = [];
  await edit(quantized, (graph) =>
    edit(model, async (floats) => {
      for (const layer of await roundedLayers(graph, model, floats)) {
        const [exact, rounded] = [layer.twin.node.outputs[0]?.name, layer.node.outputs[0]?.name];
        if (!exact || !rounded || !hasBias(layer.node)) continue;
        layers.push({ exact, rounded, channels: layer.twin.outputs.count, steps: await biasSteps(layer) });
      }
    }).then(() => {}),
  );
  return layers;
}

const hasBias = (node: EditedNode): boolean =>
  node.op !== 'MatMul' && (!node.inputs[2] || numberAt(node, 'beta', 1) === 1);

/** The mean of each channel, the second axis, of values; NaN without data. */
async function meansOf(
  model: Model,
  channels: ReadonlyMap<string, number>,
  feeds: Samples,
  watch: Watch,
): Promise<ReadonlyMap<string, Float64Array>> {
  const sums = new Map([...channels].map(([name, count]) => [name, new Float64Array(count)]));
  const counts = new Map<string, number>();
  await capturing(model, [...channels.keys()], feeds, watch, (values) => {
    for (const [name, sum] of sums) {
      const value = values[name] as TensorValue;
      const numbers = numbersOf(value);
      const inner = value.dims.slice(2).reduce((product, dim) => product * dim, 1);
      for (let i = 0; i < numbers.length; i++) {
        const channel = Math.floor(i / inner) % sum.length;
        sum[channel] = (sum[channel] as number) + (numbers[i] as number);
      }
      counts.set(name, (counts.get(name) ?? 0) + numbers.length / sum.length);
    }
  });
  return new Map([...sums].map(([name, sum]) => [name, sum.map((x) => x / (counts.get(name) ?? 0))]));
}

/** Adds to a bias in its own type, or creates one. */
async function addToBias(graph: EditedGraph, { rounded, steps }: Biased, lack: Float64Array): Promise<void> {
  const node = graph.value(rounded)?.producer as EditedNode;
  const old = node.inputs[2];
  const stored = await storedOf(old);
  if (stored) stored.write(stored.codes.map((code, c) => inSteps(lack[c] as number, stored.scaleAt(c), code)));
  else if (old) await addToFloats(node, old, lack);
  else if (steps) makeBias(node, rounded, lack, steps);
  else put(node, 2, constant(`${rounded}_bias`, 'float32', lack));
}

/** Adds a number to a quantized one and clamps it to 32 bits. */
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

/** The scales of products per channel: that of the activation times those of the weights. */
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

function makeBias(node: EditedNode, output: string, lack: Float64Array, steps: Float32Array): void {
  const name = `${output}_bias`;
  const reader = node.graph.addNode({ op: 'DequantizeLinear', inputs: [null, null], attributes: { axis: 0 } });
  const codes = lack.map((by, c) => inSteps(by, steps[c] as number));
  put(reader, 0, constant(`${name}_quantized`, 'int32', codes));
  put(reader, 1, constant(`${name}_scale`, 'float32', steps));
  node.inputs = [...node.inputs.slice(0, 2), ...reader.outputs];
}
