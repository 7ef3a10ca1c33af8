import type { NodeProto } from '../../../../build/onnx.js';
import type { Model } from '../../../model/document/model.js';
import { calibrate } from '../calibrate/calibrate.js';
import type { Ranges } from '../calibrate/ranges.js';
import { oneOf } from '../one-of.js';
import { eachOf } from '../progress.js';
import type { QuantizeStaticOptions } from '../static/options.js';
import { quantizeStatic } from '../static/quantize-static.js';
import { QUANTIZED_TYPES } from '../static/types.js';
import type { Samples } from '../weights/gram-matrices.js';
import { byMetric, byOutputs, type Judge, type Metric } from './score.js';
import { UNITS } from './units.js';

/** Options of `sensitivity`. */
export interface SensitivityOptions extends QuantizeStaticOptions {
  /** Whether to quantize single nodes or all nodes of an operator. Default: `node`. */
  readonly by?: (typeof UNITS)[number];
  /** The quality of a model. Default: the signal-to-noise ratio of the outputs. */
  readonly metric?: Metric;
}

/** The quality of a model in which only one node, or one type of operator, is quantized. */
export interface Sensitivity {
  /** The name of the node, or of its output if it has none; or the type of operator. */
  readonly name: string;
  /** The operator. */
  readonly operator: string;
  /** The result of the metric, or the signal-to-noise ratio of the outputs in decibels. */
  readonly score: number;
}

/** Nodes to quantize together. */
interface Unit {
  readonly name: string;
  readonly operator: string;
  readonly nodes: readonly NodeProto[];
}

export const calibrated = (model: Model, feeds: Samples, options: QuantizeStaticOptions): Promise<Ranges> =>
  calibrate(model, feeds, { types: QUANTIZED_TYPES, ...options });

/**
 * Measures how much quality is lost when a single node, or a single type of operator, is quantized. The most sensitive
 * come first. Nodes that static quantization does not change are omitted.
 * @throws SardonyxError INVALID_ARGUMENT, ABORTED
 */
export async function sensitivity(
  model: Model,
  feeds: Samples,
  options: SensitivityOptions = {},
): Promise<Sensitivity[]> {
  const { metric } = options;
  const judge = metric ? byMetric(metric) : byOutputs(model, feeds, options);
  return ranked(model, await calibrated(model, feeds, options), judge, options);
}

export async function ranked(
  model: Model,
  ranges: Ranges,
  judge: Judge,
  { by = 'node', ...options }: SensitivityOptions,
): Promise<Sensitivity[]> {
  oneOf('by', by, UNITS);
  const found: Sensitivity[] = [];
  await eachOf(
    'sensitivity',
    unitsOf(model, by),
    ({ name }) => name,
    options,
    async ({ name, operator, nodes }) => {
      const include = nodes.map((node) => exactly(nameOf(node)));
      const quantized = await quantizeStatic(model, ranges, { ...options, include });
      if (quantized.proto.graph !== model.proto.graph) found.push({ name, operator, score: await judge(quantized) });
    },
  );
  return found.sort((a, b) => a.score - b.score);
}

export const nameOf = ({ name, output: [first = ''] }: NodeProto): string => name || first;

/** A pattern that matches only this name. */
export const exactly = (name: string): RegExp => new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);

function unitsOf({ proto: { graph } }: Model, by: SensitivityOptions['by']): Unit[] {
  const nodes = (graph?.node ?? []).filter(({ opType }) => QUANTIZED_TYPES.includes(opType));
  if (by === 'node') return nodes.map((node) => ({ name: nameOf(node), operator: node.opType, nodes: [node] }));
  const types = [...new Set(nodes.map(({ opType }) => opType))];
  return types.map((type) => ({ name: type, operator: type, nodes: nodes.filter(({ opType }) => opType === type) }));
}
