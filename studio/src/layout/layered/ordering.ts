import { at, forEach, real, sign } from '../columns.js';
import type { Proper } from './chains.js';

/** Left to right, what lies in each layer; and the side on which each lane runs. */
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

/** Whether the order of a row is given by hints. */
export const isFixed = (row: Int32Array, hints: Float64Array): boolean =>
  row.length > 0 && !Number.isNaN(real(hints, at(row, 0)));

const OUTSIDE = 2 ** 30;

/**
 * The places where segments and posts below a vertex, or above it, end; lanes end outside. With their slots at the vertex, and at the
 * other end.
 */
export function forEnds(
  { segments, posts, downOf, upOf }: Proper,
  { place, side }: Ordering,
  vertex: number,
  isBelow: boolean,
  visit: (end: number, slot: number, otherSlot: number) => void,
): void {
  const { up, down, upSlot, downSlot } = segments;
  const [ends, slots, otherSlots] = isBelow ? [down, upSlot, downSlot] : [up, downSlot, upSlot];
  forEach(isBelow ? downOf : upOf, vertex, (s) => visit(at(place, at(ends, s)), at(slots, s), at(otherSlots, s)));
  forEach(isBelow ? posts.below : posts.above, vertex, (post) =>
    visit(sign(side, at(posts.lane, post)) * OUTSIDE, at(posts.slot, post), 0),
  );
}
