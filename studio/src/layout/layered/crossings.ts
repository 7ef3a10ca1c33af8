import { add, at, forEach, lengthOf, real, sign } from '../columns.js';
import type { Proper } from './chains.js';
import type { Ordering } from './ordering.js';

/** Exceeds the number of ends in a row. */
const WIDE = 2 ** 32;

export interface CrossingCounter {
  all(ordering: Ordering): number;
  /** Crossings in the gap below a layer. */
  below(ordering: Ordering, layer: number): number;
}

/** Counts crossing segments in an ordering, including the ends of lanes, which run outside. */
export function crossingCounter(graph: Proper): CrossingCounter {
  const { segments, posts, downOf } = graph;
  const byGap = postsByGap(graph);
  const most = segments.up.length + posts.lane.length;
  const lower = new Float64Array(most);
  const pins = new Int32Array(graph.count);
  const tree = new Int32Array(4 * (most + graph.count + 2));
  let length = 0;

  return { below, all };

  function all(ordering: Ordering): number {
    let crossings = 0;
    for (let l = 0; l + 1 < graph.layers; l++) crossings += below(ordering, l);
    return crossings;
  }

  /** Lower ends by upper ends; equal upper ends are sorted by lower end. */
  function below({ rows, side }: Ordering, l: number): number {
    const last = setPins(rows[l + 1] as Int32Array);
    const outside = (post: number) => (sign(side, at(posts.lane, post)) < 0 ? 0 : last);
    length = 0;
    fromOutside(l + 1, side, -1);
    for (const vertex of rows[l] as Int32Array) {
      const begin = length;
      const upper = (slot: number) => (graph.isPinned[vertex] ? slot * WIDE : 0);
      forEach(downOf, vertex, (s) => {
        const below = at(segments.down, s);
        lower[length++] = upper(at(segments.upSlot, s)) + pin(below, at(segments.downSlot, s));
      });
      forEach(posts.below, vertex, (post) => {
        lower[length++] = upper(at(posts.slot, post)) + outside(post);
      });
      settle(begin);
    }
    fromOutside(l + 1, side, 1);
    return inversions(last + 1);
  }

  /** Numbers the ends in a row from 1: one per vertex, or one per slot; returns the number right of all. */
  function setPins(row: Int32Array): number {
    let next = 1;
    for (const vertex of row) {
      pins[vertex] = next;
      const degree = lengthOf(graph.upOf, vertex) + lengthOf(posts.above, vertex);
      next += graph.isPinned[vertex] ? Math.max(1, degree) : 1;
    }
    return next;
  }

  function pin(vertex: number, slot: number): number {
    return at(pins, vertex) + (graph.isPinned[vertex] ? slot : 0);
  }

  function fromOutside(gap: number, side: Int8Array, which: number): void {
    const begin = length;
    for (const post of byGap[gap] ?? [])
      if (!posts.isBelow[post] && sign(side, at(posts.lane, post)) === which)
        lower[length++] = pin(at(posts.vertex, post), at(posts.slot, post));
    settle(begin);
  }

  /** Sorts the segments that leave one vertex by slot, then by their other end. */
  function settle(begin: number): void {
    if (length - begin > 1) lower.subarray(begin, length).sort();
    for (let i = begin; i < length; i++) lower[i] = real(lower, i) % WIDE;
  }

  function inversions(width: number): number {
    let base = 1;
    while (base < width) base *= 2;
    tree.fill(0, 0, base * 2);
    let crossings = 0;
    for (let i = 0; i < length; i++) {
      let node = real(lower, i) + base;
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
