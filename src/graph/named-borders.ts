import type { Graph, Value } from './graph.js';

/**
 * Operators that read the inputs and outputs of their subgraphs by name. The table is separate from the definitions,
 * which are not loaded to edit documents and copy functions; test/toolkit/named-borders.test.ts compares the two.
 */
export const NAMED_BORDERS: ReadonlySet<string> = new Set([
  'com.microsoft:BeamSearch',
  'com.microsoft:GreedySearch',
  'com.microsoft:Sampling',
  'com.microsoft:WhisperBeamSearch',
]);

/** Whether inputs and outputs of a node's subgraphs must keep their names. */
export const hasNamedBorders = (domain: string, op: string): boolean => NAMED_BORDERS.has(`${domain}:${op}`);

/** The inputs of a graph, and the outputs that its own nodes make. */
export function madeBorders({ inputs, outputs, nodes }: Graph): Value[] {
  const made = new Set(nodes.flatMap((node) => node.outputs));
  return [...inputs, ...outputs.filter((value) => made.has(value))];
}
