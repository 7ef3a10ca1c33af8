import { at } from './columns.js';
import type { Levels } from './levels.js';

/** The items of one level by place, and what joins them: a pair once, however many values flow. */
export interface LevelGraph {
  readonly count: number;
  readonly codes: Int32Array;
  /** The layer of an item that has to be in one: the first, where values come in, or the last. */
  readonly side: Int8Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Pairs by their pieces: pairOf[i] of the level's i-th piece. */
  readonly pairOf: Int32Array;
  /** The first flow of each pair. */
  readonly flow: Int32Array;
}

export const Side = { first: -1, any: 0, last: 1 } as const;

export function levelGraph(levels: Levels, level: number): LevelGraph {
  const { codes, ofLevel, members } = levels;
  const places = new Map<number, number>();
  const items: number[] = [];
  const place = (code: number): number => {
    const found = places.get(code);
    if (found !== undefined) return found;
    places.set(code, items.length);
    return items.push(code) - 1;
  };
  for (let i = at(members.start, level); i < at(members.start, level + 1); i++) place(at(members.values, i));
  const begin = at(ofLevel.start, level);
  const pairOf = new Int32Array(at(ofLevel.start, level + 1) - begin);
  const pairs = new Map<number, number>();
  const from: number[] = [];
  const to: number[] = [];
  const flow: number[] = [];
  for (let i = 0; i < pairOf.length; i++) {
    const piece = at(ofLevel.values, begin + i);
    const [a, b] = [place(at(levels.from, piece)), place(at(levels.to, piece))];
    const key = a * 2 ** 26 + b;
    let pair = pairs.get(key);
    if (pair === undefined) {
      pair = from.push(a) - 1;
      to.push(b);
      flow.push(at(levels.flow, piece));
      pairs.set(key, pair);
    }
    pairOf[i] = pair;
  }
  const side = Int8Array.from(items, (code) =>
    code < codes.firstIn ? Side.any : code < codes.firstOut ? Side.first : Side.last,
  );
  const columns = { from: Int32Array.from(from), to: Int32Array.from(to), flow: Int32Array.from(flow) };
  return { count: items.length, codes: Int32Array.from(items), side, ...columns, pairOf };
}
