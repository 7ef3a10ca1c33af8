/** Of what is large (pictures, histograms, sounds) no more is kept of a tag: every second is let go, and so on. */
export const MOST_KEPT = 512;

/** Values of one tag, evenly from the first to the last. */
export interface Kept<T> {
  readonly items: T[];
  /** One of so many is kept. */
  every: number;
  seen: number;
  /** What came last, kept or not. */
  last: T | undefined;
}

export const nothingKept = <T>(): Kept<T> => ({ items: [], every: 1, seen: 0, last: undefined });

export function keep<T>(kept: Kept<T>, item: T): void {
  if (kept.seen++ % kept.every === 0) kept.items.push(item);
  kept.last = item;
  if (kept.items.length <= MOST_KEPT) return;
  kept.items.splice(0, Infinity, ...kept.items.filter((_, i) => i % 2 === 0));
  kept.every *= 2;
}

/** All that is kept, the last one with it. */
export const allKept = <T>({ items, last }: Kept<T>): readonly T[] =>
  last === undefined || items.at(-1) === last ? items : [...items, last];
