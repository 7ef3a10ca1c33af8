import { subgraphsOf } from '../graph/captures.js';
import type { Graph } from '../graph/graph.js';

/** Sets the opset version of every node, including those in subgraphs, by its domain. */
export function bindOpsets(graph: Graph, opsets: ReadonlyMap<string, number>): void {
  for (const node of graph.nodes) {
    const version = opsets.get(node.domain);
    if (version !== undefined) node.opset = version;
    for (const subgraph of subgraphsOf(node)) bindOpsets(subgraph, opsets);
  }
}
