import type { AttributeProto, GraphProto, NodeProto } from '../../../build/onnx.js';
import { withFields } from '../../model/document/changed.js';
import { graphsOf, readIn } from './graphs.js';
import type { Sheet } from './sheet.js';

/** Replaces nodes of a graph and adds constants. Constants that only replaced nodes read are removed. */
export function replaced(graph: GraphProto, sheet: Sheet): GraphProto {
  const { nodes, constants, first } = sheet;
  const node = graph.node.flatMap((old) => nodes.get(old) ?? [withGraphs(old, (g) => replaced(g, sheet))]);
  const isSame = node.length === graph.node.length && node.every((n, i) => n === graph.node[i]);
  if (isSame && !constants.has(graph)) return graph;
  const initializer = [...graph.initializer, ...(constants.get(graph) ?? [])];
  return withoutUnread(graph, withFields(graph, { node: [...(first.get(graph) ?? []), ...node], initializer }));
}

function withGraphs(node: NodeProto, change: (graph: GraphProto) => GraphProto): NodeProto {
  if (graphsOf(node).length === 0) return node;
  const attribute = node.attribute.map((a) => withGraph(a, change));
  return attribute.every((a, i) => a === node.attribute[i]) ? node : withFields(node, { attribute });
}

function withGraph(attribute: AttributeProto, change: (graph: GraphProto) => GraphProto): AttributeProto {
  const g = attribute.g && change(attribute.g);
  const graphs = attribute.graphs.map(change);
  if (g === attribute.g && graphs.every((graph, i) => graph === attribute.graphs[i])) return attribute;
  return withFields(attribute, g ? { g, graphs } : { graphs });
}

/** Removes constants that nothing reads any more, and nodes such as Transpose that only they fed. */
function withoutUnread(before: GraphProto, after: GraphProto): GraphProto {
  const [wasRead, isRead] = [readIn(before), readIn(after)];
  const isLeft = (name: string) => !wasRead.has(name) || isRead.has(name);
  const node = after.node.filter(({ output }) => output.some(isLeft) || output.length === 0);
  if (node.length < after.node.length) return withoutUnread(before, withFields(after, { node }));
  const gone = new Set(after.initializer.map(({ name }) => name).filter((name) => !isLeft(name)));
  const remain = <T extends { name: string }>(list: readonly T[]) => list.filter(({ name }) => !gone.has(name));
  return withFields(after, {
    initializer: remain(after.initializer),
    input: remain(after.input),
    valueInfo: remain(after.valueInfo),
  });
}
