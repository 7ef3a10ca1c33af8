import type { Change, ChangedPart } from './change.js';
import { moved } from './moved.js';
import { changedFields } from './same.js';

/** A named item of a list. */
export interface Named {
  readonly name: string;
}

/** The location of a change. */
export type Place = Pick<Change, 'part' | 'path' | 'name'>;

/** A list to compare, and how to report its changes. */
export interface List<T> {
  readonly part: ChangedPart;
  readonly path: string;
  /** A prefix for the names of items. */
  readonly owner?: string;
  readonly text: (item: T) => string;
  /** Maps a name to that in the other list. */
  readonly renamed?: (name: string) => string;
  /** Whether the order matters. */
  readonly isOrdered?: boolean;
  /** Reports the differences of two paired items. By default, their fields are compared. */
  readonly compare?: (before: T, after: T, place: Place) => void;
}

/** Reports the items of only one list, and the differences of items in both. */
export function diffList<T extends Named>(
  before: readonly T[],
  after: readonly T[],
  list: List<T>,
  changes: Change[],
): void {
  const { part, path, owner = '', text, isOrdered } = list;
  const place = ({ name }: T) => ({ part, path, name: owner + name });
  const pairs = pairsOf(before, after, list.renamed);
  for (const item of before) {
    const other = pairs.get(item);
    if (!other) changes.push({ ...place(item), change: 'removed', before: text(item) });
    else if (list.compare) list.compare(item, other, place(item));
    else if (changedFields(item, other, ['name']).length > 0)
      changes.push({ ...place(item), change: 'changed', before: text(item), after: text(other) });
    if (isOrdered && other && other.name !== item.name)
      changes.push({ ...place(item), change: 'renamed', before: item.name, after: other.name });
  }
  const known = new Set(pairs.values());
  for (const item of after) if (!known.has(item)) changes.push({ ...place(item), change: 'added', after: text(item) });
  for (const item of isOrdered ? movedIn(pairs, after) : []) changes.push({ ...place(item), change: 'moved' });
}

/** Pairs the items of both lists by name. Items with equal names are paired in order. */
function pairsOf<T extends Named>(
  before: readonly T[],
  after: readonly T[],
  renamed: (name: string) => string = (name) => name,
): Map<T, T> {
  const left = new Map<string, T[]>();
  for (const item of after.toReversed()) {
    const alike = left.get(item.name);
    if (alike) alike.push(item);
    else left.set(item.name, [item]);
  }
  const pairs = new Map<T, T>();
  for (const item of before) {
    const other = left.get(renamed(item.name))?.pop();
    if (other) pairs.set(item, other);
  }
  return pairs;
}

/** The items whose order differs in the second list. */
export function movedIn<T>(pairs: ReadonlyMap<T, T>, after: readonly T[]): T[] {
  const places = new Map(after.map((item, i) => [item, i]));
  const kept = [...pairs];
  return moved(kept.map(([, other]) => places.get(other) as number)).map((i) => (kept[i] as [T, T])[0]);
}
