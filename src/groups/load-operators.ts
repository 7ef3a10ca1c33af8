import type { Model } from '../graph/graph.js';
import { allNodes, nodesOfFunction } from '../graph/walk.js';
import { findOperator } from '../schema/registry.js';
import { loadGroups } from './load-groups.js';

/** Loads the model's operators, and waits for modules that they need before they can run. */
export async function loadOperators({ graph, functions }: Model): Promise<void> {
  const nodes = [...allNodes(graph), ...functions.flatMap((definition) => [...nodesOfFunction(definition)])];
  await loadGroups(nodes.map(({ domain, op }) => ({ domain, name: op })));
  const operators = new Set(
    nodes.map(({ domain, op, opset }) => findOperator(domain, op, opset ?? Number.POSITIVE_INFINITY)),
  );
  await Promise.all([...operators].map((operator) => operator?.prepare?.(graph)));
}
