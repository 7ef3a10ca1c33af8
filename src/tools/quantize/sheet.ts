import type { GraphProto, NodeProto, TensorProto } from '../../../build/onnx.js';
import { namesIn } from './graphs.js';
import { freshNames } from './nodes.js';

/** Collects replacements of nodes and additions to graphs. */
export interface Sheet {
  readonly nodes: Map<NodeProto, readonly NodeProto[]>;
  readonly constants: Map<GraphProto, readonly TensorProto[]>;
  /** Nodes to add at the beginning of a graph. */
  readonly first: Map<GraphProto, readonly NodeProto[]>;
  /** Returns a unique name. */
  readonly fresh: (base: string) => string;
}

export const emptySheet = (graph: GraphProto): Sheet => ({
  nodes: new Map(),
  constants: new Map(),
  first: new Map(),
  fresh: freshNames(namesIn(graph)),
});

/** Appends items to the list of a graph. */
export function add<T>(map: Map<GraphProto, readonly T[]>, graph: GraphProto, ...more: readonly T[]): void {
  map.set(graph, [...(map.get(graph) ?? []), ...more]);
}
