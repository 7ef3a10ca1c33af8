import type { Boxes, Edges } from '../../graph/picture.js';

/** The bounding boxes of many items, as columns. */
export interface Extents {
  readonly count: number;
  readonly left: Float32Array;
  readonly top: Float32Array;
  readonly right: Float32Array;
  readonly bottom: Float32Array;
}

const empty = (count: number): Extents => ({
  count,
  left: new Float32Array(count),
  top: new Float32Array(count),
  right: new Float32Array(count),
  bottom: new Float32Array(count),
});

export function extentsOfBoxes({ count, x, y, width, height }: Boxes): Extents {
  const { right, bottom } = empty(count);
  for (let i = 0; i < count; i++) {
    right[i] = (x[i] as number) + (width[i] as number);
    bottom[i] = (y[i] as number) + (height[i] as number);
  }
  return { count, left: x, top: y, right, bottom };
}

export function extentsOfEdges({ count, start, corners }: Edges): Extents {
  const extents = empty(count);
  for (let i = 0; i < count; i++)
    if ((start[i] as number) < (start[i + 1] as number))
      surround(extents, i, corners, start[i] as number, start[i + 1] as number);
  return extents;
}

function surround({ left, top, right, bottom }: Extents, i: number, corners: Float32Array, from: number, to: number) {
  let x0 = Number.POSITIVE_INFINITY;
  let y0 = x0;
  let x1 = -x0;
  let y1 = -x0;
  for (let k = from; k < to; k++) {
    const x = corners[2 * k] as number;
    const y = corners[2 * k + 1] as number;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
  }
  left[i] = x0;
  top[i] = y0;
  right[i] = x1;
  bottom[i] = y1;
}
