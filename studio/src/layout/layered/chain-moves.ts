import { at, nth } from '../columns.js';
import type { Proper } from './chains.js';
import { type CrossingsSaved, crossingsSaved } from './crossings-saved.js';
import { moveTo, type Ordering } from './ordering.js';

const SHORTEST = 2;
const SIDES = ['left', 'right'] as const;
type Side = (typeof SIDES)[number];

/** Tries for each long edge whether less crosses with the whole of it on the left, or on the right, of its layers; one joint after the other never gets there. */
export function moveChains(graph: Proper, ordering: Ordering): void {
  const saved = crossingsSaved(graph, ordering);
  for (let pair = 0; pair + 1 < graph.chainStart.length; pair++) {
    const chain = graph.chain.subarray(at(graph.chainStart, pair), at(graph.chainStart, pair + 1));
    if (chain.length < SHORTEST) continue;
    for (const side of SIDES) if (movesAside(graph, ordering, saved, chain, side)) break;
  }
}

/** Whether less crosses for it; else all is as before. */
function movesAside(graph: Proper, ordering: Ordering, saved: CrossingsSaved, chain: Int32Array, side: Side): boolean {
  const rowOf = (joint: number) => ordering.rows[at(graph.layer, joint)] as Int32Array;
  const before = Array.from(chain, (joint) => at(ordering.place, joint));
  let gain = 0;
  for (const joint of chain) gain += moveAside(ordering, saved, rowOf(joint), joint, side);
  if (gain > 0) return true;
  chain.forEach((joint, i) => void moveTo(ordering, rowOf(joint), joint, nth(before, i)));
  return false;
}

/** Answers how many crossings fewer there are. */
function moveAside(ordering: Ordering, saved: CrossingsSaved, row: Int32Array, joint: number, side: Side): number {
  const place = at(ordering.place, joint);
  let gain = 0;
  if (side === 'left') for (let i = 0; i < place; i++) gain += saved(at(row, i), joint);
  else for (let i = place + 1; i < row.length; i++) gain += saved(joint, at(row, i));
  moveTo(ordering, row, joint, side === 'left' ? 0 : row.length - 1);
  return gain;
}
