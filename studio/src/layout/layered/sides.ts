import { add, at, forEach, lengthOf, sign } from '../columns.js';
import type { Proper } from './chains.js';
import type { Ordering } from './ordering.js';

/** Puts each lane, one after the other, on the side where it crosses less, as the layers are in order now. */
export function chooseSides(graph: Proper, ordering: Ordering): void {
  const { lanes, posts } = graph;
  if (lanes.length === 0) return;
  const { leftOf, total } = endsBeside(graph, ordering);
  const postsOf = lanes.map((): number[] => []);
  posts.lane.forEach((lane, post) => {
    postsOf[lane]?.push(post);
  });
  const covered = [new Int32Array(graph.layers + 2), new Int32Array(graph.layers + 2)] as const;
  const order = lanes.map((_, i) => i).sort((a, b) => spanOf(a) - spanOf(b) || a - b);
  for (const lane of order) {
    let [left, right] = [0, 0];
    for (const post of postsOf[lane] ?? []) {
      const gap = gapOf(graph, post);
      const before = at(leftOf, post);
      left += before + at(covered[0], gap);
      right += at(total, gap) - before - 1 + at(covered[1], gap);
    }
    const side = left < right ? -1 : left > right ? 1 : sign(ordering.side, lane);
    ordering.side[lane] = side;
    cover(covered[side < 0 ? 0 : 1], lane);
  }

  function spanOf(lane: number): number {
    const { firstGap = 0, lastGap = 0 } = lanes[lane] ?? {};
    return lastGap - firstGap;
  }

  function cover(column: Int32Array, lane: number): void {
    const { firstGap = 0, lastGap = 0 } = lanes[lane] ?? {};
    for (let gap = firstGap + 1; gap < lastGap; gap++) add(column, gap, 1);
  }
}

const gapOf = ({ layer, posts }: Proper, post: number): number =>
  at(layer, at(posts.vertex, post)) + (posts.isBelow[post] ? 1 : 0);

/** Of each post, how many ends of segments and posts are left of it in its gap, on its layer's side of the gap; and how many all are. */
function endsBeside(graph: Proper, { rows }: Ordering) {
  const { posts, segments } = graph;
  const leftOf = new Int32Array(posts.lane.length);
  const total = new Int32Array(graph.layers + 2);
  rows.forEach((row, l) => {
    let [above, below] = [0, 0];
    for (const vertex of row) {
      forEach(posts.above, vertex, (post) => {
        let less = 0;
        forEach(graph.upOf, vertex, (s) => {
          if (at(segments.downSlot, s) < at(posts.slot, post)) less++;
        });
        leftOf[post] = above + less;
      });
      forEach(posts.below, vertex, (post) => {
        leftOf[post] = below;
      });
      above += lengthOf(graph.upOf, vertex) + lengthOf(posts.above, vertex);
      below += lengthOf(graph.downOf, vertex) + lengthOf(posts.below, vertex);
    }
    add(total, l + 1, below);
    if (l === 0) total[0] = above;
  });
  return { leftOf, total };
}
