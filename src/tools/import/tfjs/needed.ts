import { operandsOf } from '../../../graph/captures.js';
import type { Node, Value } from '../../../graph/graph.js';

/** The nodes that the outputs depend on. */
export function needed(nodes: readonly Node[], outputs: readonly Value[]): Node[] {
  const wanted = new Set<Value | null>(outputs);
  const kept = [...nodes].reverse().filter((node) => {
    if (!node.outputs.some((value) => wanted.has(value))) return false;
    for (const value of operandsOf(node)) wanted.add(value);
    return true;
  });
  return kept.reverse();
}
