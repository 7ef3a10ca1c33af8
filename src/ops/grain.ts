/** Elementary operations that a tile should hold: some tens of microseconds of work. */
const TILE_OPERATIONS = 1 << 18;

/** How many of `count` items, each of `work` operations, one tile takes. */
export const grainOf = (count: number, work: number): number =>
  Math.max(1, Math.min(count, Math.ceil(TILE_OPERATIONS / Math.max(work, 1))));
