import { at } from '../columns.js';
import { METRICS } from '../metrics.js';

/** A layered graph all of whose segments join neighbouring layers. Items come first, then the joints of edges over several layers. */
export interface Proper {
  readonly items: number;
  readonly count: number;
  readonly layers: number;
  readonly layer: Int32Array;
  readonly up: Int32Array;
  readonly down: Int32Array;
  /** The joints of pair i, downwards, from chainStart[i] to chainStart[i + 1]. */
  readonly chainStart: Int32Array;
  readonly chain: Int32Array;
  /** The lane of each pair, or -1. */
  readonly laneOf: Int32Array;
  readonly lanes: readonly Lane[];
}

/** A line beside the graph, between the layers that it passes: one for all long edges of an item with the same value. */
export interface Lane {
  readonly source: number;
  /** Gaps that it reaches; gap i is below layer i. */
  first: number;
  last: number;
}

export interface Pairs {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly turned: Uint8Array;
  /** Pairs of one source and the same number share joints and lanes. */
  readonly share: Int32Array;
}

export function properGraph(items: number, layerOf: Int32Array, pairs: Pairs): Proper {
  const layer: number[] = Array.from(layerOf);
  const up: number[] = [];
  const down: number[] = [];
  const chain: number[] = [];
  const chainStart = new Int32Array(pairs.from.length + 1);
  const laneOf = new Int32Array(pairs.from.length).fill(-1);
  const lanes: Lane[] = [];
  const laneBy = new Map<string, number>();
  const jointBy = new Map<string, number>();
  for (let pair = 0; pair < pairs.from.length; pair++) {
    const [a, b] = [at(pairs.from, pair), at(pairs.to, pair)];
    const [top, bottom] = [at(layerOf, a), at(layerOf, b)];
    const share = `${a}:${at(pairs.share, pair)}`;
    if (pairs.turned[pair] || bottom <= top || bottom - top > METRICS.longestChain) {
      laneOf[pair] = lane(a, share, top, bottom - 1);
    } else {
      let above = a;
      for (let l = top + 1; l < bottom; l++) {
        above = joint(`${share}:${l}`, above, l);
        chain.push(above);
      }
      up.push(above);
      down.push(b);
    }
    chainStart[pair + 1] = chain.length;
  }
  const layers = layer.reduce((most, l) => Math.max(most, l + 1), 0);
  const columns = { layer: Int32Array.from(layer), up: Int32Array.from(up), down: Int32Array.from(down) };
  return { items, count: layer.length, layers, ...columns, chainStart, chain: Int32Array.from(chain), laneOf, lanes };

  function joint(key: string, above: number, l: number): number {
    const found = jointBy.get(key);
    if (found !== undefined) return found;
    const made = layer.push(l) - 1;
    jointBy.set(key, made);
    up.push(above);
    down.push(made);
    return made;
  }

  function lane(source: number, key: string, from: number, to: number): number {
    const found = laneBy.get(key) ?? lanes.push({ source, first: from, last: from }) - 1;
    laneBy.set(key, found);
    const it = lanes[found] as Lane;
    it.first = Math.min(it.first, to);
    it.last = Math.max(it.last, to);
    return found;
  }
}
