import { isAtMost } from '../../../graph/guards.js';
import { ceilDivide, maximum, minimum, multiply, type Size } from '../../../graph/sizes.js';

/** Elementary operations per tile: about ten microseconds of work. */
const TILE_OPERATIONS = 1 << 16;

/** The number of items per tile, for items of `work` operations. */
export const itemsOfTile = <D extends Size>(work: D): D => ceilDivide(TILE_OPERATIONS, maximum(work, 1)) as D;

/** The same, but at most `count`. */
export const grainOf = <D extends Size>(count: D, work: D): D => maximum(1, minimum(count, itemsOfTile(work))) as D;

/** 32-bit numbers in a cache line. */
const LINE = 16;

/** The same for columns, of which `inner` are adjacent: whole cache lines, or a multiple of 4 if `inner` is 1. */
export const columnGrainOf = <D extends Size>(count: D, work: D, inner: D): D => {
  const step = isAtMost(inner, 1) ? 4 : LINE;
  return multiply(ceilDivide(grainOf(count, work), step), step) as D;
};
