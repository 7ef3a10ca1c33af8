import type { TensorValue } from '../tensor/tensor-value.js';
import type { FunctionDefinition, Graph, Node, Value } from './graph.js';

/** The graphs among a node's attributes, with the attribute's name. */
export function subgraphs(node: Pick<Node, 'attributes'>): [name: string, graph: Graph][] {
  return Object.entries(node.attributes).flatMap(([name, attribute]): [string, Graph][] => {
    if (attribute.type === 'graph') return [[name, attribute.value]];
    if (attribute.type === 'graphs') return attribute.value.map((graph) => [name, graph]);
    return [];
  });
}

/** All nodes of a graph and of its subgraphs. */
export function* allNodes(graph: Graph): Generator<Node> {
  for (const node of graph.nodes) {
    yield node;
    for (const [, inner] of subgraphs(node)) yield* allNodes(inner);
  }
}

/** All nodes of a function, including those of graphs among its default attributes. */
export function* nodesOfFunction({ graph, defaults }: FunctionDefinition): Generator<Node> {
  yield* allNodes(graph);
  for (const [, inner] of subgraphs({ attributes: defaults })) yield* allNodes(inner);
}

/** The constants that a graph and its subgraphs hold. */
export function constantsOf(graph: Graph): Set<TensorValue> {
  const found = new Set<TensorValue>();
  const add = (value: Value | null) => value?.constant && found.add(value.constant);
  for (const output of graph.outputs) add(output);
  for (const node of allNodes(graph)) {
    for (const input of node.inputs) add(input);
    for (const [, inner] of subgraphs(node)) for (const output of inner.outputs) add(output);
  }
  return found;
}

/** A key for an overload of a function. */
export const functionKey = (domain: string, name: string, overload = ''): string =>
  JSON.stringify([domain, name, overload]);

/** The operator as people write it: `Conv`, `com.microsoft.Gelu`. */
export const operatorName = ({ domain, op }: Pick<Node, 'domain' | 'op'>): string => (domain ? `${domain}.${op}` : op);
