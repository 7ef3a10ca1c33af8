import { BADGES, type BadgeName } from '../../canvas/paint/dress.js';
import type { Outline } from '../../graph/outline.js';
import type { Found, Mark } from '../../store/workspace.js';

const BITS = Object.fromEntries(BADGES.map(({ name, bit }) => [name, bit])) as Readonly<Record<BadgeName, number>>;

/** The badges of a graph, for marks and search results; a found value counts for the node that produces it. */
export function badgesByNode(
  marks: ReadonlyMap<number, Mark>,
  found: Found | null,
  graph: Outline | null,
): Uint8Array | undefined {
  if (marks.size === 0 && !found) return undefined;
  const { nodes, values } = graph ?? {};
  const badges = new Uint8Array(nodes?.count ?? 0);
  const add = (node: number, bits: number) => {
    if (node >= 0 && node < badges.length) badges[node] = (badges[node] as number) | bits;
  };
  for (const [node, mark] of marks) add(node, BITS[mark]);
  for (const node of found?.nodes ?? []) add(node, BITS.found);
  for (const value of found?.values ?? []) add(values?.producer[value] ?? -1, BITS.found);
  return badges;
}
