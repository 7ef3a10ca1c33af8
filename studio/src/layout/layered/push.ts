import { at, forEach, real } from '../columns.js';
import { type Blocks, gapBetween } from './blocks.js';
import type { Proper } from './chains.js';

/** What each vertex takes to the left of its block's middle, and to the right. */
export interface Reach {
  readonly left: Float64Array;
  readonly right: Float64Array;
}

/**
 * Moves blocks apart for what opened modules take, from where they are when all are closed: first what lies right of something wide
 * to the right, then what lies left of something wide to the left. None moves by more than what has grown, and blocks stay straight.
 */
export function pushApart(
  graph: Proper,
  blocks: Blocks,
  resting: Float64Array,
  closed: Float64Array,
  open: Reach,
): Float64Array {
  const { left, right, leftBlock, rightBlock, byLeft, byRight, order } = blocks;
  const x = resting.slice();
  for (const block of order)
    forEach(byRight, block, (i) => {
      const [a, b] = [at(left, i), at(right, i)];
      const least = real(x, at(leftBlock, i)) + real(open.right, a) + real(closed, b) + gapBetween(graph, a, b);
      x[block] = Math.max(real(x, block), least);
    });
  for (let k = order.length - 1; k >= 0; k--) {
    const block = at(order, k);
    forEach(byLeft, block, (i) => {
      const [a, b] = [at(left, i), at(right, i)];
      const most = real(x, at(rightBlock, i)) - real(open.left, b) - real(open.right, a) - gapBetween(graph, a, b);
      x[block] = Math.min(real(x, block), most);
    });
  }
  return x;
}
