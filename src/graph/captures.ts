import type { Attributes, Graph, Node, Value } from './graph.js';

const captures = new WeakMap<Graph, readonly Value[]>();
const subgraphs = new WeakMap<Attributes, readonly Graph[]>();

/** The subgraphs that a node's attributes hold. */
export function subgraphsOf({ attributes }: Node): readonly Graph[] {
  const known = subgraphs.get(attributes);
  if (known) return known;
  const found = Object.values(attributes).flatMap((attribute) =>
    attribute.type === 'graph' ? attribute.value : attribute.type === 'graphs' ? attribute.value : [],
  );
  subgraphs.set(attributes, found);
  return found;
}

const varies = (value: Value) => !value.constant || value.isDefault;

/** Outer values that a subgraph uses, directly or in subgraphs of its own. */
export function capturesOf(graph: Graph): readonly Value[] {
  const known = captures.get(graph);
  if (known) return known;
  const inner = new Set<Value>(graph.inputs);
  const outer = new Set<Value>();
  for (const node of graph.nodes) {
    for (const value of operandsOf(node)) if (!inner.has(value) && varies(value)) outer.add(value);
    for (const value of node.outputs) if (value) inner.add(value);
  }
  for (const value of graph.outputs) if (!inner.has(value) && varies(value)) outer.add(value);
  const result = [...outer];
  captures.set(graph, result);
  return result;
}

/** Forgets the captures of a graph that has been rewritten. */
export const forgetCaptures = (graph: Graph): unknown => captures.delete(graph);

/** All values that a node reads: its inputs and the captures of its subgraphs. */
export function operandsOf(node: Node): readonly Value[] {
  const inputs = node.inputs.includes(null) ? node.inputs.filter((value) => value !== null) : (node.inputs as Value[]);
  const graphs = subgraphsOf(node);
  return graphs.length === 0 ? inputs : [...new Set([...inputs, ...graphs.flatMap(capturesOf)])];
}
