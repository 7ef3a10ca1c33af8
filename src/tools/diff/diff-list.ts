import type { Change, ChangedPart } from './change.js';
import { moved } from './moved.js';
import { changedFields } from './same.js';

/** What has a name in a list. */
export interface Named {
  readonly name: string;
}

/** Which list it is, and how it is told of. */
export interface List<T> {
  readonly part: ChangedPart;
  readonly path: string;
  /** Before the names of what is in it. */
  readonly owner?: string;
  readonly text: (item: T) => string;
  /** What one is called in the other list. */
  readonly renamed?: (name: string) => string;
  /** Whether names and places mean something. */
  readonly isOrdered?: boolean;
  /** Tells how two of one name differ, if not by their fields. */
  readonly compare?: (before: T, after: T, place: Pick<Change, 'part' | 'path' | 'name'>) => void;
}

/** Tells what is in one list only, and how what is in both is different. */
export function diffList<T extends Named>(
  before: readonly T[],
  after: readonly T[],
  list: List<T>,
  changes: Change[],
): void {
  const { part, path, owner = '', text, renamed = (name) => name } = list;
  const left = new Map(after.map((item) => [item.name, item]));
  const kept: number[] = [];
  const places = new Map(after.map(({ name }, i) => [name, i]));
  for (const item of before) {
    const now = renamed(item.name);
    const other = left.get(now);
    const place = { part, path, name: owner + item.name };
    left.delete(now);
    if (!other) {
      changes.push({ ...place, change: 'removed', before: text(item) });
      continue;
    }
    kept.push(places.get(now) as number);
    if (list.compare) list.compare(item, other, place);
    else if (changedFields(item, other, ['name']).length > 0)
      changes.push({ ...place, change: 'changed', before: text(item), after: text(other) });
    if (list.isOrdered && now !== item.name)
      changes.push({ ...place, change: 'renamed', before: item.name, after: now });
  }
  for (const item of left.values())
    changes.push({ part, path, name: owner + item.name, change: 'added', after: text(item) });
  if (list.isOrdered)
    for (const i of moved(kept))
      changes.push({ part, path, name: (after[kept[i] as number] as T).name, change: 'moved' });
}
