import type { Model } from '../graph/graph.js';
import { allNodes } from '../graph/walk.js';
import { findOperator } from '../ops/registry.js';

/** Waits for what the model's operators load before they can run. */
export async function loadOperators({ graph, functions }: Model): Promise<void> {
  const nodes = [graph, ...functions.map((definition) => definition.graph)].flatMap((g) => [...allNodes(g)]);
  const operators = new Set(
    nodes.map(({ domain, op, opset }) => findOperator(domain, op, opset ?? Number.POSITIVE_INFINITY)),
  );
  await Promise.all([...operators].map((operator) => operator?.prepare?.()));
}
