import type { GraphProto, NodeProto } from '../../../build/onnx.js';
import type { Graph, Node, Value } from '../../graph/graph.js';
import { graphPath, nodePath } from './map-graph.js';

/** A graph of the file with its runtime counterpart. */
export interface ReadGraph {
  readonly path: string;
  readonly graph: Graph;
  readonly values: ReadonlyMap<string, Value>;
}

/** The graphs of a model, collected before functions are inlined. */
export interface Layout {
  /** The graphs, outermost first. */
  readonly graphs: readonly ReadGraph[];
  /** The paths of values and of nodes, by name: `graph.node[3].attribute.body.g.node[1]`. */
  readonly paths: ReadonlyMap<Value | string, string>;
}

export function layoutOf(proto: GraphProto, graph: Graph): Layout {
  const graphs: ReadGraph[] = [];
  const paths = new Map<Value | string, string>();
  lay(proto, graph, 'graph', graphs, paths);
  return { graphs, paths };
}

function lay(
  proto: GraphProto,
  graph: Graph,
  path: string,
  graphs: ReadGraph[],
  paths: Map<Value | string, string>,
): void {
  const nodes = producers(graph);
  const values = new Map(graph.inputs.map((value) => [value.name, value]));
  for (const { inputs } of graph.nodes) for (const value of inputs) if (value?.constant) values.set(value.name, value);
  for (const [, node] of nodes) for (const value of node.outputs) if (value) values.set(value.name, value);
  for (const value of graph.outputs) values.set(value.name, value);
  graphs.push({ path, graph, values });
  for (const [i, message] of proto.node.entries()) {
    const node = nodes.get(message.output.find(Boolean) ?? '');
    if (!node) continue;
    const place = nodePath(path, i);
    if (!paths.has(node.name)) paths.set(node.name, place);
    for (const value of node.outputs) if (value) paths.set(value, place);
    for (const { proto: inner, graph: read, path: at } of subgraphsOf(message, node, place))
      lay(inner, read, at, graphs, paths);
  }
}

function producers({ nodes }: Graph): Map<string, Node> {
  return new Map(
    nodes.flatMap((node) => node.outputs.flatMap((value) => (value ? [[value.name, node] as const] : []))),
  );
}

interface Subgraph {
  readonly proto: GraphProto;
  readonly graph: Graph;
  readonly path: string;
}

function subgraphsOf({ attribute }: NodeProto, node: Node, place: string): Subgraph[] {
  return attribute.flatMap(({ name, g, graphs }): Subgraph[] => {
    const read = node.attributes[name];
    if (g && read?.type === 'graph') return [{ proto: g, graph: read.value, path: graphPath(place, name) }];
    if (read?.type !== 'graphs') return [];
    return read.value.map((graph, i) => ({ proto: graphs[i] as GraphProto, graph, path: graphPath(place, name, i) }));
  });
}

/** The path of a node, or of the call whose function contains it. */
export function pathOf(node: Node | undefined, { paths }: Layout): string {
  if (!node) return 'graph';
  for (const value of node.outputs) {
    const path = value && paths.get(value);
    if (path) return path;
  }
  for (let name = node.name; name; name = name.slice(0, Math.max(name.lastIndexOf('/'), 0))) {
    const path = paths.get(name);
    if (path) return path;
  }
  return 'graph';
}
