import type { AttributeProto, GraphProto, NodeProto } from '../../../build/onnx.js';
import type { Graph, Node, Value } from '../../graph/graph.js';

/** A graph of a file, as it is and as it was read. */
export interface ReadGraph {
  readonly proto: GraphProto;
  readonly graph: Graph;
  readonly values: ReadonlyMap<string, Value>;
}

/** Where a model's graphs are: found before functions are put in the place of their calls. */
export interface Layout {
  /** The outermost first. */
  readonly graphs: readonly ReadGraph[];
  /** Where a value is made, or a node stands, by its name: `graph.node[3].attribute.body.g.node[1]`. */
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
  for (const [, node] of nodes) for (const value of node.outputs) if (value) values.set(value.name, value);
  for (const value of graph.outputs) values.set(value.name, value);
  graphs.push({ proto, graph, values });
  for (const [i, message] of proto.node.entries()) {
    const node = nodes.get(message.output.find(Boolean) ?? '');
    if (!node) continue;
    const place = `${path}.node[${i}]`;
    if (!paths.has(node.name)) paths.set(node.name, place);
    for (const value of node.outputs) if (value) paths.set(value, place);
    for (const [inner, innerGraph, step] of subgraphsOf(message, node))
      lay(inner, innerGraph, `${place}.${step}`, graphs, paths);
  }
}

function producers({ nodes }: Graph): Map<string, Node> {
  return new Map(
    nodes.flatMap((node) => node.outputs.flatMap((value) => (value ? [[value.name, node] as const] : []))),
  );
}

function subgraphsOf({ attribute }: NodeProto, node: Node): [GraphProto, Graph, string][] {
  return attribute.flatMap((message) => {
    const read = node.attributes[message.name];
    const graphs = read?.type === 'graph' ? [read.value] : read?.type === 'graphs' ? read.value : [];
    return graphs.map((graph, i): [GraphProto, Graph, string] => [
      graphAt(message, i),
      graph,
      `attribute.${message.name}.${message.g ? 'g' : `graphs[${i}]`}`,
    ]);
  });
}

const graphAt = ({ g, graphs }: AttributeProto, i: number): GraphProto => (g ?? graphs[i]) as GraphProto;

/** Where a node stands, or the call whose function it is of. */
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
