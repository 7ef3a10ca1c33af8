import type { AttributeProto, GraphProto, NodeProto } from '../../../build/onnx.js';
import { changed } from './changed.js';

/** A graph and those inside it with other fields; what none changes is shared. */
export function mapGraph(graph: GraphProto, fields: (graph: GraphProto) => Partial<GraphProto>): GraphProto {
  const attribute = (old: AttributeProto): AttributeProto => {
    if (!old.g && old.graphs.length === 0) return old;
    const graphs = old.graphs.map((inner) => mapGraph(inner, fields));
    return changed(old, old.g ? { g: mapGraph(old.g, fields), graphs } : { graphs });
  };
  const node = (old: NodeProto): NodeProto => changed(old, { attribute: old.attribute.map(attribute) });
  return changed(graph, { ...fields(graph), node: graph.node.map(node) });
}
