import type { GraphProto, NodeProto } from '../../../build/onnx.js';
import type { Graph, Node } from '../../graph/graph.js';

/**
 * The original nodes by id: the index in the file, after the path of the graph. `12/body/3` is in the attribute `body`
 * of node 12, `12/bodies[1]/3` in one of several graphs.
 */
export function nodeIds(proto: GraphProto, graph: Graph): Map<string, Node> {
  const ids = new Map<string, Node>();
  lay(proto, graph, '', ids);
  return ids;
}

function lay(proto: GraphProto, graph: Graph, path: string, ids: Map<string, Node>): void {
  const alike = new Map<string, Node[]>();
  for (const node of graph.nodes.toReversed())
    pushed(
      alike,
      keyOf(
        node.op,
        node.outputs.map((value) => value?.name ?? ''),
      ),
    ).push(node);
  for (const [i, message] of proto.node.entries()) {
    const node = alike.get(keyOf(message.opType, message.output))?.pop();
    if (!node) continue;
    ids.set(`${path}${i}`, node);
    layInner(message, node, `${path}${i}/`, ids);
  }
}

const keyOf = (operator: string, outputs: readonly string[]): string => JSON.stringify([operator, ...outputs]);

function pushed<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function layInner({ attribute }: NodeProto, node: Node, path: string, ids: Map<string, Node>): void {
  for (const { name, g, graphs } of attribute) {
    const read = node.attributes[name];
    if (g && read?.type === 'graph') lay(g, read.value, `${path}${name}/`, ids);
    if (read?.type !== 'graphs') continue;
    for (const [i, graph] of read.value.entries()) lay(graphs[i] as GraphProto, graph, `${path}${name}[${i}]/`, ids);
  }
}
