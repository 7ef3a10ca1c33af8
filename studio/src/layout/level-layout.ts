import { real } from './columns.js';
import { type Blocks, blocksOf } from './layered/blocks.js';
import { type Pairs, type Proper, properGraph } from './layered/chains.js';
import { restingPlaces } from './layered/coordinates.js';
import { laneCoordinates } from './layered/lanes.js';
import { layersOf } from './layered/layers.js';
import { orderLayers } from './layered/order.js';
import type { Ordering } from './layered/ordering.js';
import { pushApart, type Reach } from './layered/push.js';
import type { LevelGraph } from './level-graph.js';
import { memo } from './memo.js';
import { METRICS } from './metrics.js';

/** An ordered level: the part of its drawing that doesn't depend on which modules are open. */
export interface OrderedLevel extends Order {
  readonly graph: LevelGraph;
}

interface Order {
  readonly proper: Proper;
  readonly ordering: Ordering;
  readonly blocks: Blocks;
  readonly resting: (across: Float64Array) => Resting;
}

/** The places of blocks with all modules closed, and half the size of each vertex then. */
interface Resting {
  readonly half: Float64Array;
  readonly x: Float64Array;
}

/** Orders levels, identical ones only once, as with repeated blocks. */
export function levelOrderer(): (graph: LevelGraph, hints: Float64Array) => OrderedLevel {
  const ordered = memo(lookOf, orderOf);
  return (graph, hints) => ({ graph, ...ordered({ graph, hints }) });
}

/** `hints`: the order of ports by their connections outside; NaN for everything else. */
interface Unordered {
  readonly graph: LevelGraph;
  readonly hints: Float64Array;
}

/** A key of everything that determines the order. */
function lookOf({ graph: { side, pairs }, hints }: Unordered): string {
  const { from, to, net, fromSlot, toSlot, isPinned } = pairs;
  const places = new Map<number, number>();
  const nets = net.map((value) => {
    const place = places.get(value) ?? places.size;
    places.set(value, place);
    return place;
  });
  return [side, from, to, fromSlot, toSlot, nets, isPinned, hints].join(';');
}

function orderOf({ graph, hints }: Unordered): Order {
  const layer = layersOf({ count: graph.count, side: graph.side, ...forward(graph.pairs) });
  const proper = properGraph(layer, graph.pairs);
  const everyHint = new Float64Array(proper.count).fill(Number.NaN);
  everyHint.set(hints);
  const ordering = orderLayers(proper, everyHint);
  const blocks = blocksOf(proper, ordering);
  const resting = memo(String, (across: Float64Array) => restingOf(proper, blocks, across));
  return { proper, ordering, blocks, resting };
}

function forward({ from, to, turned }: Pairs) {
  const kept = (column: Int32Array) => column.filter((_, pair) => !turned[pair]);
  return { from: kept(from), to: kept(to) };
}

function restingOf(proper: Proper, blocks: Blocks, across: Float64Array): Resting {
  const half = new Float64Array(proper.count);
  for (let i = 0; i < proper.items; i++) half[i] = real(across, i) / 2;
  return { half, x: restingPlaces(proper, blocks, half) };
}

/** The extents of items: left and right of their line, and along the flow. */
export interface Sizes extends Reach {
  readonly along: Float64Array;
}

/** A level with coordinates across the layers and along the flow, both from 0. */
export interface PlacedLevel extends OrderedLevel {
  readonly sizes: Sizes;
  readonly across: number;
  readonly along: number;
  /** The line through each vertex. */
  readonly x: Float64Array;
  /** The upper edge of each item. */
  readonly y: Float64Array;
  readonly laneX: Float64Array;
  /** The top of the gap above each layer, and of the one below the last. */
  readonly gapTop: Float64Array;
  readonly gapBottom: Float64Array;
}

export function placeLevel(level: OrderedLevel, resting: Resting, sizes: Sizes): PlacedLevel {
  const { proper, ordering, blocks } = level;
  const blockX = pushApart(blocks, resting.x, resting.half, sizes);
  const x = Float64Array.from(blocks.of, (block) => real(blockX, block));
  const laneX = laneCoordinates(proper, ordering, x, sizes);
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const widen = (from: number, to: number) => {
    left = Math.min(left, from);
    right = Math.max(right, to);
  };
  x.forEach((place, v) => {
    widen(place - real(sizes.left, v), place + real(sizes.right, v));
  });
  for (const place of laneX) widen(place, place);
  if (x.length === 0) widen(0, 0);
  const shifted = (column: Float64Array) => column.map((place) => place - left);
  return {
    ...level,
    sizes,
    across: right - left,
    ...alongFlow(level, sizes.along),
    x: shifted(x),
    laneX: shifted(laneX),
  };
}

/** Stacks layers, each as thick as its items, which are centred in it. */
function alongFlow({ proper, ordering }: OrderedLevel, thickness: Float64Array) {
  const y = new Float64Array(proper.items);
  const gapTop = new Float64Array(proper.layers + 1);
  const gapBottom = new Float64Array(proper.layers + 1);
  const isReached = (gap: number) => proper.lanes.some(({ firstGap, lastGap }) => firstGap === gap || lastGap === gap);
  let along = 0;
  for (let l = 0; l <= proper.layers; l++) {
    gapTop[l] = along;
    const isOutermost = l === 0 || l === proper.layers;
    if (!isOutermost || isReached(l)) along += METRICS.layerGap;
    gapBottom[l] = along;
    const row = ordering.rows[l] ?? new Int32Array(0);
    let thick = 0;
    for (const v of row) if (v < proper.items) thick = Math.max(thick, real(thickness, v));
    for (const v of row) if (v < proper.items) y[v] = along + (thick - real(thickness, v)) / 2;
    along += thick;
  }
  return { y, along, gapTop, gapBottom };
}
