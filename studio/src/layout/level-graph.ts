import { at } from './columns.js';
import type { Flows } from './folding.js';
import { turnedEdges } from './layered/acyclic.js';
import type { Pairs } from './layered/chains.js';
import type { Levels } from './levels.js';

/** The items of one level by place, and the pairs of them that flows join. */
export interface LevelGraph {
  readonly level: number;
  readonly count: number;
  readonly codes: Int32Array;
  readonly placeOf: ReadonlyMap<number, number>;
  /** -1: a port in the first layer, 1: one in the last. */
  readonly side: Int8Array;
  readonly pairs: Pairs;
}

/** Also notes the pair of each of the level's pieces in `pairOf`. */
export function levelGraph(levels: Levels, flows: Flows, level: number, pairOf: Int32Array): LevelGraph {
  const { codes, pieces, members } = levels;
  const placeOf = new Map<number, number>();
  const items: number[] = [];
  for (let i = at(members.start, level); i < at(members.start, level + 1); i++) place(at(members.values, i));
  const known = new Map<number, number>();
  const from: number[] = [];
  const to: number[] = [];
  const net: number[] = [];
  for (let i = at(pieces.start, level); i < at(pieces.start, level + 1); i++) {
    const piece = at(pieces.values, i);
    const [a, b] = [place(at(levels.from, piece)), place(at(levels.to, piece))];
    const key = a * 2 ** 26 + b;
    let pair = known.get(key);
    if (pair === undefined) {
      pair = from.push(a) - 1;
      to.push(b);
      net.push(at(flows.value, at(levels.flow, piece)));
      known.set(key, pair);
    }
    pairOf[piece] = pair;
  }
  const side = Int8Array.from(items, (code) => (code < codes.firstIn ? 0 : code < codes.firstOut ? -1 : 1));
  const ends = { from: Int32Array.from(from), to: Int32Array.from(to), net: Int32Array.from(net) };
  const isNode = Uint8Array.from(items, (code) => (code >= codes.firstEnd && code < codes.firstIn ? 1 : 0));
  const slots = { fromSlot: slotsByNet(ends.from, ends.net, isNode), toSlot: slotsByOrder(ends.to, isNode) };
  const turned = turnedEdges(items.length, ends.from, ends.to);
  const pairs = { count: from.length, ...ends, ...slots, turned };
  return { level, count: items.length, codes: Int32Array.from(items), placeOf, side, pairs };

  function place(code: number): number {
    const found = placeOf.get(code);
    if (found !== undefined) return found;
    placeOf.set(code, items.length);
    return items.push(code) - 1;
  }
}

/** Operands and results beyond have no order. */
export const SLOTS = 256;

/** Pairs that come to a node, in the order of its operands. What comes to a module may come in any. */
function slotsByOrder(to: Int32Array, isNode: Uint8Array): Int32Array {
  const next = new Int32Array(isNode.length);
  return to.map((item) => {
    if (!isNode[item]) return 0;
    next[item] = at(next, item) + 1;
    return Math.min(SLOTS, at(next, item)) - 1;
  });
}

/** Pairs that leave a node, by the results they carry. */
function slotsByNet(from: Int32Array, net: Int32Array, isNode: Uint8Array): Int32Array {
  const nets = new Map<number, number[]>();
  from.forEach((item, pair) => {
    if (!isNode[item]) return;
    const list = nets.get(item);
    if (!list) nets.set(item, [at(net, pair)]);
    else if (!list.includes(at(net, pair)) && list.length < SLOTS) list.push(at(net, pair));
  });
  for (const list of nets.values()) list.sort((a, b) => a - b);
  return from.map((item, pair) => Math.max(0, nets.get(item)?.indexOf(at(net, pair)) ?? 0));
}
