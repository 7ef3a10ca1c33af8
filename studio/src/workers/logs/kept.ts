/** The most large values (images, histograms, sounds) kept per tag; beyond this, every second one is dropped, repeatedly. */
export const MOST_KEPT = 512;

/** Values of one tag, evenly spaced from the first to the last. */
export interface Kept<T> {
  readonly items: T[];
  /** Every nth value is kept. */
  every: number;
  seen: number;
  /** The latest value, kept or not. */
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

/** All kept values, and the latest one. */
export const allKept = <T>({ items, last }: Kept<T>): readonly T[] =>
  last === undefined || items.at(-1) === last ? items : [...items, last];
