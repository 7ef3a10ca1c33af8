import { at, type Lists, listsBy, real } from '../columns.js';
import { METRICS } from '../metrics.js';
import type { Proper } from './chains.js';
import type { Ordering } from './ordering.js';

/** A block is a column of exactly aligned vertices. Blocks don't cross, so each is left of all blocks of its right neighbours. */
export interface Blocks {
  readonly count: number;
  readonly of: Int32Array;
  /** Pairs of neighbours in a layer: the vertices, and their blocks. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly leftBlock: Int32Array;
  readonly rightBlock: Int32Array;
  /** Pairs by their left block, and by their right block. */
  readonly byLeft: Lists;
  readonly byRight: Lists;
  /** Each block before those to its right. */
  readonly order: Int32Array;
}

export function blocksOf(graph: Proper, { rows, place }: Ordering): Blocks {
  const of = new Int32Array(graph.count).fill(-1);
  const above = aligned(graph, rows, place);
  let count = 0;
  for (const row of rows)
    for (const vertex of row) of[vertex] = at(above, vertex) >= 0 ? at(of, at(above, vertex)) : count++;
  const left: number[] = [];
  const right: number[] = [];
  for (const row of rows)
    for (let i = 0; i + 1 < row.length; i++) {
      left.push(at(row, i));
      right.push(at(row, i + 1));
    }
  const leftBlock = Int32Array.from(left, (v) => at(of, v));
  const rightBlock = Int32Array.from(right, (v) => at(of, v));
  const [byLeft, byRight] = [listsBy(count, leftBlock), listsBy(count, rightBlock)];
  const order = leftFirst(count, byLeft, rightBlock);
  return {
    count,
    of,
    left: Int32Array.from(left),
    right: Int32Array.from(right),
    leftBlock,
    rightBlock,
    byLeft,
    byRight,
    order,
  };
}

/** The distance between the centres of neighbours, in addition to their sizes. */
export const gapBetween = ({ items }: Proper, left: number, right: number): number =>
  left < items && right < items ? METRICS.boxGap : METRICS.lineGap;

function leftFirst(count: number, byLeft: Lists, rightBlock: Int32Array): Int32Array {
  const order = new Int32Array(count);
  const waits = new Int32Array(count);
  for (const block of rightBlock) waits[block] = at(waits, block) + 1;
  let length = 0;
  for (let block = 0; block < count; block++) if (at(waits, block) === 0) order[length++] = block;
  for (let i = 0; i < length; i++)
    for (let k = at(byLeft.start, at(order, i)); k < at(byLeft.start, at(order, i) + 1); k++) {
      const next = at(rightBlock, at(byLeft.values, k));
      waits[next] = at(waits, next) - 1;
      if (at(waits, next) === 0) order[length++] = next;
    }
  return order;
}

/** The vertex directly above each that it aligns with, or -1: most important segments first, no two crossing. */
function aligned(graph: Proper, rows: Ordering['rows'], place: Int32Array): Int32Array {
  const { up, down } = graph.segments;
  const below = new Int32Array(graph.count).fill(-1);
  const above = new Int32Array(graph.count).fill(-1);
  const importance = importances(graph);
  const byLayer = listsBy(
    graph.layers,
    up.map((u) => at(graph.layer, u)),
  );
  for (let l = 0; l + 1 < graph.layers; l++) {
    const segments = byLayer.values.slice(at(byLayer.start, l), at(byLayer.start, l + 1));
    segments.sort((s, t) => real(importance, t) - real(importance, s) || s - t);
    const straight = uncrossed((rows[l] as Int32Array).length, (rows[l + 1] as Int32Array).length);
    for (const s of segments) {
      const [u, v] = [at(up, s), at(down, s)];
      if (at(below, u) >= 0 || at(above, v) >= 0 || !straight.takes(at(place, u), at(place, v))) continue;
      below[u] = v;
      above[v] = u;
    }
  }
  return above;
}

/** Segments within long edges come first, to keep them straight; then those on the longest path through the graph. */
function importances(graph: Proper): Float64Array {
  const { up, down } = graph.segments;
  const fromTop = new Float64Array(graph.count);
  const toBottom = new Float64Array(graph.count);
  const weight = (v: number) => (v < graph.items ? 1 : 0);
  const byLayer = listsBy(
    graph.layers,
    up.map((u) => at(graph.layer, u)),
  ).values;
  for (const s of byLayer)
    fromTop[at(down, s)] = Math.max(real(fromTop, at(down, s)), real(fromTop, at(up, s)) + weight(at(up, s)));
  for (let i = byLayer.length - 1; i >= 0; i--) {
    const s = at(byLayer, i);
    toBottom[at(up, s)] = Math.max(real(toBottom, at(up, s)), real(toBottom, at(down, s)) + weight(at(down, s)));
  }
  return Float64Array.from(up, (u, s) => {
    const v = at(down, s);
    const isInner = u >= graph.items && v >= graph.items;
    return (isInner ? 2 ** 40 : 0) + real(fromTop, u) + real(toBottom, v) + weight(u) + weight(v);
  });
}

/** Accepts pairs of an upper and a lower place as long as they don't cross earlier ones. */
function uncrossed(uppers: number, lowers: number) {
  const left = new Int32Array(uppers + 1).fill(-1);
  const right = new Int32Array(uppers + 1).fill(lowers);
  return { takes };

  function takes(upper: number, lower: number): boolean {
    for (let i = upper; i > 0; i -= i & -i) if (at(left, i) >= lower) return false;
    for (let i = uppers - 1 - upper; i > 0; i -= i & -i) if (at(right, i) <= lower) return false;
    for (let i = upper + 1; i <= uppers; i += i & -i) left[i] = Math.max(at(left, i), lower);
    for (let i = uppers - upper; i <= uppers; i += i & -i) right[i] = Math.min(at(right, i), lower);
    return true;
  }
}
