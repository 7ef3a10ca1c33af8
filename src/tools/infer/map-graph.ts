import type { AttributeProto, GraphProto, NodeProto } from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';

type Fields = (graph: GraphProto, path: string) => Partial<GraphProto>;

/** Replaces fields of a graph and its subgraphs. Unchanged parts are shared. Paths are those of `graphPath`. */
export function mapGraph(graph: GraphProto, fields: Fields, path = 'graph'): GraphProto {
  const attribute =
    (place: string) =>
    (old: AttributeProto): AttributeProto => {
      if (!old.g && old.graphs.length === 0) return old;
      const inner = (found: GraphProto, i?: number) => mapGraph(found, fields, graphPath(place, old.name, i));
      return withChanges(old, {
        ...(old.g && { g: inner(old.g) }),
        graphs: changedList(old.graphs, (found) => inner(found, old.graphs.indexOf(found))),
      });
    };
  const node = (old: NodeProto, i: number): NodeProto =>
    withChanges(old, { attribute: changedList(old.attribute, attribute(nodePath(path, i))) });
  const nodes = graph.node.map(node);
  const isSame = nodes.every((found, i) => found === graph.node[i]);
  return withChanges(graph, { ...fields(graph, path), ...(isSame ? {} : { node: nodes }) });
}

export const nodePath = (graph: string, i: number): string => `${graph}.node[${i}]`;

/** The path of a subgraph in an attribute, with an index if the attribute has several. */
export const graphPath = (node: string, attribute: string, i?: number): string =>
  `${node}.attribute.${attribute}.${i === undefined ? 'g' : `graphs[${i}]`}`;
