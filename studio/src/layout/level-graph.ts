import { at } from './columns.js';
import type { Flows } from './folding.js';
import { turnedEdges } from './layered/acyclic.js';
import { type Pairs, SLOTS } from './layered/chains.js';
import type { Levels } from './levels.js';

/** The items of one level by place, and the pairs of them connected by flows. */
export interface LevelGraph {
  readonly level: number;
  readonly count: number;
  readonly codes: Int32Array;
  readonly placeOf: ReadonlyMap<number, number>;
  /** -1: a port in the first layer, 1: one in the last. */
  readonly side: Int8Array;
  readonly pairs: Pairs;
}

/** The order in which values enter and leave a module, as its inside prefers. */
export interface PortOrder {
  /** Places by value. */
  readonly ins: ReadonlyMap<number, number>;
  readonly outs: ReadonlyMap<number, number>;
}

/** Also records the pair of each of the level's pieces in `pairOf`. Without `portsOf`, edges reach modules in any order. */
export function levelGraph(
  levels: Levels,
  flows: Flows,
  level: number,
  pairOf: Int32Array,
  portsOf?: (module: number) => PortOrder,
): LevelGraph {
  const { codes, pieces, members } = levels;
  const placeOf = new Map<number, number>();
  const items: number[] = [];
  for (let i = at(members.start, level); i < at(members.start, level + 1); i++) place(at(members.values, i));
  const known = new Map<number, number>();
  const pairs = { from: [] as number[], to: [] as number[], net: [] as number[] };
  for (let i = at(pieces.start, level); i < at(pieces.start, level + 1); i++) {
    const piece = at(pieces.values, i);
    const [a, b] = [place(at(levels.from, piece)), place(at(levels.to, piece))];
    const key = a * 2 ** 26 + b;
    let pair = known.get(key);
    if (pair === undefined) {
      pair = pairs.from.push(a) - 1;
      pairs.to.push(b);
      pairs.net.push(at(flows.value, at(levels.flow, piece)));
      known.set(key, pair);
    }
    pairOf[piece] = pair;
  }
  const from = Int32Array.from(pairs.from);
  const to = Int32Array.from(pairs.to);
  const net = Int32Array.from(pairs.net);
  const isModule = (item: number) => (items[item] ?? 0) < codes.firstEnd;
  const isPinned = Uint8Array.from(items, (_, item) => (portsOf && isModule(item) ? 1 : 0));
  const ports = items.map((code, item) => (isPinned[item] ? portsOf?.(code) : undefined));
  const slots = {
    fromSlot: slotsBy(from, (pair, item) =>
      isModule(item) ? (ports[item]?.outs.get(at(net, pair)) ?? 0) : at(net, pair),
    ),
    toSlot: slotsBy(to, (pair, item) => (isModule(item) ? (ports[item]?.ins.get(at(net, pair)) ?? 0) : pair)),
  };
  const side = Int8Array.from(items, (code) => (code < codes.firstIn ? 0 : code < codes.firstOut ? -1 : 1));
  const turned = turnedEdges(items.length, from, to);
  const all = { count: from.length, from, to, net, ...slots, turned, isPinned };
  return { level, count: items.length, codes: Int32Array.from(items), placeOf, side, pairs: all };

  function place(code: number): number {
    const found = placeOf.get(code);
    if (found !== undefined) return found;
    placeOf.set(code, items.length);
    return items.push(code) - 1;
  }
}

/** The places of pairs at their items by rank; equal ranks share a place. */
function slotsBy(items: Int32Array, rankOf: (pair: number, item: number) => number): Int32Array {
  const slots = new Int32Array(items.length);
  const pairsOf = new Map<number, number[]>();
  items.forEach((item, pair) => {
    const list = pairsOf.get(item);
    if (list) list.push(pair);
    else pairsOf.set(item, [pair]);
  });
  for (const [item, pairs] of pairsOf) {
    if (pairs.length === 1) continue;
    const ranks = [...new Set(pairs.map((pair) => rankOf(pair, item)))].sort((a, b) => a - b);
    const slotOf = new Map(ranks.map((rank, slot) => [rank, Math.min(slot, SLOTS - 1)]));
    for (const pair of pairs) slots[pair] = slotOf.get(rankOf(pair, item)) ?? 0;
  }
  return slots;
}
