import type { Graph, Node, Value } from './graph.js';

const captures = new WeakMap<Graph, readonly Value[]>();

const NONE: readonly Graph[] = [];

/** The subgraphs that a node's attributes hold. */
export function subgraphsOf(node: Node): readonly Graph[] {
  let graphs = NONE;
  for (const name in node.attributes) {
    const attribute = node.attributes[name];
    if (attribute?.type === 'graph') graphs = [...graphs, attribute.value];
    else if (attribute?.type === 'graphs') graphs = [...graphs, ...attribute.value];
  }
  return graphs;
}

const varies = (value: Value) => !value.constant || value.isDefault;

/** Outer values that a subgraph, or one inside it, uses. */
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

/** Every value a node reads: its inputs and what its subgraphs capture. */
export function operandsOf(node: Node): Value[] {
  const inputs = node.inputs.filter((value) => value !== null);
  const graphs = subgraphsOf(node);
  return graphs.length === 0 ? inputs : [...new Set([...inputs, ...graphs.flatMap(capturesOf)])];
}
