import { at, sign } from './columns.js';
import { SLOTS } from './layered/chains.js';
import type { LevelGraph, PortOrder } from './level-graph.js';
import type { OrderedLevel } from './level-layout.js';
import type { Levels } from './levels.js';

/** The order of a level's ports by their connections in the level around; NaN for everything else. */
export function portHints(levels: Levels, inside: LevelGraph, around: OrderedLevel, pairOf: Int32Array): Float64Array {
  const places = inside.codes.reduce((map, code, item) => map.set(code, item), new Map<number, number>());
  const met = new Map<number, number[]>();
  const note = (code: number, piece: number, isIn: boolean) => {
    if (code < levels.codes.firstIn) return;
    const item = places.get(code) as number;
    const known = met.get(item);
    const place = outerPlace(around, at(pairOf, piece), isIn);
    if (known) known.push(place);
    else met.set(item, [place]);
  };
  const { start, values } = levels.pieces;
  for (let i = at(start, inside.level); i < at(start, inside.level + 1); i++) {
    const piece = at(values, i);
    note(at(levels.from, piece), piece - 1, true);
    note(at(levels.to, piece), piece + 1, false);
  }
  return ranked(inside.count, met);
}

/** Ranks numbers by the mean of their entries, from 0. */
function ranked(count: number, met: ReadonlyMap<number, readonly number[]>): Float64Array {
  const ranks = new Float64Array(count).fill(Number.NaN);
  const mean = (places: readonly number[]) => places.reduce((sum, place) => sum + place, 0) / places.length;
  const means = [...met].map(([item, places]) => [item, mean(places)] as const);
  means.sort(([a, x], [b, y]) => x - y || a - b);
  means.forEach(([item], rank) => {
    ranks[item] = rank;
  });
  return ranks;
}

const OUTSIDE = 2 ** 30;

/** Where a pair ends next to an item: left or right of everything, or by place and slot. */
function outerPlace({ graph, proper, ordering }: OrderedLevel, pair: number, isIn: boolean): number {
  const lane = at(proper.laneOf, pair);
  if (lane >= 0) return sign(ordering.side, lane) * OUTSIDE;
  const [begin, end] = [at(proper.chainStart, pair), at(proper.chainStart, pair + 1)];
  if (begin < end) return at(ordering.place, at(proper.chain, isIn ? end - 1 : begin));
  const { from, to, fromSlot, toSlot } = graph.pairs;
  const [other, slot] = isIn ? [from, fromSlot] : [to, toSlot];
  return at(ordering.place, at(other, pair)) + at(slot, pair) / SLOTS;
}

/** The port order that a module's inside prefers. */
export function portOrder({ graph, ordering }: OrderedLevel, { codes }: Levels): PortOrder {
  const ins = new Map<number, number>();
  const outs = new Map<number, number>();
  graph.codes.forEach((code, item) => {
    if (code >= codes.firstOut) outs.set(code - codes.firstOut, at(ordering.place, item));
    else if (code >= codes.firstIn) ins.set(code - codes.firstIn, at(ordering.place, item));
  });
  return { ins, outs };
}
