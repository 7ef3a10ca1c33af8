import { at, listsBy } from './columns.js';
import type { Flows } from './folding.js';
import { turnedEdges } from './layered/acyclic.js';
import { type Proper, properGraph } from './layered/chains.js';
import { coordinates } from './layered/coordinates.js';
import { laneCoordinates, layerExtents } from './layered/lanes.js';
import { layersOf } from './layered/layers.js';
import { orderRows, type Rows } from './layered/order.js';
import type { LevelGraph } from './level-graph.js';
import { METRICS } from './metrics.js';

/** One level in order: what of its drawing does not depend on which modules are open. */
export interface OrderedLevel {
  readonly graph: LevelGraph;
  readonly proper: Proper;
  readonly rows: Rows;
}

export function orderLevel(graph: LevelGraph, flows: Flows): OrderedLevel {
  const { count, from, to, side } = graph;
  const turned = turnedEdges(count, from, to);
  const isForward = Array.from(turned, (is) => !is);
  const forward = (column: Int32Array) => column.filter((_, i) => isForward[i]);
  const layer = layersOf({ count, from: forward(from), to: forward(to), side });
  const share = graph.flow.map((flow) => at(flows.value, flow));
  const proper = properGraph(count, layer, { from, to, turned, share });
  return { graph, proper, rows: orderRows(proper) };
}

/** Sizes of an item across the layers, and along the flow. */
export interface Sizes {
  readonly across: Float64Array;
  readonly along: Float64Array;
}

/** A level with places: across the layers and along the flow, both from 0. */
export interface PlacedLevel extends OrderedLevel {
  readonly across: number;
  readonly along: number;
  /** The middle of each vertex. */
  readonly x: Float64Array;
  /** The upper border of each item. */
  readonly y: Float64Array;
  readonly laneX: Float64Array;
  /** Of each item, across. */
  readonly width: Float64Array;
  /** Of the gap above each layer, and of that below the last. */
  readonly gapTop: Float64Array;
  readonly gapBottom: Float64Array;
}

export function placeLevel(level: OrderedLevel, sizes: Sizes): PlacedLevel {
  const { proper, rows } = level;
  const half = new Float64Array(proper.count);
  for (let i = 0; i < proper.items; i++) half[i] = at(sizes.across, i) / 2;
  const x = coordinates(proper, rows, half);
  const laneX = laneCoordinates(proper, x, half, laneEnds(level));
  const extents = [...layerExtents(proper, x, half), ...Array.from(laneX, (l) => ({ left: l, right: l }))];
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const extent of extents) {
    left = Math.min(left, extent.left);
    right = Math.max(right, extent.right);
  }
  if (extents.length === 0) [left, right] = [0, 0];
  const { y, along, gapTop, gapBottom } = rowPlaces(level, sizes);
  const shifted = (column: Float64Array) => column.map((place) => place - left);
  return {
    ...level,
    width: sizes.across,
    across: right - left,
    along,
    x: shifted(x),
    y,
    laneX: shifted(laneX),
    gapTop,
    gapBottom,
  };
}

function laneEnds({ graph, proper }: OrderedLevel): number[][] {
  const ends: number[][] = proper.lanes.map(({ source }) => [source]);
  proper.laneOf.forEach((lane, pair) => {
    if (lane >= 0) ends[lane]?.push(at(graph.to, pair));
  });
  return ends;
}

function rowPlaces({ proper, rows }: OrderedLevel, sizes: Sizes) {
  const y = new Float64Array(proper.items);
  const gapTop = new Float64Array(proper.layers + 1);
  const gapBottom = new Float64Array(proper.layers + 1);
  const isReached = (gap: number) => proper.lanes.some(({ first, last }) => first + 1 === gap || last + 1 === gap);
  let along = 0;
  for (let l = 0; l <= proper.layers; l++) {
    gapTop[l] = along;
    const isOuter = l === 0 || l === proper.layers;
    if (!isOuter || isReached(l)) along += METRICS.layerGap;
    gapBottom[l] = along;
    if (l === proper.layers) break;
    const items = (rows[l] as Int32Array).filter((v) => v < proper.items);
    let thick = 0;
    for (const item of items) thick = Math.max(thick, at(sizes.along, item));
    for (const item of items) y[item] = along + (thick - at(sizes.along, item)) / 2;
    along += thick;
  }
  return { y, along, gapTop, gapBottom };
}

/** Pairs by the item they come from. */
export const pairsFrom = (graph: LevelGraph) => listsBy(graph.count, graph.from, undefined);
