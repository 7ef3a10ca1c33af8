import { at, forEach, real } from '../columns.js';
import type { Blocks } from './blocks.js';

/** The extent of each vertex to the left and right of its block's centre. */
export interface Reach {
  readonly left: Float64Array;
  readonly right: Float64Array;
}

/**
 * Moves blocks apart to make room for open modules, starting from where they are when all are closed: everything to the right
 * of a module moves right by as much as it has grown there, everything to the left moves left. So nothing moves further than a
 * module has grown, and blocks stay straight. Neighbours in layers determine what is right of what.
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
