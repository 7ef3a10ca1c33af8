import { at, forEach, real } from '../columns.js';
import type { Blocks } from './blocks.js';

/** What each vertex takes to the left of its block's middle, and to the right. */
export interface Reach {
  readonly left: Float64Array;
  readonly right: Float64Array;
}

/**
 * Moves blocks apart for what opened modules take, from where they are when all are closed: whatever is right of one moves to the right
 * by as much as it has grown there, whatever is left of it to the left. So none moves further than a module has grown, and blocks stay
 * straight. What is right of what, is said by neighbours in layers.
 */
export function pushApart(blocks: Blocks, resting: Float64Array, closed: Float64Array, open: Reach): Float64Array {
  const { left, right, leftBlock, rightBlock, byLeft, byRight, order } = blocks;
  const toRight = new Float64Array(blocks.count);
  const toLeft = new Float64Array(blocks.count);
  for (const block of order)
    forEach(byRight, block, (i) => {
      const vertex = at(left, i);
      const grown = real(open.right, vertex) - real(closed, vertex);
      toRight[block] = Math.max(real(toRight, block), real(toRight, at(leftBlock, i)) + grown);
    });
  for (let k = order.length - 1; k >= 0; k--) {
    const block = at(order, k);
    forEach(byLeft, block, (i) => {
      const vertex = at(right, i);
      const grown = real(open.left, vertex) - real(closed, vertex);
      toLeft[block] = Math.max(real(toLeft, block), real(toLeft, at(rightBlock, i)) + grown);
    });
  }
  return resting.map((x, block) => x + real(toRight, block) - real(toLeft, block));
}
