import type { GraphProto, NodeProto } from '../../../build/onnx.js';
import { parametersOf, readsOf } from './bodies.js';

/** The nodes and values that some values depend on. */
export interface Needed {
  readonly nodes: ReadonlySet<NodeProto>;
  /** All values that are read, including those that subgraphs capture. */
  readonly names: ReadonlySet<string>;
}

/** Finds everything that `wanted` depends on, up to the values in `given`. */
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
