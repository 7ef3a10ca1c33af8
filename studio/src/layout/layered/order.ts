import { at, nth, real } from '../columns.js';
import { moveChains } from './chain-moves.js';
import { type Proper, SLOTS } from './chains.js';
import { crossingCounter } from './crossings.js';
import { disorder } from './disorder.js';
import { exchangeNeighbours } from './exchange.js';
import { copyOf, forEnds, isFixed, numberRow, type Ordering } from './ordering.js';
import { chooseSides } from './sides.js';
import { walked } from './walks.js';

/** Approximate number of vertices and segments visited per level. */
const BUDGET = 2e4;
const STARTS = 4;
const PATIENCE = 3;
/** Long edges are moved as wholes only in levels with fewer vertices and segments. */
const SMALL = 3000;
/** The cost of a crossing, in pairs of operands out of order. */
const CROSSING = 8;

/**
 * Orders layers to reduce crossings: sweeps down and up, with neighbours swapped where that helps, from several starts; the best
 * result wins. Rows of vertices with hints are sorted by them; a vertex without a hint has NaN.
 */
export function orderLayers(graph: Proper, hints: Float64Array): Ordering {
  const count = crossingCounter(graph);
  const size = graph.segments.up.length + graph.count + 1;
  const rounds = Math.ceil(BUDGET / size);
  let left = Math.min(16, Math.max(4, rounds));
  let best = walked(graph, hints, 0);
  let least = Number.POSITIVE_INFINITY;
  for (let start = 0; start < STARTS && left > 0 && least > 0; start++) {
    const ordering = walked(graph, hints, start);
    for (let idle = 0, round = 0; idle < PATIENCE && left > 0 && least > 0; left--, round++) {
      sweep(graph, ordering, hints, round % 2 === 0);
      if (round <= 1 && size < SMALL) moveChains(graph, ordering, count.below);
      if (round > 0) chooseSides(graph, ordering);
      const cost = CROSSING * count.all(ordering) + disorder(graph, ordering);
      idle++;
      if (cost >= least) continue;
      best = copyOf(ordering);
      least = cost;
      idle = 0;
    }
  }
  return best;
}

function sweep(graph: Proper, ordering: Ordering, hints: Float64Array, isDownwards: boolean): void {
  const { rows } = ordering;
  for (let i = 1; i < rows.length; i++) {
    const row = rows[isDownwards ? i : rows.length - 1 - i] as Int32Array;
    if (!isFixed(row, hints)) sortRow(graph, ordering, row, !isDownwards);
  }
  exchangeNeighbours(graph, ordering, hints);
}

/** Sorts by the mean place of neighbours in the next layer; vertices without any stay in place. */
function sortRow(graph: Proper, ordering: Ordering, row: Int32Array, isBelow: boolean): void {
  if (row.length < 2) return;
  const next = ordering.rows[at(graph.layer, at(row, 0)) + (isBelow ? 1 : -1)];
  const centres = Float64Array.from(row, (vertex) => meanEnd(graph, ordering, vertex, isBelow, next?.length ?? 0));
  if (isAscending(centres)) return;
  const isMovable = (i: number) => !Number.isNaN(real(centres, i));
  const places = Array.from(row.keys()).filter(isMovable);
  const sorted = [...places].sort((a, b) => real(centres, a) - real(centres, b) || a - b).map((i) => at(row, i));
  places.forEach((place, i) => {
    row[place] = nth(sorted, i);
  });
  numberRow(ordering, row);
}

/** Ignores NaN. */
function isAscending(numbers: Float64Array): boolean {
  let most = Number.NEGATIVE_INFINITY;
  for (const number of numbers) {
    if (number < most) return false;
    if (number > most) most = number;
  }
  return true;
}

/** The mean place of a vertex's ends; NaN if it has none. Lanes count as just outside. */
function meanEnd(graph: Proper, ordering: Ordering, vertex: number, isBelow: boolean, width: number): number {
  let sum = 0;
  let count = 0;
  forEnds(graph, ordering, vertex, isBelow, (end) => {
    sum += Math.min(width * SLOTS, Math.max(-SLOTS, end));
    count++;
  });
  return sum / count;
}
