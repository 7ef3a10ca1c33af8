import { shown } from '../../../base/shown.js';
import { changedList, withChanges } from '../../../model/document/changed.js';
import type { Model } from '../../../model/document/model.js';
import { withAttributes } from '../../convert/node.js';
import { withProto } from '../../model-of.js';
import { parseModel } from '../../text.js';
import { asEnsemble } from './as-ensemble.js';
import { asRegressor } from './as-regressor.js';
import { refuse } from './fields.js';
import type { Forest, ForestOptions, Link, Outcome, Preparation } from './forest.js';

/** Writes nodes that compute `to` from `x`, in ONNX's text format. */
type Step = (x: string, to: string) => string;

const PREPARATIONS: Readonly<Record<Preparation, Step>> = {
  floor: (x, to) => `${to} = Floor(${x})`,
  truncate: (x, to) =>
    `${to}_up = Ceil(${x}) ${to}_down = Floor(${x}) ${to}_below = Less(${x}, zero) ${to} = Where(${to}_below, ${to}_up, ${to}_down)`,
  'zero is missing': (x, to) =>
    `${to}_size = Abs(${x}) ${to}_zero = LessOrEqual(${to}_size, least) ${to} = Where(${to}_zero, missing, ${x})`,
};

const LINKS: Readonly<Record<Link | 'softmax', Step>> = {
  identity: (x, to) => `${to} = Identity(${x})`,
  logistic: (x, to) => `${to} = Sigmoid(${x})`,
  softmax: (x, to) => `${to} = Softmax<axis = 1>(${x})`,
  exp: (x, to) => `${to} = Exp(${x})`,
  softplus: (x, to) => `${to} = Softplus(${x})`,
  'signed square': (x, to) => `${to}_size = Abs(${x}) ${to} = Mul(${x}, ${to}_size)`,
  positive: (x, to) => `${to}_above = Greater(${x}, zero) ${to} = Cast<to = 1>(${to}_above)`,
};

/** LightGBM's threshold for zero. */
const LEAST = 1e-35;

/** Constants of the steps. Unused ones are omitted. */
const CONSTANTS = { zero: 0, least: LEAST, missing: Number.NaN, one: 1 } as const;

/** Versions of ai.onnx.ml, and the IR version and opset at their release. */
const VERSIONS = {
  3: { ir: 8, opset: 15, operator: 'TreeEnsembleRegressor' },
  5: { ir: 10, opset: 21, operator: 'TreeEnsemble' },
} as const;

/**
 * Converts a forest to a model: from `input` [batch, features] to `variable` [batch, targets], or to `label` [batch]
 * and `probabilities` [batch, classes]. Classifiers use a regressor, too: onnxruntime treats the sums of a binary
 * classifier as probabilities if no weight is negative.
 */
export function toModel(given: Forest, { opset, labels }: ForestOptions): Model {
  const forest = given.trees.length > 0 ? given : { ...given, trees: [[new Map([[0, 0]])]] };
  const hasSets = forest.trees.some((tree) => tree.some((node) => 'test' in node && 'values' in node.test));
  const version = opset ?? (hasSets ? 5 : 3);
  if (!Object.hasOwn(VERSIONS, version)) refuse(`opset: expected 3 or 5, got ${shown(version)}`);
  if (version === 3 && hasSets) refuse('opset: categorical splits need 5');
  const model = parseModel(textOf({ ...forest, outcome: relabelled(forest.outcome, labels) }, version));
  const attributes = version === 5 ? asEnsemble(forest) : asRegressor(forest);
  const { graph } = model.proto;
  const node = changedList(graph?.node ?? [], (n) =>
    n.opType === VERSIONS[version].operator ? withAttributes(n, ...attributes) : n,
  );
  return withProto(model, withChanges(model.proto, { graph: graph && withChanges(graph, { node }) }));
}

function relabelled(outcome: Outcome, labels: ForestOptions['labels']): Outcome {
  if (!labels) return outcome;
  if (outcome.kind !== 'classes') refuse('labels: the model is not a classifier');
  const { length } = outcome.labels;
  if (labels.length === length) return { ...outcome, labels };
  refuse(`labels: expected ${length} labels, one for each class, got ${labels.length}`);
}

function textOf({ features, targets, base, outcome, prepared }: Forest, version: 3 | 5): string {
  const { ir, opset, operator } = VERSIONS[version];
  const lines: string[] = [];
  const constants: string[] = [];
  let x = 'input';
  for (const [i, how] of [...new Set(prepared.values())].entries()) {
    const mask = Array.from({ length: features }, (_, feature) => Number(prepared.get(feature) === how));
    constants.push(`bool[1, ${features}] chosen${i} = {${mask}}`);
    lines.push(PREPARATIONS[how](x, `changed${i}`), `x${i} = Where(chosen${i}, changed${i}, ${x})`);
    x = `x${i}`;
  }
  lines.push(`sums = ai.onnx.ml.${operator}(${x})`);
  if (version === 5) {
    constants.push(`float[${targets}] base = {${base}}`);
    lines.push('scores = Add(sums, base)');
  }
  const scores = version === 5 ? 'scores' : 'sums';
  const { outputs, tail, labels } = ending(outcome, targets, scores);
  const body = [...lines, tail].join('\n');
  const compared = Object.entries(CONSTANTS).filter(([name]) => new RegExp(`\\b${name}\\b`).test(body));
  const all = [...constants, ...labels, ...compared.map(([name, value]) => `float ${name} = {${value}}`)];
  return `<ir_version: ${ir}, opset_import: ["" : ${opset}, "ai.onnx.ml" : ${version}], producer_name: "sardonyx">
trees (float[batch, ${features}] input) => (${outputs}) ${all.length > 0 ? `<${all.join(', ')}>` : ''} {
${body}
}`;
}

/** The output declarations and the nodes that follow the sums. Output names are those of onnxmltools. */
function ending(outcome: Outcome, targets: number, scores: string) {
  if (outcome.kind === 'numbers')
    return {
      outputs: `float[batch, ${targets}] variable`,
      tail: LINKS[outcome.link](scores, 'variable'),
      labels: [],
    };
  const { labels, link } = outcome;
  const type = labels.every((label) => Number.isSafeInteger(label)) ? 'int64' : 'string';
  const texts = labels.map((label) => (type === 'string' ? quotedText(`${label}`) : `${label}`));
  const tail =
    targets > 1
      ? LINKS[link](scores, 'probabilities')
      : `${LINKS.logistic(scores, 'second')} first = Sub(one, second) probabilities = Concat<axis = 1>(first, second)`;
  return {
    outputs: `${type}[batch] label, float[batch, ${labels.length}] probabilities`,
    tail: `${tail} likeliest = ArgMax<axis = 1, keepdims = 0>(probabilities) label = Gather(labels, likeliest)`,
    labels: [`${type}[${labels.length}] labels = {${texts}}`],
  };
}

/** A string in ONNX's text format. */
const quotedText = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
