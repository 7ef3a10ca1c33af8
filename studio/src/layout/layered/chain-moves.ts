import { at } from '../columns.js';
import type { Proper } from './chains.js';
import { numberRow, type Ordering } from './ordering.js';

type CountGap = (ordering: Ordering, layer: number) => number;

const SHORTEST = 2;

/** Tries for each long edge whether less crosses with the whole of it on the left, or on the right, of its layers; one joint after the other never gets there. */
export function moveChains(graph: Proper, ordering: Ordering, countBelow: CountGap): void {
  for (let pair = 0; pair + 1 < graph.chainStart.length; pair++) {
    const chain = graph.chain.subarray(at(graph.chainStart, pair), at(graph.chainStart, pair + 1));
    if (chain.length < SHORTEST) continue;
    const first = at(graph.layer, at(chain, 0)) - 1;
    const last = first + chain.length;
    const cost = () => {
      let sum = 0;
      for (let l = first; l <= last; l++) sum += countBelow(ordering, l);
      return sum;
    };
    const before = cost();
    if (before === 0) continue;
    const kept = rowsOf(graph, ordering, chain).map((row) => row.slice());
    for (const isLeft of [true, false]) {
      for (const joint of chain) moveAside(graph, ordering, joint, isLeft);
      if (cost() < before) break;
      rowsOf(graph, ordering, chain).forEach((row, i) => {
        row.set(kept[i] as Int32Array);
        numberRow(ordering, row);
      });
    }
  }
}

const rowsOf = ({ layer }: Proper, { rows }: Ordering, chain: Int32Array): Int32Array[] =>
  Array.from(chain, (joint) => rows[at(layer, joint)] as Int32Array);

function moveAside({ layer }: Proper, ordering: Ordering, joint: number, isLeft: boolean): void {
  const row = ordering.rows[at(layer, joint)] as Int32Array;
  const place = at(ordering.place, joint);
  if (isLeft) row.copyWithin(1, 0, place);
  else row.copyWithin(place, place + 1);
  row[isLeft ? 0 : row.length - 1] = joint;
  numberRow(ordering, row);
}
