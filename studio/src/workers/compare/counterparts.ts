import type { Counterparts, NodeRow } from '../contracts/compare.js';
import { indexOf, pathOf } from './ids.js';

/** Matches the nodes of a graph with those of the other side; each node has one row. */
export function counterparts(rows: readonly NodeRow[], side: 0 | 1, path: string): Counterparts {
  const pairs = rows
    .map(({ before, after }) => (side === 0 ? [before?.id, after?.id] : [after?.id, before?.id]))
    .filter(([own]) => own !== undefined && pathOf(own) === path) as [string, string | undefined][];
  const other = path === '' ? '' : mostCommon(pairs.flatMap(([, far]) => (far === undefined ? [] : [pathOf(far)])));
  const nodes = new Int32Array(pairs.length).fill(-1);
  for (const [own, far] of pairs) if (far !== undefined && pathOf(far) === other) nodes[indexOf(own)] = indexOf(far);
  return { path: other, nodes };
}

function mostCommon(paths: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? null;
}
