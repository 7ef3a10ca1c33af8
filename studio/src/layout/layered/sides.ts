import { add, at, bit, forEach, lengthOf, listsBy, real, sign } from '../columns.js';
import type { Lane, Proper } from './chains.js';
import { forEnds, type Ordering } from './ordering.js';

/** Puts each lane in turn on the side with fewer crossings for the current order of layers; ties are decided by operand order. */
export function chooseSides(graph: Proper, ordering: Ordering): void {
  const { lanes, posts } = graph;
  if (lanes.length === 0) return;
  const costs = sideCosts(graph, ordering);
  const postsOf = listsBy(lanes.length, posts.lane);
  const covered = { left: new Int32Array(graph.layers + 2), right: new Int32Array(graph.layers + 2) };
  for (const lane of shortFirst(lanes)) {
    let gain = 0;
    forEach(postsOf, lane, (post) => {
      const gap = gapOf(graph, post);
      gain += real(costs, post) + at(covered.right, gap) - at(covered.left, gap);
    });
    if (gain !== 0) ordering.side[lane] = gain > 0 ? -1 : 1;
    const column = sign(ordering.side, lane) < 0 ? covered.left : covered.right;
    const { firstGap, lastGap } = lanes[lane] as Lane;
    for (let gap = firstGap + 1; gap < lastGap; gap++) add(column, gap, 1);
  }
}

/** The order in which lanes are placed, from the inside out. */
export function shortFirst(lanes: readonly Lane[]): number[] {
  const span = (lane: number) => (lanes[lane]?.lastGap ?? 0) - (lanes[lane]?.firstGap ?? 0);
  return lanes.map((_, i) => i).sort((a, b) => span(a) - span(b) || a - b);
}

const gapOf = ({ layer, posts }: Proper, post: number): number =>
  at(layer, at(posts.vertex, post)) + bit(posts.isBelow, post);

/** The cost of a pair of operands out of order relative to a crossing. */
const DISORDER = 1 / 8;

/** How many more crossings a post has on the right than on the left. */
function sideCosts(graph: Proper, ordering: Ordering): Float64Array {
  const costs = new Float64Array(graph.posts.lane.length);
  for (const row of ordering.rows)
    for (const isBelow of [true, false]) {
      const [ends, posts] = isBelow ? [graph.downOf, graph.posts.below] : [graph.upOf, graph.posts.above];
      const degree = (vertex: number) => lengthOf(ends, vertex) + lengthOf(posts, vertex);
      const all = row.reduce((sum, vertex) => sum + degree(vertex), 0);
      let before = 0;
      for (const vertex of row) {
        const after = all - before - degree(vertex);
        forEach(posts, vertex, (post) => {
          costs[post] =
            after -
            before +
            (graph.isPinned[vertex] ? 1 : DISORDER) * slotsBeside(graph, ordering, vertex, isBelow, post);
        });
        before += degree(vertex);
      }
    }
  return costs;
}

/** How many more operands of the vertex come after the post's than before it. */
function slotsBeside(graph: Proper, ordering: Ordering, vertex: number, isBelow: boolean, post: number): number {
  let more = 0;
  forEnds(graph, ordering, vertex, isBelow, (_, slot) => {
    more += Math.sign(slot - at(graph.posts.slot, post));
  });
  return more;
}
