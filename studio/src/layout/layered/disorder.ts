import { nth } from '../columns.js';
import type { Proper } from './chains.js';
import { forEnds, type Ordering } from './ordering.js';

/** Wider fans have no order worth keeping. */
const WIDEST = 16;

/** The number of edge pairs at an item that are out of operand or result order. */
export function disorder(graph: Proper, ordering: Ordering): number {
  let pairs = 0;
  for (let item = 0; item < graph.items; item++)
    if (!graph.isPinned[item])
      pairs += disorderAt(graph, ordering, item, true) + disorderAt(graph, ordering, item, false);
  return pairs;
}

function disorderAt(graph: Proper, ordering: Ordering, item: number, isBelow: boolean): number {
  const ends: number[] = [];
  const slots: number[] = [];
  forEnds(graph, ordering, item, isBelow, (end, slot) => {
    ends.push(end);
    slots.push(slot);
  });
  if (ends.length > WIDEST) return 0;
  let pairs = 0;
  for (let i = 0; i < ends.length; i++)
    for (let k = 0; k < i; k++) if ((nth(ends, i) - nth(ends, k)) * (nth(slots, i) - nth(slots, k)) < 0) pairs++;
  return pairs;
}
