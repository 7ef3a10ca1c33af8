import type { Attribute, Graph, Node, Value } from '../../../src/graph/graph.js';
import type { PlainArray, PlainValue } from './array.js';
import type { PlainAttribute, ReferenceNode } from './definition.js';
import { plainOf } from './host-values.js';
import { REFERENCES } from './index.js';

/** A node of the graph is not defined here; its operator is the message. */
export class NotDefined extends Error {}

type Values = Map<Value, PlainValue | undefined>;

type Opsets = ReadonlyMap<string, number>;

/** What REFERENCES has an operator under. */
export const keyOf = ({ domain, op }: Node): string => (domain ? `${domain}:${op}` : op);

/** Tensors and lists; the rest is for those who run subgraphs. */
function plainAttribute({ type, value }: Attribute): PlainAttribute | undefined {
  if (type === 'tensor') return plainOf(value) as PlainArray | undefined;
  return /^(int|float|string)s?$/.test(type) ? (value as PlainAttribute) : undefined;
}

const plainValue = (value: Value, values: Values): PlainValue | undefined =>
  values.has(value) ? values.get(value) : value.constant && plainOf(value.constant);

function referenceNode(node: Node, values: Values, opsets: Opsets): ReferenceNode {
  const given = Object.entries(node.attributes).map(([name, attribute]) => [name, plainAttribute(attribute)]);
  return {
    op: node.op,
    domain: node.domain,
    opset: opsets.get(node.domain) ?? 1,
    inputs: node.inputs.map((input) => (input === null ? undefined : plainValue(input, values))),
    attributes: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    outputs: node.outputs.length,
    run: (name, inputs) => evaluateIn(node.attributes[name]?.value as Graph, inputs, opsets, values),
  };
}

function evaluateIn(
  graph: Graph,
  inputs: readonly (PlainValue | undefined)[],
  opsets: Opsets,
  outer: Values,
): PlainValue[] {
  const values: Values = new Map(outer);
  graph.inputs.forEach((input, i) => {
    if (inputs[i] !== undefined) values.set(input, inputs[i]);
  });
  for (const node of graph.nodes) {
    const results = REFERENCES.get(keyOf(node))?.(referenceNode(node, values, opsets));
    if (!results) throw new NotDefined(keyOf(node));
    node.outputs.forEach((output, i) => {
      if (output) values.set(output, results[i]);
    });
  }
  return graph.outputs.map((output) => plainValue(output, values) as PlainValue);
}

/** Outputs of a graph in float64; an input that is undefined has its default. Throws NotDefined. */
export const evaluate = (graph: Graph, inputs: readonly (PlainValue | undefined)[], opsets: Opsets): PlainValue[] =>
  evaluateIn(graph, inputs, opsets, new Map());
