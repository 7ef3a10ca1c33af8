import type { Model } from '../../../model/document/model.js';
import { isFloat } from '../../../tensor/element-types.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { isTensorValue, type TensorValue } from '../../../tensor/tensor-value.js';
import { edit } from '../../surgery/edit/edit.js';
import type { EditedGraph, EditedNode, EditedValue } from '../../surgery/edit/graph.js';
import type { Watch } from '../progress.js';
import type { Samples } from '../weights/gram-matrices.js';
import { eachSample, opened, type Values } from './captured.js';
import { numbersOf as floatsOf } from './layers.js';
import { copyRounded, storedOf, valuesOf } from './qdq.js';
import { decibels, hear, type Signal, silence } from './signal.js';

/** The effect of rounding on one value; ratios are signal to noise in decibels. */
export interface ValueError {
  /** The name of the value. */
  readonly value: string;
  /** The node that computes the value, or for a weight, reads it. */
  readonly node: string;
  /** The operator of the node. */
  readonly operator: string;
}

/** The quantization error of a weight. */
export interface WeightError extends ValueError {
  /** The signal-to-quantization-noise ratio in decibels. */
  readonly sqnr: number;
}

/** The quantization error of an activation, as signal-to-noise ratio in decibels. */
export interface ActivationError extends ValueError {
  /** The ratio if only this node is quantized. */
  readonly alone?: number | undefined;
  /** The ratio if all nodes up to this one are quantized. */
  readonly accumulated: number;
}

/** The result of `quantizationError`. */
export interface QuantizationError {
  /** The errors of the weights. */
  readonly weights: readonly WeightError[];
  /** The errors of the activations. */
  readonly activations: readonly ActivationError[];
}

/** A float value and the names of its quantized counterparts. */
interface Watched extends ValueError {
  readonly rounded: string;
  readonly alone: string | undefined;
}

/**
 * Measures the error of a quantized model's weights, and of its activations on samples: with all quantization before
 * them, and for models in QDQ format also alone. Values are matched by name; values of only one model are ignored.
 * @throws SardonyxError INVALID_ARGUMENT if there are no samples, ABORTED
 */
export async function quantizationError(
  model: Model,
  quantized: Model,
  feeds: Samples,
  watch: Watch = {},
): Promise<QuantizationError> {
  let weights: readonly WeightError[] = [];
  const watched: Watched[] = [];
  let both = model;
  await edit(quantized, async (graph) => {
    weights = await weightErrors(model, graph);
    both = await edit(model, (floats) => {
      watched.push(...watchedIn(graph, floats));
    });
  });
  return { weights, activations: await activationErrors(both, quantized, watched, feeds, watch) };
}

const nameOf = ({ name, op }: EditedNode) => ({ node: name, operator: op });

async function weightErrors(model: Model, graph: EditedGraph): Promise<WeightError[]> {
  const errors: WeightError[] = [];
  await edit(model, async (floats) => {
    const twins = new Map(floats.nodes.map((node) => [node.name, node]));
    for (const node of graph.nodes)
      for (const [at, input] of node.inputs.entries()) {
        const own = node.name ? twins.get(node.name)?.inputs[at] : undefined;
        const [stored, exact] = [await storedOf(input), await floatsOf(model, own)];
        if (!stored || exact?.length !== stored.codes.length) continue;
        const signal = silence();
        hear(signal, exact, valuesOf(stored));
        errors.push({ value: own?.name ?? '', ...nameOf(node), sqnr: decibels(signal) });
      }
  });
  return errors;
}

/** The value after its QuantizeLinear/DequantizeLinear pair, if it has one. */
function asRead(value: EditedValue): EditedValue {
  const rounding = value.readers.find(({ op }) => op === 'QuantizeLinear');
  const reader = rounding?.outputs[0]?.readers.find(({ op }) => op === 'DequantizeLinear');
  return reader?.outputs[0] ?? value;
}

function watchedIn(graph: EditedGraph, floats: EditedGraph): Watched[] {
  const values = new Map(graph.values.map((value) => [value.name, value]));
  return [...floats.nodes].flatMap((node) =>
    node.outputs.flatMap((value) => {
      const twin = value && values.get(value.name);
      if (!value || !twin?.producer || node.op === 'Constant') return [];
      const alone = aloneIn(floats, twin);
      return [{ value: value.name, ...nameOf(node), rounded: asRead(twin).name, alone: alone?.name }];
    }),
  );
}

const isReader = (value: EditedValue | null): boolean => value?.producer?.op === 'DequantizeLinear';

/** Adds a node with quantized inputs and output to the float graph, to measure its error alone. */
function aloneIn(floats: EditedGraph, twin: EditedValue): EditedValue | undefined {
  const made = isReader(twin) ? twin.producer?.inputs[0]?.producer?.inputs[0] : twin;
  const node = made?.producer;
  if (!made || !node || node.outputs[0] !== made || !node.inputs.some(isReader)) return undefined;
  const copy = copyRounded(node, floats)?.outputs[0];
  const rounding = asRead(made).producer;
  const quantize = rounding?.inputs[0]?.producer;
  if (!copy || !rounding || !quantize || rounding === node) return copy ?? undefined;
  const steps = copyRounded(quantize, floats, copy)?.outputs[0];
  return (steps && copyRounded(rounding, floats, steps)?.outputs[0]) ?? undefined;
}

async function activationErrors(
  both: Model,
  quantized: Model,
  watched: readonly Watched[],
  feeds: Samples,
  watch: Watch,
): Promise<ActivationError[]> {
  const heard = watched.map((names) => ({ names, alone: silence(), accumulated: silence() }));
  const exact = await opened(
    both,
    watched.flatMap(({ value, alone }) => [value, alone ?? value]),
  );
  const rounded = await opened(
    quantized,
    watched.map((names) => names.rounded),
  );
  try {
    await eachSample(feeds, 'samples', watch, async (sample) => {
      const [a, b] = [(await exact.run(sample)) as Values, (await rounded.run(sample)) as Values];
      for (const { names, alone, accumulated } of heard) {
        compare(accumulated, a[names.value], b[names.rounded]);
        if (names.alone) compare(alone, a[names.value], a[names.alone]);
      }
    });
  } finally {
    await Promise.all([exact.release(), rounded.release()]);
  }
  return heard
    .filter(({ accumulated }) => accumulated.power > 0)
    .map(({ names: { value, node, operator, alone: name }, alone, accumulated }) => ({
      value,
      node,
      operator,
      ...(name && { alone: decibels(alone) }),
      accumulated: decibels(accumulated),
    }));
}

/** Compares floats only. */
function compare(signal: Signal, exact: TensorValue | undefined, found: TensorValue | undefined): void {
  if (!isTensorValue(exact) || !isTensorValue(found) || !isFloat(exact.type)) return;
  hear(signal, numbersOf(exact), numbersOf(found));
}
