import type { Node } from '../graph/graph.js';
import type { Origin } from '../graph/origin.js';
import { joined, mark } from '../graph/origins.js';

const isAlike = (a: Node, b: Node): boolean => a.op === b.op && a.domain === b.domain;

/**
 * Sets the origins of nodes that replace others; the first of `taken` is the root. A node of the same operator as a replaced one inherits
 * its origins. Other nodes inherit the origins of all removed ones. Origins that no node has any longer (`lives`) go to the new nodes, or
 * else to those that produce the root's results, so that none is lost.
 */
export function inherit(made: readonly Node[], taken: readonly Node[], lives: (origin: Origin) => boolean): void {
  const root = taken[0] as Node;
  const gone = taken.filter((node) => !made.some((other) => isAlike(other, node)));
  const fresh: Node[] = [];
  for (const node of made) {
    if (node.origins) continue;
    const before = taken.find((other) => isAlike(other, node));
    if (!before) fresh.push(node);
    node.origins = before ? before.origins : gone.length > 0 ? joined(gone) : root.origins;
  }
  const kept = new Set(made.flatMap(({ origins = [] }) => origins));
  const lost = joined(taken)?.filter((origin) => !kept.has(origin) && !lives(origin)) ?? [];
  if (lost.length > 0) for (const node of heirs(made, fresh, root)) node.origins = joined([node, { origins: lost }]);
  mark(made, root.origins);
}

function heirs(made: readonly Node[], fresh: readonly Node[], root: Node): readonly Node[] {
  if (fresh.length > 0) return fresh;
  const makers = made.filter((node) => node.outputs.some((value) => value && root.outputs.includes(value)));
  return makers.length > 0 ? makers : made;
}
