/** Elementary operations that a tile should hold: about ten microseconds of work. */
const TILE_OPERATIONS = 1 << 16;

/** How many items, each of `work` operations, one tile takes. */
export const itemsOfTile = (work: number): number => Math.ceil(TILE_OPERATIONS / Math.max(work, 1));

/** The same of `count` items in all. */
export const grainOf = (count: number, work: number): number => Math.max(1, Math.min(count, itemsOfTile(work)));

/** Columns of 32-bit numbers in a cache line. */
const LINE = 16;

/** The same where items stand side by side in groups of `inner`: columns are read by whole cache lines. */
export const columnGrainOf = (count: number, work: number, inner: number): number => {
  const step = inner > 1 ? LINE : 4;
  return Math.ceil(grainOf(count, work) / step) * step;
};
