import { at, real, sign } from '../columns.js';
import { type Proper, SLOTS } from './chains.js';

/** The vertices of each layer from left to right, and the side of each lane. */
export interface Ordering {
  readonly rows: readonly Int32Array[];
  readonly place: Int32Array;
  /** -1: on the left, 1: on the right. */
  readonly side: Int8Array;
}

export const copyOf = ({ rows, place, side }: Ordering): Ordering => ({
  rows: rows.map((row) => row.slice()),
  place: place.slice(),
  side: side.slice(),
});

export function numberRow({ place }: Ordering, row: Int32Array): void {
  for (let i = 0; i < row.length; i++) place[at(row, i)] = i;
}

/** Moves a vertex to another place in its row. */
export function moveTo({ place }: Ordering, row: Int32Array, vertex: number, to: number): void {
  const from = at(place, vertex);
  if (to < from) row.copyWithin(to + 1, to, from);
  else row.copyWithin(from, from + 1, to + 1);
  row[to] = vertex;
  for (let i = Math.min(from, to); i <= Math.max(from, to); i++) place[at(row, i)] = i;
}

/** Whether hints determine the order of a row. */
export const isFixed = (row: Int32Array, hints: Float64Array): boolean =>
  row.length > 0 && !Number.isNaN(real(hints, at(row, 0)));

const OUTSIDE = 2 ** 40;

/**
 * Visits the ends of segments and posts below (or above) a vertex, with their slots at the vertex. Ends are in slots, SLOTS per
 * place: whole slots at pinned items, fractions at others. Lanes end outside.
 */
export function forEnds(
  { segments, posts, downOf, upOf, isPinned }: Proper,
  { place, side }: Ordering,
  vertex: number,
  isBelow: boolean,
  visit: (end: number, slot: number) => void,
): void {
  const lists = isBelow ? downOf : upOf;
  const ends = isBelow ? segments.down : segments.up;
  const own = isBelow ? segments.upSlot : segments.downSlot;
  const other = isBelow ? segments.downSlot : segments.upSlot;
  for (let i = at(lists.start, vertex); i < at(lists.start, vertex + 1); i++) {
    const s = at(lists.values, i);
    const end = at(ends, s);
    const slot = at(other, s);
    visit(at(place, end) * SLOTS + (isPinned[end] ? slot : slot / SLOTS), at(own, s));
  }
  const reached = isBelow ? posts.below : posts.above;
  for (let i = at(reached.start, vertex); i < at(reached.start, vertex + 1); i++) {
    const post = at(reached.values, i);
    visit(sign(side, at(posts.lane, post)) * OUTSIDE, at(posts.slot, post));
  }
}
