import type { GraphProto, NodeProto } from '../../../build/onnx.js';
import { parametersOf, readsOf } from './bodies.js';

/** What some values of a graph follow from. */
export interface Needed {
  readonly nodes: ReadonlySet<NodeProto>;
  /** Every value that is read on the way, what subgraphs capture included. */
  readonly names: ReadonlySet<string>;
}

/** All that `wanted` takes; behind values that are `given` nothing is. */
export function neededFor(graph: GraphProto, wanted: Iterable<string>, given?: ReadonlySet<string>): Needed {
  const producers = producersIn(graph);
  const parameters = new Map(graph.quantizationAnnotation.map((entry) => [entry.tensorName, parametersOf(entry)]));
  const nodes = new Set<NodeProto>();
  const names = new Set<string>();
  const open = [...wanted];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (!name || names.has(name)) continue;
    names.add(name);
    open.push(...(parameters.get(name) ?? []));
    const producer = given?.has(name) ? undefined : producers.get(name);
    if (!producer || nodes.has(producer)) continue;
    nodes.add(producer);
    open.push(...readsOf(producer));
  }
  return { nodes, names };
}

export function producersIn({ node }: Pick<GraphProto, 'node'>): Map<string, NodeProto> {
  const producers = new Map<string, NodeProto>();
  for (const entry of node) for (const name of entry.output) if (name) producers.set(name, entry);
  return producers;
}
