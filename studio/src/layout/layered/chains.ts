import { at, type Lists, listsBy } from '../columns.js';
import { METRICS } from '../metrics.js';

/** Edges between items, one per pair of items. */
export interface Pairs {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Pairs with the same source and the same number share joints and lanes. */
  readonly net: Int32Array;
  /** Whether the pair runs against the order of the layers. */
  readonly turned: Uint8Array;
  /** Place among the edges that leave `from`, and among those that enter `to`; irrelevant if all are equal. */
  readonly fromSlot: Int32Array;
  readonly toSlot: Int32Array;
  /** Items whose edges must keep their slot order: breaking it costs as much as a crossing, as it causes one inside. */
  readonly isPinned: Uint8Array;
}

/** Upper bound on the slots of an item. */
export const SLOTS = 256;

/**
 * A layered graph whose segments all join neighbouring layers. Items come first, then the joints of edges over several layers.
 * Longer edges run in lanes, which have no joints: posts are where they leave and reach items.
 */
export interface Proper {
  readonly items: number;
  readonly count: number;
  readonly layers: number;
  readonly layer: Int32Array;
  readonly isPinned: Uint8Array;
  readonly segments: Segments;
  /** Segments by their upper end, and by their lower end. */
  readonly downOf: Lists;
  readonly upOf: Lists;
  /** The joints of pair i, top to bottom, are from chainStart[i] to chainStart[i + 1]. */
  readonly chainStart: Int32Array;
  readonly chain: Int32Array;
  /** The lane of each pair, or -1. */
  readonly laneOf: Int32Array;
  readonly lanes: readonly Lane[];
  readonly posts: Posts;
}

export interface Segments {
  readonly up: Int32Array;
  readonly down: Int32Array;
  readonly upSlot: Int32Array;
  readonly downSlot: Int32Array;
}

/** Shared by all long edges of an item with the same net. Gap i is above layer i. */
export interface Lane {
  readonly source: number;
  firstGap: number;
  lastGap: number;
}

/** Ends of lanes, in the gap below or above a vertex. */
export interface Posts {
  readonly lane: Int32Array;
  readonly vertex: Int32Array;
  readonly slot: Int32Array;
  readonly isBelow: Uint8Array;
  readonly below: Lists;
  readonly above: Lists;
}

/** Chains keep long edges straighter, but take a joint per layer passed: limits all joints to JOINTS_EACH per item. */
function longestChain(layer: Int32Array, { count, from, to }: Pairs): number {
  for (const limit of METRICS.longestChains) {
    let joints = 0;
    for (let pair = 0; pair < count; pair++) {
      const span = at(layer, at(to, pair)) - at(layer, at(from, pair));
      if (span > 1 && span <= limit) joints += span - 1;
    }
    if (joints <= JOINTS_EACH * layer.length) return limit;
  }
  return METRICS.longestChains.at(-1) ?? 1;
}

const JOINTS_EACH = 4;

export function properGraph(layerOfItem: Int32Array, pairs: Pairs): Proper {
  const items = layerOfItem.length;
  const layer = Array.from(layerOfItem);
  const longest = longestChain(layerOfItem, pairs);
  const joints = new Map<number, number>();
  const draft = { up: [], down: [], upSlot: [], downSlot: [] } as Record<keyof Segments, number[]>;
  const chain: number[] = [];
  const chainStart = new Int32Array(pairs.count + 1);
  const laneOf = new Int32Array(pairs.count).fill(-1);
  const lanes = laneDraft();
  for (let pair = 0; pair < pairs.count; pair++) {
    const [from, to] = [at(pairs.from, pair), at(pairs.to, pair)];
    const [top, bottom] = [at(layerOfItem, from), at(layerOfItem, to)];
    if (pairs.turned[pair] || bottom <= top || bottom - top > longest)
      laneOf[pair] = lanes.add(pairs, pair, top + 1, bottom);
    else addChain(pair, top, bottom);
    chainStart[pair + 1] = chain.length;
  }
  const count = layer.length;
  const segments = frozen(draft);
  const isPinned = new Uint8Array(count);
  isPinned.set(pairs.isPinned);
  return {
    ...{ items, count, layers: layer.reduce((most, l) => Math.max(most, l + 1), 0), layer: Int32Array.from(layer) },
    ...{ isPinned, segments, downOf: listsBy(count, segments.up), upOf: listsBy(count, segments.down) },
    ...{ chainStart, chain: Int32Array.from(chain), laneOf, lanes: lanes.all, posts: lanes.posts(count) },
  };

  function addChain(pair: number, top: number, bottom: number): void {
    let above = at(pairs.from, pair);
    for (let l = top + 1; l < bottom; l++) {
      above = joint(pair, above, l);
      chain.push(above);
    }
    join(above, at(pairs.to, pair), pair, at(pairs.toSlot, pair));
  }

  function joint(pair: number, above: number, l: number): number {
    const from = at(pairs.from, pair);
    const key = (from * 2 ** 24 + at(pairs.net, pair)) * 64 + l - at(layerOfItem, from);
    const known = joints.get(key);
    if (known !== undefined) return known;
    const made = layer.push(l) - 1;
    joints.set(key, made);
    join(above, made, pair, 0);
    return made;
  }

  function join(above: number, below: number, pair: number, slot: number): void {
    draft.up.push(above);
    draft.down.push(below);
    draft.upSlot.push(above < items ? at(pairs.fromSlot, pair) : 0);
    draft.downSlot.push(slot);
  }
}

const frozen = (draft: Record<keyof Segments, number[]>): Segments => ({
  up: Int32Array.from(draft.up),
  down: Int32Array.from(draft.down),
  upSlot: Int32Array.from(draft.upSlot),
  downSlot: Int32Array.from(draft.downSlot),
});

function laneDraft() {
  const all: Lane[] = [];
  const known = new Map<number, number>();
  const lane: number[] = [];
  const vertex: number[] = [];
  const slot: number[] = [];
  const isBelow: number[] = [];
  const post = (...[l, v, s, below]: [number, number, number, number]) => {
    lane.push(l);
    vertex.push(v);
    slot.push(s);
    isBelow.push(below);
  };
  return { all, add, posts };

  function add(pairs: Pairs, pair: number, leaves: number, reaches: number): number {
    const source = at(pairs.from, pair);
    const key = source * 2 ** 24 + at(pairs.net, pair);
    let index = known.get(key);
    if (index === undefined) {
      index = all.push({ source, firstGap: leaves, lastGap: leaves }) - 1;
      known.set(key, index);
      post(index, source, at(pairs.fromSlot, pair), 1);
    }
    post(index, at(pairs.to, pair), at(pairs.toSlot, pair), 0);
    const it = all[index] as Lane;
    it.firstGap = Math.min(it.firstGap, reaches);
    it.lastGap = Math.max(it.lastGap, reaches);
    return index;
  }

  function posts(count: number): Posts {
    const columns = { lane: Int32Array.from(lane), vertex: Int32Array.from(vertex), slot: Int32Array.from(slot) };
    const below = listsBy(
      count,
      columns.vertex.map((v, i) => (isBelow[i] ? v : -1)),
    );
    const above = listsBy(
      count,
      columns.vertex.map((v, i) => (isBelow[i] ? -1 : v)),
    );
    return { ...columns, isBelow: Uint8Array.from(isBelow), below, above };
  }
}
