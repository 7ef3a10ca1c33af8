import { type GraphProto, type Model, openTensor, type QuantizationError } from 'sardonyx/model';
import { toNumbers } from 'sardonyx/tensors';
import type { LayerError } from '../contracts/quantize.js';

/** The index of the bias input, by operator; the weight is always input 1. */
const BIAS: Readonly<Record<string, number>> = { Conv: 2, ConvTranspose: 2, Gemm: 2, GRU: 3, LSTM: 3, RNN: 3 };

/** A bias whose largest element is below this fraction of the weight's largest has no effect on outputs, however it is rounded. */
const NEAR_ZERO = 1e-3;

/** The biases of a graph by name, and whether each is near zero. */
export async function biasesOf(model: Model): Promise<ReadonlyMap<string, boolean>> {
  const graph = model.proto.graph;
  const found = new Map<string, boolean>();
  for (const { opType, input } of graph?.node ?? []) {
    const bias = input[BIAS[opType] ?? -1];
    if (!graph || !bias) continue;
    const [own, weight] = [await largestIn(model, graph, bias), await largestIn(model, graph, input[1] ?? '')];
    found.set(bias, own !== undefined && weight !== undefined && own < NEAR_ZERO * weight);
  }
  return found;
}

/** The largest magnitude in an initializer. */
async function largestIn(model: Model, { initializer }: GraphProto, wanted: string): Promise<number | undefined> {
  const tensor = initializer.find(({ name }) => name === wanted);
  if (!tensor) return undefined;
  const reader = await openTensor(tensor, model);
  const numbers = toNumbers(await reader.read(0, reader.count));
  let largest = 0;
  for (let i = 0; i < numbers.length; i++) largest = Math.max(largest, Math.abs(numbers[i] as number));
  return largest;
}

/**
 * One row per node, with separate errors of weight and bias. Sorted by the noise that a node adds to its own output; if unknown, by the
 * noise of its output with all previous nodes rounded, then by its weight.
 */
export function layersOf(
  { weights, activations }: QuantizationError,
  biases: ReadonlyMap<string, boolean>,
): LayerError[] {
  const layers = new Map<string, LayerError>();
  const add = (
    { node, operator, value }: { node: string; operator: string; value: string },
    own: Partial<LayerError>,
  ) => {
    const key = node || value;
    const before = layers.get(key) ?? { node, operator, value, ...NONE };
    const worse = (id: 'weight' | 'bias' | 'alone' | 'accumulated') => least(before[id], own[id]);
    const [weight, bias, alone, accumulated] = [worse('weight'), worse('bias'), worse('alone'), worse('accumulated')];
    layers.set(key, { ...before, weight, bias, alone, accumulated });
  };
  for (const error of activations) add(error, { alone: error.alone, accumulated: error.accumulated });
  for (const error of weights) {
    const isNearZero = biases.get(error.value);
    if (isNearZero === undefined) add(error, { weight: error.sqnr });
    else if (!isNearZero) add(error, { bias: error.sqnr });
  }
  return [...layers.values()].sort(byNoise);
}

const NONE = { weight: undefined, bias: undefined, alone: undefined, accumulated: undefined, output: undefined };

const least = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.min(one, other);

function byNoise(one: LayerError, other: LayerError): number {
  for (const id of ['alone', 'accumulated', 'weight'] as const) {
    const [a, b] = [one[id] ?? Number.POSITIVE_INFINITY, other[id] ?? Number.POSITIVE_INFINITY];
    if (a !== b) return a - b;
  }
  return 0;
}
