import { add, at, forEach, sign } from '../columns.js';
import type { Proper } from './chains.js';
import type { Ordering } from './ordering.js';

/** Counts the segments that cross in an ordering, the ends of lanes among them, which come from outside and go there. */
export function crossingCounter(graph: Proper): (ordering: Ordering) => number {
  const { segments, posts, downOf } = graph;
  const byGap = postsByGap(graph);
  const lower = new Int32Array(segments.up.length + posts.lane.length);
  const widest = 4 * graph.count + 8;
  const tree = new Int32Array(widest);
  let length = 0;

  return (ordering) => {
    let crossings = 0;
    for (let l = 0; l + 1 < graph.layers; l++) crossings += inGap(ordering, l);
    return crossings;
  };

  /** Lower ends by their upper ones, and among equal ones by themselves. */
  function inGap({ rows, place, side }: Ordering, l: number): number {
    const width = (rows[l + 1] as Int32Array).length + 2;
    const outside = (post: number) => (sign(side, at(posts.lane, post)) < 0 ? 0 : width - 1);
    length = 0;
    fromOutside(l + 1, place, side, -1);
    for (const vertex of rows[l] as Int32Array) {
      const begin = length;
      forEach(downOf, vertex, (s) => {
        lower[length++] = at(place, at(segments.down, s)) + 1;
      });
      forEach(posts.below, vertex, (post) => {
        lower[length++] = outside(post);
      });
      settle(begin);
    }
    fromOutside(l + 1, place, side, 1);
    return inversions(width);
  }

  function fromOutside(gap: number, place: Int32Array, side: Int8Array, which: number): void {
    const begin = length;
    for (const post of byGap[gap] ?? [])
      if (!posts.isBelow[post] && sign(side, at(posts.lane, post)) === which)
        lower[length++] = at(place, at(posts.vertex, post)) + 1;
    settle(begin);
  }

  function settle(begin: number): void {
    if (length - begin > 1) lower.subarray(begin, length).sort();
  }

  function inversions(width: number): number {
    let base = 1;
    while (base < width) base *= 2;
    tree.fill(0, 0, base * 2);
    let crossings = 0;
    for (let i = 0; i < length; i++) {
      let node = at(lower, i) + base;
      add(tree, node, 1);
      for (; node > 1; node >>= 1) {
        if (!(node & 1)) crossings += at(tree, node + 1);
        add(tree, node >> 1, 1);
      }
    }
    return crossings;
  }
}

/** Gap i is above layer i. */
function postsByGap({ posts, layer, layers }: Proper): number[][] {
  const byGap: number[][] = Array.from({ length: layers + 1 }, () => []);
  posts.vertex.forEach((vertex, post) => {
    byGap[at(layer, vertex) + (posts.isBelow[post] ? 1 : 0)]?.push(post);
  });
  return byGap;
}
