import { at, lengthOf } from '../columns.js';
import type { Proper } from './chains.js';
import { crossingCounter } from './crossings.js';
import { exchangeNeighbours } from './exchange.js';
import { copyOf, endsOf, isFixed, numberRow, type Ordering, SLOTS } from './ordering.js';
import { chooseSides } from './sides.js';
import { walked } from './walks.js';

/** Vertices and segments that are looked at, some, for a level. */
const BUDGET = 4e6;
const STARTS = 4;
const PATIENCE = 5;

/**
 * Orders layers such that little crosses: sweeps down and up, neighbours exchanged where that helps, from several starts; the best
 * counts. Rows of vertices that have hints are in their order; a vertex without has NaN.
 */
export function orderLayers(graph: Proper, hints: Float64Array): Ordering {
  const count = crossingCounter(graph);
  const rounds = Math.ceil(BUDGET / (graph.segments.up.length + graph.count + 1));
  let left = Math.min(96, Math.max(4, rounds));
  let best = walked(graph, hints, 0);
  let fewest = Number.POSITIVE_INFINITY;
  for (let start = 0; start < STARTS && left > 0 && fewest > 0; start++) {
    const ordering = walked(graph, hints, start);
    for (let idle = 0; idle < PATIENCE && left > 0 && fewest > 0; left--) {
      improve(graph, ordering, hints, left % 2 === 0);
      const crossings = count(ordering);
      idle++;
      if (crossings >= fewest) continue;
      best = copyOf(ordering);
      fewest = crossings;
      idle = 0;
    }
  }
  return best;
}

function improve(graph: Proper, ordering: Ordering, hints: Float64Array, isDownwards: boolean): void {
  const { rows } = ordering;
  chooseSides(graph, ordering);
  for (let i = 1; i < rows.length; i++) {
    const row = rows[isDownwards ? i : rows.length - 1 - i] as Int32Array;
    if (!isFixed(row, hints)) sortRow(graph, ordering, row, !isDownwards);
  }
  exchangeNeighbours(graph, ordering, hints);
  chooseSides(graph, ordering);
}

/** By the mean place of what is joined in the next layer; what has nothing there stays where it is. */
function sortRow(graph: Proper, ordering: Ordering, row: Int32Array, isBelow: boolean): void {
  if (row.length < 2) return;
  const segments = isBelow ? graph.downOf : graph.upOf;
  const posts = isBelow ? graph.posts.below : graph.posts.above;
  const hasEnds = (vertex: number) => lengthOf(segments, vertex) + lengthOf(posts, vertex) > 0;
  const centre = new Map<number, number>();
  const ends: number[] = [];
  const width = widthOfNext(graph, ordering, row, isBelow);
  for (const vertex of row)
    if (hasEnds(vertex)) centre.set(vertex, meanOf(endsOf(graph, ordering, vertex, isBelow, ends), width));
  const sorted = [...centre.keys()].sort(
    (a, b) => (centre.get(a) ?? 0) - (centre.get(b) ?? 0) || at(ordering.place, a) - at(ordering.place, b),
  );
  let next = 0;
  for (let i = 0; i < row.length; i++) if (centre.has(at(row, i))) row[i] = sorted[next++] ?? at(row, i);
  numberRow(ordering, row);
}

function widthOfNext({ layer }: Proper, { rows }: Ordering, row: Int32Array, isBelow: boolean): number {
  const l = at(layer, at(row, 0)) + (isBelow ? 1 : -1);
  return rows[l]?.length ?? 0;
}

/** Lanes count as just outside. */
function meanOf(ends: readonly number[], width: number): number {
  let sum = 0;
  for (const end of ends) sum += Math.min(width * SLOTS, Math.max(-SLOTS, end));
  return sum / ends.length;
}
