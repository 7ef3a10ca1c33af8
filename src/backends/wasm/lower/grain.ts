import { isAtMost } from '../../../graph/guards.js';
import { ceilDivide, maximum, minimum, multiply, type Size } from '../../../graph/sizes.js';

/** Elementary operations that a tile should hold: about ten microseconds of work. */
const TILE_OPERATIONS = 1 << 16;

/** How many items, each of `work` operations, one tile takes. */
export const itemsOfTile = <D extends Size>(work: D): D => ceilDivide(TILE_OPERATIONS, maximum(work, 1)) as D;

/** The same of `count` items in all. */
export const grainOf = <D extends Size>(count: D, work: D): D => maximum(1, minimum(count, itemsOfTile(work))) as D;

/** Columns of 32-bit numbers in a cache line. */
const LINE = 16;

/** The same where items stand side by side in groups of `inner`: columns are read by whole cache lines. */
export const columnGrainOf = <D extends Size>(count: D, work: D, inner: D): D => {
  const step = isAtMost(inner, 1) ? 4 : LINE;
  return multiply(ceilDivide(grainOf(count, work), step), step) as D;
};
