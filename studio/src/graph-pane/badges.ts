import { BADGES } from '../canvas/paint/dress.js';
import type { Mark } from '../workspace/workspace.js';
import { outline } from '../workspace/workspace.js';

const BITS = Object.fromEntries(BADGES.map(({ name, bit }) => [name, bit])) as Readonly<Record<Mark, number>>;

export function badgesByNode(marks: ReadonlyMap<number, Mark>): Uint8Array | undefined {
  if (marks.size === 0) return undefined;
  const badges = new Uint8Array(outline.peek()?.nodes.count ?? 0);
  for (const [node, mark] of marks) badges[node] = BITS[mark];
  return badges;
}
