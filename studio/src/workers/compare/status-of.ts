import type { Change, Status } from '../contracts/compare.js';

/** The status of a node, given its IDs on both sides. */
export function statusOf(before: string | null, after: string | null, changes: readonly Change[]): Status {
  if (before === null) return 'added';
  if (after === null) return 'removed';
  const kinds = new Set(changes.map(({ change }) => change));
  const [renamed, moved] = [kinds.delete('renamed'), kinds.delete('moved')];
  if (kinds.size > 0) return 'changed';
  return renamed ? 'renamed' : moved ? 'moved' : 'same';
}
