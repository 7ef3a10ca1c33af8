import type { GraphProto, NodeProto, TensorProto } from '../../../build/onnx.js';
import { namesIn } from './graphs.js';
import { freshNames } from './nodes.js';

/** What takes the place of nodes, and is put into graphs, as it is made. */
export interface Sheet {
  readonly nodes: Map<NodeProto, readonly NodeProto[]>;
  readonly constants: Map<GraphProto, readonly TensorProto[]>;
  /** Nodes that come first. */
  readonly first: Map<GraphProto, readonly NodeProto[]>;
  /** A name that nothing has yet. */
  readonly fresh: (base: string) => string;
}

export const emptySheet = (graph: GraphProto): Sheet => ({
  nodes: new Map(),
  constants: new Map(),
  first: new Map(),
  fresh: freshNames(namesIn(graph)),
});

/** Adds to what a graph gets. */
export function add<T>(map: Map<GraphProto, readonly T[]>, graph: GraphProto, ...more: readonly T[]): void {
  map.set(graph, [...(map.get(graph) ?? []), ...more]);
}
