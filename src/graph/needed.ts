import { operandsOf } from './captures.js';
import type { Node, Value } from './graph.js';

/** The sorted nodes that `results` depend on, except those behind `given` values. */
export function neededFor(
  nodes: readonly Node[],
  results: Iterable<Value>,
  given?: { has(value: Value): boolean },
): Node[] {
  const needed = new Set(results);
  const found = nodes.toReversed().filter((node) => {
    if (!node.outputs.some((value) => value && needed.has(value) && !given?.has(value))) return false;
    for (const value of operandsOf(node)) needed.add(value);
    return true;
  });
  return found.reverse();
}
