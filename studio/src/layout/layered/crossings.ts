import { add, at, forEach, sign } from '../columns.js';
import type { Proper } from './chains.js';
import type { Ordering } from './ordering.js';

/** Counts the segments that cross in an ordering, the ends of lanes among them, which come from outside and go there. */
export function crossingCounter(graph: Proper): (ordering: Ordering) => number {
  const { segments, posts, downOf } = graph;
  const byGap = postsByGap(graph);
  const size = segments.up.length + posts.lane.length + 2;
  const pinOf = new Int32Array(segments.up.length);
  const pinOfPost = new Int32Array(posts.lane.length);
  const lower = new Int32Array(size);
  let leaves = 1;
  while (leaves < size) leaves *= 2;
  const tree = new Int32Array(leaves * 2);
  let length = 0;

  return (ordering) => {
    let crossings = 0;
    for (let l = 0; l + 1 < graph.layers; l++) crossings += inGap(ordering, l);
    return crossings;
  };

  function inGap({ rows, side }: Ordering, l: number): number {
    const last = setPins(rows[l + 1] as Int32Array) + 1;
    const outside = (post: number) => (sign(side, at(posts.lane, post)) < 0 ? 0 : last);
    length = 0;
    fromOutside(l + 1, side, -1);
    for (const vertex of rows[l] as Int32Array) addEnds(vertex, outside);
    fromOutside(l + 1, side, 1);
    return inversions(last + 1);
  }

  /** Numbers the ends in the row from 1, by slots. */
  function setPins(row: Int32Array): number {
    let pin = 0;
    for (const vertex of row) {
      const base = pin + 1;
      let most = -1;
      forEach(graph.upOf, vertex, (s) => {
        pinOf[s] = base + at(segments.downSlot, s);
        most = Math.max(most, at(segments.downSlot, s));
      });
      forEach(posts.above, vertex, (post) => {
        pinOfPost[post] = base + at(posts.slot, post);
        most = Math.max(most, at(posts.slot, post));
      });
      pin += most + 1;
    }
    return pin;
  }

  function addEnds(vertex: number, outside: (post: number) => number): void {
    const begin = length;
    forEach(downOf, vertex, (s) => {
      lower[length++] = at(segments.upSlot, s) * 2 ** 22 + at(pinOf, s);
    });
    forEach(posts.below, vertex, (post) => {
      lower[length++] = at(posts.slot, post) * 2 ** 22 + outside(post);
    });
    settle(begin);
  }

  function fromOutside(gap: number, side: Int8Array, which: number): void {
    const begin = length;
    for (const post of byGap[gap] ?? [])
      if (!posts.isBelow[post] && sign(side, at(posts.lane, post)) === which) lower[length++] = at(pinOfPost, post);
    settle(begin);
  }

  /** What leaves one vertex by slots, then by where it ends. */
  function settle(begin: number): void {
    if (length - begin > 1) lower.subarray(begin, length).sort();
    for (let i = begin; i < length; i++) lower[i] = at(lower, i) & (2 ** 22 - 1);
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
