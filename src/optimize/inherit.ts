import type { Node } from '../graph/graph.js';
import type { Origin } from '../graph/origin.js';
import { joined, mark } from '../graph/origins.js';

const isAlike = (a: Node, b: Node): boolean => a.op === b.op && a.domain === b.domain;

/**
 * Says where nodes have come from that a rewrite has put in the place of others, the first of which is its root. One that does what one of
 * those did is that one, moved; what is new has come of all that are there no more. Origins of which no node `lives` now are handed on to
 * what is new, else to what makes the root's results, so that none is lost.
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
