import { at } from '../columns.js';
import { METRICS } from '../metrics.js';
import type { Lane, Proper } from './chains.js';

export interface Extent {
  left: number;
  right: number;
}

/** Where each lane runs: beside the layers that it passes and the lanes there already, short ones inside, on the nearer side. */
export function laneCoordinates(
  graph: Proper,
  x: Float64Array,
  half: Float64Array,
  ends: readonly number[][],
): Float64Array {
  const layers = layerExtents(graph, x, half);
  const gaps: Extent[] = Array.from({ length: graph.layers + 1 }, () => ({ left: 0, right: 0 }));
  const places = new Float64Array(graph.lanes.length);
  const order = graph.lanes.map((_, i) => i);
  const span = (lane: number) => spanOf(graph.lanes[lane] as Lane);
  order.sort((a, b) => span(a) - span(b) || a - b);
  for (const lane of order) {
    const { first, last } = graph.lanes[lane] as Lane;
    const passed = [...layers.slice(first + 1, last + 1), ...gaps.slice(first + 1, last + 2)];
    let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const extent of passed) {
      left = Math.min(left, extent.left);
      right = Math.max(right, extent.right);
    }
    const touched = (ends[lane] ?? []).map((vertex) => at(x, vertex));
    const isLeft = detour(touched, left) < detour(touched, right);
    const place = isLeft ? left - METRICS.lineGap : right + METRICS.lineGap;
    places[lane] = place;
    for (const extent of passed) {
      if (isLeft) extent.left = place;
      else extent.right = place;
    }
  }
  return places;
}

const spanOf = ({ first, last }: Lane): number => last - first;
const detour = (ends: readonly number[], place: number): number =>
  ends.reduce((sum, end) => sum + Math.abs(end - place), 0);

export function layerExtents(graph: Proper, x: Float64Array, half: Float64Array): Extent[] {
  const extents = Array.from({ length: graph.layers }, () => ({ left: 0, right: 0 }));
  for (let v = 0; v < graph.count; v++) {
    const extent = extents[at(graph.layer, v)] as Extent;
    extent.left = Math.min(extent.left, at(x, v) - at(half, v));
    extent.right = Math.max(extent.right, at(x, v) + at(half, v));
  }
  return extents;
}
