import { at, forEach, type Lists, listsBy, nth, real } from '../columns.js';
import { type Blocks, gapBetween } from './blocks.js';
import type { Proper } from './chains.js';

const ROUNDS = 8;

/** The centre of each block in a level with all modules closed. `half` is half the size of each vertex. */
export function restingPlaces(graph: Proper, blocks: Blocks, half: Float64Array): Float64Array {
  const { left, right, leftBlock, rightBlock, byLeft, byRight, order, count } = blocks;
  const apart = Float64Array.from(left, (a, i) => {
    const b = at(right, i);
    return real(half, a) + real(half, b) + gapBetween(graph, a, b);
  });
  const x = new Float64Array(count);
  const near = neighbours(graph, blocks);
  for (const block of order) x[block] = Math.max(0, least(block));
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = count - 1; i >= 0; i--) settle(at(order, i));
    for (let i = 0; i < count; i++) settle(at(order, i));
  }
  return x;

  function settle(block: number): void {
    const wanted = median(near, x, block);
    if (!Number.isNaN(wanted)) x[block] = Math.max(least(block), Math.min(most(block), wanted));
  }

  function least(block: number): number {
    let bound = Number.NEGATIVE_INFINITY;
    forEach(byRight, block, (i) => {
      bound = Math.max(bound, real(x, at(leftBlock, i)) + real(apart, i));
    });
    return bound;
  }

  function most(block: number): number {
    let bound = Number.POSITIVE_INFINITY;
    forEach(byLeft, block, (i) => {
      bound = Math.min(bound, real(x, at(rightBlock, i)) - real(apart, i));
    });
    return bound;
  }
}

/** The median place of the blocks that segments lead to; NaN if there are none. */
function median(near: Lists, x: Float64Array, block: number): number {
  const places: number[] = [];
  forEach(near, block, (other) => places.push(real(x, other)));
  if (places.length > 2) places.sort((a, b) => a - b);
  const middle = places.length >> 1;
  if (places.length % 2) return nth(places, middle);
  return places.length === 0 ? Number.NaN : (nth(places, middle - 1) + nth(places, middle)) / 2;
}

/** Blocks connected by segments. */
function neighbours({ segments: { up, down } }: Proper, { count, of }: Blocks): Lists {
  const keys: number[] = [];
  const values: number[] = [];
  for (let s = 0; s < up.length; s++) {
    const [a, b] = [at(of, at(up, s)), at(of, at(down, s))];
    if (a === b) continue;
    keys.push(a, b);
    values.push(b, a);
  }
  return listsBy(count, Int32Array.from(keys), Int32Array.from(values));
}
