import type { Model, Node } from '../graph/graph.js';
import { allNodes, nodesOfFunction, operatorName, subgraphs } from '../graph/walk.js';
import { didYouMean, quoted } from './near.js';

/** An attribute that the node's operator does not define. */
export interface StrangeAttribute {
  readonly node: Node;
  readonly attribute: string;
  readonly known: readonly string[];
}

/** Items by key, in the order in which keys first appear. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const titleOf = (domain: string) => domain || 'ai.onnx';

/** A supported version of an operator. */
interface Known {
  readonly domain: string;
  readonly name: string;
  readonly since: number;
}

/** Remedies for unsupported operators, by domain. */
const REMEDIES: Readonly<Record<string, string>> = {
  'com.microsoft':
    'in com.microsoft, Sardonyx supports the operators that onnxruntime runs on CPUs: use a model that was exported for CPUs, or the model before it was optimized for another device',
  'com.ms.internal.nhwc': 'onnxruntime optimized this model for a GPU before saving it: use the model as exported',
  'ai.onnx.contrib': 'export the model without pre- and postprocessing, and run a tokenizer in JavaScript',
  'ai.onnxruntime': "export the model without onnxruntime's custom operators",
  'org.pytorch.aten': 'export the model again with a newer opset_version and without ATen operators',
};

/** The function or subgraph that a node is in, if any. */
function placeIn({ graph, functions }: Model, node: Node): string {
  const isLike = (other: Node) => other.op === node.op && other.domain === node.domain;
  const definition = functions.find((candidate) => [...nodesOfFunction(candidate)].some(isLike));
  if (definition) return ` in the function ${operatorName({ domain: definition.domain, op: definition.name })}`;
  for (const outer of allNodes(graph))
    for (const [attribute, inner] of subgraphs(outer))
      if (inner.nodes.includes(node)) return ` in ${attribute} of ${outer.op} "${outer.name}"`;
  return '';
}

/** Lists all unsupported operators of a model by domain, with remedies. */
export function unsupportedOperators(
  missing: readonly Node[],
  model: Model,
  newest: Readonly<Record<string, number>>,
  known: readonly Known[],
): string {
  const domains = grouped(missing, ({ domain }) => domain);
  const lists = [...domains].map(([domain, nodes]) => `${titleOf(domain)}: ${listed(nodes, model, known)}`);
  const remedies = [...domains.keys()].map((domain) => REMEDIES[domain] ?? otherRemedy(domain, newest));
  const supported = Object.keys(newest).map(titleOf).join(', ');
  return `unsupported operators: ${lists.join('; ')}. Sardonyx supports ${supported}; ${[...new Set(remedies)].join('; ')}`;
}

function listed(nodes: readonly Node[], model: Model, known: readonly Known[]) {
  const operators = [...grouped(nodes, ({ op }) => op)].sort(([, a], [, b]) => b.length - a.length);
  return operators
    .map(([op, same]) => {
      const first = same[0] as Node;
      return `${op} (×${same.length}, first "${first.name}"${placeIn(model, first)}${meant(first, known)})`;
    })
    .join(', ');
}

/** Suggests a newer opset, another domain, or another name. */
function meant({ domain, op, opset }: Node, known: readonly Known[]): string {
  const inDomain = known.filter((operator) => operator.domain === domain);
  const versions = inDomain.filter(({ name }) => name === op).map(({ since }) => since);
  if (versions.length > 0) return `; added in opset ${Math.min(...versions)}, but the model uses ${opset}`;
  const other = known.find(({ name }) => name === op);
  if (other) return `; it belongs to ${titleOf(other.domain)}: set the node's domain, and list it in opset_import`;
  return didYouMean(
    op,
    inDomain.map(({ name }) => name),
  );
}

const otherRemedy = (domain: string, newest: Readonly<Record<string, number>>) =>
  domain in newest
    ? 'check the name, domain and opset of the node, or export the model again'
    : `${titleOf(domain)} is a custom domain: export the model with ONNX operators only, or define the custom ones as functions`;

export function newerOpset(
  { graph, producer, opsets }: Model,
  domain: string,
  newest: Readonly<Record<string, number>>,
): string {
  const maker = producer ? `, made by ${producer}` : '';
  return `the model uses opset ${opsets.get(domain)} of ${titleOf(domain)}, which is newer than ${newest[domain]} (model "${graph.name}"${maker}): operators run as defined in opset ${newest[domain]}, so results may differ where the newer opset changed an operator. To be sure, export the model with an older opset_version`;
}

/** A node with an attribute that is an input in the model's opset, or the reverse. */
export const otherOpset = (
  complaint: string,
  opset = Number.POSITIVE_INFINITY,
  { to }: { readonly to: number },
): string =>
  `${complaint}. The model declares opset ${opset}: change the node to match, or declare opset ${opset < to ? `${to} or later` : `${to - 1} or earlier`}`;

/** One line per attribute and operator, with the first node that has it. */
export function strangeAttributes(strange: readonly StrangeAttribute[]): string {
  const groups = grouped(strange, ({ node, attribute }) => `${operatorName(node)} ${attribute}`);
  return [...groups.values()]
    .map((same) => {
      const { node, attribute, known } = same[0] as StrangeAttribute;
      const others = same.length > 1 ? ` and ${same.length - 1} more` : '';
      const meant = didYouMean(attribute, known) || `; it has ${quoted(known) || 'none'}`;
      const end = meant.endsWith('?') ? ' The attribute is ignored' : '; it is ignored';
      return `${operatorName(node)} "${node.name}"${others}: the operator has no attribute "${attribute}"${meant}${end}`;
    })
    .join('\n');
}
