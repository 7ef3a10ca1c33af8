import type { Graph } from '../../src/graph/graph.js';
import { allNodes } from '../../src/graph/walk.js';

/** Every node that a model's file has brought about says which of the file's nodes it has come of; graphs made by tests have none. */
export function verifyOrigins(graph: Graph): void {
  const nodes = [...allNodes(graph)];
  const [lost] = nodes.filter(({ origins = [] }) => origins.length === 0);
  if (lost && nodes.some(({ origins }) => origins))
    throw new Error(`${lost.op} "${lost.name}" does not say of which of the model's nodes it has come`);
}
