import type { GraphProto, ModelProto } from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import { withFields } from '../../../model/document/changed.js';
import type { Model } from '../../../model/document/model.js';
import { toNumber } from '../../../model/int64.js';
import { withProto } from '../../model-of.js';
import { sortNodes } from '../../surgery/sort-nodes.js';
import { calibrate } from '../calibrate/calibrate.js';
import type { Ranges } from '../calibrate/ranges.js';
import { importing, MICROSOFT, opsetOf } from '../nodes.js';
import { replaced } from '../replaced.js';
import type { Samples } from '../weights/gram-matrices.js';
import { type Desk, deskOf, isChosen } from './desk.js';
import { writeOperators } from './operators/write.js';
import { type QuantizeStaticOptions, type StaticSettings, staticSettingsOf } from './options.js';
import { noMarks } from './qdq/marks.js';
import { everything, RULES } from './qdq/rules.js';
import { writePairs } from './qdq/write.js';
import { QUANTIZED_TYPES } from './types.js';

/**
 * Quantizes weights and activations with known ranges: those of `calibrate`, or samples to calibrate on. Placement,
 * scales, zero points and integers are those of onnxruntime's quantizer.
 * @throws SardonyxError INVALID_ARGUMENT if options contradict each other, the opset is too old, or a range is missing
 */
export async function quantizeStatic(
  given: Model,
  rangesOrFeeds: Ranges | Samples,
  options: QuantizeStaticOptions = {},
): Promise<Model> {
  const settings = staticSettingsOf(options);
  const model = sortNodes(given);
  const { proto } = model;
  const isConcerned = proto.graph?.node.some((node) => isChosen(node, settings));
  if (!proto.graph || !isConcerned) return given;
  requireOpset(opsetOf(proto), settings);
  const desk = await deskOf(model, await rangesOf(model, rangesOrFeeds, options), settings);
  await (settings.format === 'QDQ' ? placePairs : writeOperators)(desk);
  const graph = withoutLost(replaced(proto.graph, desk.sheet));
  return withProto(model, importingUsed(withFields(proto, { graph }), desk));
}

const isRanges = (given: Ranges | Samples): given is Ranges => 'values' in given && 'method' in given;

async function rangesOf(model: Model, given: Ranges | Samples, options: QuantizeStaticOptions): Promise<Ranges> {
  if (isRanges(given)) return given;
  return calibrate(model, given, { types: QUANTIZED_TYPES, ...options });
}

async function placePairs(desk: Desk): Promise<void> {
  const marks = noMarks(desk);
  for (const step of marks.steps)
    if (isChosen(step.node, desk.settings)) (RULES[step.node.opType] ?? everything)(marks, step);
  await writePairs(marks);
}

/** QuantizeLinear exists since opset 10, with an axis since 13. */
function requireOpset(opset: number, { format, perChannel, overrides }: StaticSettings): void {
  const isByAxis = format === 'QDQ' && (perChannel || Object.values(overrides).some(({ axis }) => axis !== undefined));
  const needed = isByAxis ? 13 : 10;
  if (opset >= needed) return;
  const what = isByAxis ? 'per-channel quantization' : 'QuantizeLinear';
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `${what} needs opset ${needed}, but the model has opset ${opset}; convert the model first`,
  );
}

/** Removes the declared types of values that no longer exist. */
function withoutLost(graph: GraphProto): GraphProto {
  const made = new Set(graph.node.flatMap(({ output }) => output));
  const there = graph.valueInfo.filter(({ name }) => made.has(name));
  return there.length === graph.valueInfo.length ? graph : withFields(graph, { valueInfo: there });
}

const IR_OF_4_BITS = 10;

function importingUsed(proto: ModelProto, { sheet, graph, settings }: Desk): ModelProto {
  const { activationType, weightType, overrides } = settings;
  const types = [activationType, weightType, ...Object.values(overrides).map(({ type }) => type)];
  const isPacked = types.some((type) => type?.endsWith('int4'));
  const named =
    isPacked && toNumber(proto.irVersion) < IR_OF_4_BITS ? withFields(proto, { irVersion: IR_OF_4_BITS }) : proto;
  const made = [...[...sheet.nodes.values()].flat(), ...(sheet.first.get(graph) ?? [])];
  return made.some(({ domain }) => domain === MICROSOFT) ? importing(named, MICROSOFT, 1) : named;
}
