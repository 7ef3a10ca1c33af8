import { at, real, sign } from '../columns.js';
import { METRICS } from '../metrics.js';
import type { Proper } from './chains.js';
import type { Ordering } from './ordering.js';
import type { Reach } from './push.js';
import { shortFirst } from './sides.js';

interface Extent {
  left: number;
  right: number;
}

/** The coordinate of each lane: beside the layers that it passes and the lanes placed before, short lanes innermost. */
export function laneCoordinates(graph: Proper, { side }: Ordering, x: Float64Array, reach: Reach): Float64Array {
  const { lanes, layers } = graph;
  const places = new Float64Array(lanes.length);
  const outside = { left: Number.POSITIVE_INFINITY, right: Number.NEGATIVE_INFINITY };
  const extents = Array.from({ length: 2 * layers + 1 }, (): Extent => ({ ...outside }));
  for (let v = 0; v < graph.count; v++) widen(extents[2 * at(graph.layer, v) + 1] as Extent, real(x, v), v, reach);
  for (const lane of shortFirst(lanes)) {
    const { firstGap = 0, lastGap = 0, source = 0 } = lanes[lane] ?? {};
    const isLeft = sign(side, lane) < 0;
    let bound = real(x, source);
    for (let i = 2 * firstGap; i <= 2 * lastGap; i++) {
      const extent = extents[i] as Extent;
      bound = isLeft ? Math.min(bound, extent.left) : Math.max(bound, extent.right);
    }
    places[lane] = isLeft ? bound - METRICS.lineGap : bound + METRICS.lineGap;
    for (let i = 2 * firstGap; i <= 2 * lastGap; i++) {
      const extent = extents[i] as Extent;
      if (isLeft) extent.left = Math.min(extent.left, real(places, lane));
      else extent.right = Math.max(extent.right, real(places, lane));
    }
  }
  return places;
}

function widen(extent: Extent, x: number, vertex: number, { left, right }: Reach): void {
  extent.left = Math.min(extent.left, x - real(left, vertex));
  extent.right = Math.max(extent.right, x + real(right, vertex));
}
