import type { Change, ChangedPart } from './change.js';
import { moved } from './moved.js';
import { changedFields } from './same.js';

/** What has a name in a list. */
export interface Named {
  readonly name: string;
}

/** Where a change is told of. */
export type Place = Pick<Change, 'part' | 'path' | 'name'>;

/** Which list it is, and how it is told of. */
export interface List<T> {
  readonly part: ChangedPart;
  readonly path: string;
  /** Before the names of what is in it. */
  readonly owner?: string;
  readonly text: (item: T) => string;
  /** What one is called in the other list. */
  readonly renamed?: (name: string) => string;
  /** Whether places mean something. */
  readonly isOrdered?: boolean;
  /** Tells how two that are the same differ, if not by their fields. */
  readonly compare?: (before: T, after: T, place: Place) => void;
}

/** Tells what is in one list only, and how what is in both is different. */
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

/** Those of both lists, by name: where several have one, the first with the first. */
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

/** Those of a first list that are elsewhere in a second. */
export function movedIn<T>(pairs: ReadonlyMap<T, T>, after: readonly T[]): T[] {
  const places = new Map(after.map((item, i) => [item, i]));
  const kept = [...pairs];
  return moved(kept.map(([, other]) => places.get(other) as number)).map((i) => (kept[i] as [T, T])[0]);
}
