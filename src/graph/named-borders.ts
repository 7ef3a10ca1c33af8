import type { Graph, Value } from './graph.js';

/**
 * Operators that read the inputs and outputs of their subgraphs by name. The table stands apart from their definitions, which are not loaded
 * where documents are edited and functions are copied; test/toolkit/named-borders.test.ts compares the two.
 */
export const NAMED_BORDERS: ReadonlySet<string> = new Set([
  'com.microsoft:BeamSearch',
  'com.microsoft:GreedySearch',
  'com.microsoft:Sampling',
  'com.microsoft:WhisperBeamSearch',
]);

/** Whether inputs and outputs of the subgraphs of such a node must keep their names. */
export const hasNamedBorders = (domain: string, op: string): boolean => NAMED_BORDERS.has(`${domain}:${op}`);

/** The inputs of a graph, and those of its outputs that it makes itself. */
export function madeBorders({ inputs, outputs, nodes }: Graph): Value[] {
  const made = new Set(nodes.flatMap((node) => node.outputs));
  return [...inputs, ...outputs.filter((value) => made.has(value))];
}
