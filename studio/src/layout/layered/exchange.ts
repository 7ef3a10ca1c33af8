import { at, nth } from '../columns.js';
import type { Proper } from './chains.js';
import { forEnds, isFixed, type Ordering } from './ordering.js';

const PASSES = 4;
/** Fans wider than this are left to the sweeps. */
const WIDEST = 256;
/** The cost of a crossing relative to two operands out of order. */
const CROSSING = 8;

/** Swaps neighbours in their layers as long as that reduces crossings. */
export function exchangeNeighbours(graph: Proper, ordering: Ordering, hints: Float64Array): void {
  const sorted = sortedEnds(graph, ordering);
  const { rows } = ordering;
  // Layers that may still improve: not checked since they or their neighbours changed.
  const isOpen = Uint8Array.from(rows, (row) => (isFixed(row, hints) ? 0 : 1));
  for (let pass = 0; pass < PASSES && isOpen.includes(1); pass++)
    rows.forEach((row, i) => {
      if (!isOpen[i]) return;
      isOpen[i] = 0;
      if (!exchangeIn(row, ordering, sorted)) return;
      for (const k of [i - 1, i, i + 1]) if (rows[k] && !isFixed(rows[k], hints)) isOpen[k] = 1;
    });
}

type SortedEnds = (vertex: number, isBelow: boolean) => readonly number[];

function sortedEnds(graph: Proper, ordering: Ordering): SortedEnds {
  return (vertex, isBelow) => {
    const ends: number[] = [];
    forEnds(graph, ordering, vertex, isBelow, (end) => ends.push(end));
    return ends.length < 2 ? ends : ends.sort((a, b) => a - b);
  };
}

function exchangeIn(row: Int32Array, { place }: Ordering, sorted: SortedEnds): boolean {
  if (row.length < 2) return false;
  let gained = false;
  let ends = [sorted(at(row, 0), false), sorted(at(row, 0), true)];
  for (let i = 0; i + 1 < row.length; i++) {
    const [a, b] = [at(row, i), at(row, i + 1)];
    const next = [sorted(b, false), sorted(b, true)];
    const gain = [0, 1].reduce((sum, k) => sum + gainOf(ends[k] ?? [], next[k] ?? []), 0);
    if (gain <= 0) {
      ends = next;
      continue;
    }
    row[i] = b;
    row[i + 1] = a;
    place[a] = i + 1;
    place[b] = i;
    gained = true;
  }
  return gained;
}

/** The gain from placing the second left of the first. */
function gainOf(first: readonly number[], second: readonly number[]): number {
  if (first.length === 0 || second.length === 0 || first.length > WIDEST || second.length > WIDEST) return 0;
  return CROSSING * crossingsLess(first.map(Math.floor), second.map(Math.floor)) + crossingsLess(first, second);
}

/** The number of crossings saved by it. */
function crossingsLess(first: readonly number[], second: readonly number[]): number {
  let gain = 0;
  let [less, equal] = [0, 0];
  for (const end of first) {
    while (less < second.length && nth(second, less) < end) less++;
    equal = Math.max(equal, less);
    while (equal < second.length && nth(second, equal) === end) equal++;
    gain += less - (second.length - equal);
  }
  return gain;
}
