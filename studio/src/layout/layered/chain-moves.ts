import { at, nth, real } from '../columns.js';
import type { Proper } from './chains.js';
import { type CrossingsSaved, crossingsSaved } from './crossings-saved.js';
import { moveTo, type Ordering } from './ordering.js';

const SHORTEST = 2;
const SIDES = ['left', 'right'] as const;
type Side = (typeof SIDES)[number];

/** Tries moving each long edge as a whole to the left or right of its layers; moving joints one by one never gets there. */
export function moveChains(graph: Proper, ordering: Ordering, countBelow: CountGap): void {
  const saved = crossingsSaved(graph, ordering);
  const crossings = crossingsByGap(graph, ordering, countBelow);
  for (let pair = 0; pair + 1 < graph.chainStart.length; pair++) {
    const chain = graph.chain.subarray(at(graph.chainStart, pair), at(graph.chainStart, pair + 1));
    if (chain.length < SHORTEST) continue;
    const first = at(graph.layer, at(chain, 0)) - 1;
    const last = first + chain.length;
    if (!crossings.isSome(first, last)) continue;
    if (SIDES.some((side) => movesAside(graph, ordering, saved, chain, side))) crossings.forget(first, last);
  }
}

type CountGap = (ordering: Ordering, layer: number) => number;

/** Whether anything crosses below given layers, counted once until they change. */
function crossingsByGap(graph: Proper, ordering: Ordering, countBelow: CountGap) {
  const known = new Float64Array(graph.layers).fill(Number.NaN);
  return { isSome, forget };

  function isSome(first: number, last: number): boolean {
    for (let l = first; l <= last; l++) {
      if (Number.isNaN(real(known, l))) known[l] = countBelow(ordering, l);
      if (known[l]) return true;
    }
    return false;
  }

  function forget(first: number, last: number): void {
    known.fill(Number.NaN, first, last + 1);
  }
}

/** Returns whether the move reduces crossings; otherwise restores the order. */
function movesAside(graph: Proper, ordering: Ordering, saved: CrossingsSaved, chain: Int32Array, side: Side): boolean {
  const rowOf = (joint: number) => ordering.rows[at(graph.layer, joint)] as Int32Array;
  const before = Array.from(chain, (joint) => at(ordering.place, joint));
  let gain = 0;
  for (const joint of chain) gain += moveAside(ordering, saved, rowOf(joint), joint, side);
  if (gain > 0) return true;
  chain.forEach((joint, i) => void moveTo(ordering, rowOf(joint), joint, nth(before, i)));
  return false;
}

/** Returns the number of crossings saved. */
function moveAside(ordering: Ordering, saved: CrossingsSaved, row: Int32Array, joint: number, side: Side): number {
  const place = at(ordering.place, joint);
  let gain = 0;
  if (side === 'left') for (let i = 0; i < place; i++) gain += saved(at(row, i), joint);
  else for (let i = place + 1; i < row.length; i++) gain += saved(joint, at(row, i));
  moveTo(ordering, row, joint, side === 'left' ? 0 : row.length - 1);
  return gain;
}
