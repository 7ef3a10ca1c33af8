import { SardonyxError } from '../base/errors.js';
import { operandsOf } from '../graph/captures.js';
import type { Node, Value } from '../graph/graph.js';
import { neededFor } from '../graph/needed.js';
import { topologicalOrder } from '../model/topological-order.js';

/** Sorts nodes so that each reads only results of earlier ones. */
export function sortedNodes(nodes: readonly Node[]): Node[] {
  const makers = new Map<Value, number>();
  nodes.forEach((node, i) => {
    for (const value of node.outputs) if (value) makers.set(value, i);
  });
  const needed = nodes.map((node) => operandsOf(node).flatMap((value) => makers.get(value) ?? []));
  const order = topologicalOrder(nodes.length, (i) => needed[i] as number[]);
  if (!Array.isArray(order)) throw new SardonyxError('INVALID_GRAPH', 'a Gradient node differentiates what reads it');
  return order.map((i) => nodes[i] as Node);
}

/** The nodes that `results` depend on, sorted. */
export const sortedFor = (nodes: readonly Node[], results: Iterable<Value>): Node[] =>
  neededFor(sortedNodes(nodes), results);
