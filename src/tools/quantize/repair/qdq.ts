import { TensorProto } from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import { writeTensorProto } from '../../../model/write-attributes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { EditedGraph, EditedNode, EditedValue } from '../../surgery/edit/graph.js';
import { ALL, constantOf, type Layer, layerOf, numberAt } from './layers.js';

/** A constant that a DequantizeLinear reads, with `scale * (integer - zero)` as its value. */
export interface Stored {
  readonly tensor: TensorValue;
  readonly codes: Float64Array;
  readonly scaleAt: (at: number) => number;
  readonly zeroAt: (at: number) => number;
  readonly write: (codes: Float64Array) => void;
}

/** A quantized layer and its float counterpart. */
export interface RoundedLayer {
  readonly node: EditedNode;
  readonly weight: Stored;
  readonly twin: Layer;
}

const isOne = (node: EditedNode | undefined, op: string): node is EditedNode => node?.op === op;

/** The constant input of a DequantizeLinear with one scale, or one per slice of an axis. */
export async function storedOf(value: EditedValue | null | undefined): Promise<Stored | undefined> {
  const node = value?.producer;
  if (!isOne(node, 'DequantizeLinear') || numberAt(node, 'block_size', 0) > 0) return undefined;
  const [codes, scale, zero] = node.inputs;
  if (!codes || !constantOf(codes)) return undefined;
  const [tensor, scales, zeros] = await Promise.all([codes.tensor(), scale?.tensor(), zero?.tensor()]);
  if (!tensor || !scales) return undefined;
  const slice = sliceOf(tensor.dims, scales.dims, numberAt(node, 'axis', 1));
  const [s, z] = [numbersOf(scales), zeros && numbersOf(zeros)];
  return {
    tensor,
    codes: Float64Array.from(numbersOf(tensor)),
    scaleAt: (at) => s[slice(at)] as number,
    zeroAt: (at) => (z ? (z[slice(at)] as number) : 0),
    write(changed) {
      const written = writeTensorProto(tensorOf(tensor.type, tensor.dims, changed), codes.name);
      codes.constant = new TensorProto(written);
    },
  };
}

/** Returns the index of an element's scale. */
function sliceOf(dims: readonly number[], scales: readonly number[], axis: number): (at: number) => number {
  if (scales.length === 0 || (scales[0] === 1 && dims.length !== 1)) return () => 0;
  const at = axis < 0 ? axis + dims.length : dims.length === 1 ? 0 : axis;
  const inner = dims.slice(at + 1).reduce((product, dim) => product * dim, 1);
  return (i) => Math.floor(i / inner) % (scales[0] as number);
}

/** The dequantized values. */
export const valuesOf = ({ codes, scaleAt, zeroAt }: Stored): Float64Array =>
  codes.map((code, at) => scaleAt(at) * (code - zeroAt(at)));

/** Pairs the layers of a QDQ model with those of the original model by node name. */
export async function roundedLayers(
  { nodes }: EditedGraph,
  model: Model,
  floats: EditedGraph,
): Promise<RoundedLayer[]> {
  const twins = new Map(floats.nodes.map((node) => [node.name || node.outputs[0]?.name, node]));
  const layers: RoundedLayer[] = [];
  for (const node of nodes) {
    const weight = await storedOf(node.inputs[1]);
    const own = twins.get(node.name || node.outputs[0]?.name);
    const twin = weight && own?.op === node.op ? await layerOf(model, own, ALL) : undefined;
    if (weight && twin && twin.values.length === weight.codes.length) layers.push({ node, weight, twin });
  }
  if (layers.length > 0) return layers;
  const message =
    'the quantized model has no layers of the original model in QDQ format; pass the result of quantizeStatic with the format QDQ';
  throw new SardonyxError('INVALID_ARGUMENT', message);
}

/**
 * Copies a node from another graph with the quantization of its inputs. The unquantized values are those of this graph.
 */
export function copyRounded(node: EditedNode, into: EditedGraph, first?: EditedValue): EditedNode | undefined {
  const inputs = node.inputs.map((value, at) => (at === 0 && first) || (value && copyOf(value, into)));
  if (inputs.includes(undefined)) return undefined;
  const copy = into.addNode({ op: node.op, domain: node.domain, inputs: inputs as (EditedValue | null)[] });
  for (const [name, proto] of node.protos) copy.protos.set(name, proto);
  return copy;
}

const ROUNDING: ReadonlySet<string> = new Set(['QuantizeLinear', 'DequantizeLinear']);

function copyOf(value: EditedValue, into: EditedGraph): EditedValue | undefined {
  const { producer, constant } = value;
  if (producer && ROUNDING.has(producer.op)) return copyRounded(producer, into)?.outputs[0] ?? undefined;
  if (!constant || value.isInput) return into.value(value.name);
  const copy = into.newValue(value.name);
  copy.constant = constant;
  into.constants.push(copy);
  return copy;
}
