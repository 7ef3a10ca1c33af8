import { int64s, plain } from './array.js';
import {
  float,
  int,
  listed,
  maybe,
  type Reference,
  type ReferenceNode,
  type References,
  tensor,
  text,
} from './definition.js';

interface Box {
  readonly low: readonly [number, number];
  readonly high: readonly [number, number];
}

/** Corners in any order, or a centre and sizes. */
function boxOf(data: readonly number[], start: number, isCentre: boolean): Box {
  const [a, b, c, d] = data.slice(start, start + 4) as [number, number, number, number];
  if (isCentre) return { low: [a - c / 2, b - d / 2], high: [a + c / 2, b + d / 2] };
  return { low: [Math.min(a, c), Math.min(b, d)], high: [Math.max(a, c), Math.max(b, d)] };
}

const areaOf = ({ low, high }: Box): number => (high[0] - low[0]) * (high[1] - low[1]);

function overlap(a: Box, b: Box): number {
  const side = (axis: 0 | 1) => Math.max(0, Math.min(a.high[axis], b.high[axis]) - Math.max(a.low[axis], b.low[axis]));
  const common = side(0) * side(1);
  const union = areaOf(a) + areaOf(b) - common;
  return union > 0 ? common / union : 0;
}

const first = (node: ReferenceNode, i: number): number | undefined => maybe(node, i) && Number(tensor(node, i).data[0]);

const NonMaxSuppression: Reference = (node) => {
  const [boxes, scores] = [tensor(node, 0), tensor(node, 1)];
  const [batch, classes, count] = scores.dims as [number, number, number];
  const most = first(node, 2) ?? 0;
  const [mostOverlap, leastScore] = [first(node, 3) ?? 0, first(node, 4)];
  const isCentre = int(node, 'center_point_box', 0) !== 0;
  const found: number[] = [];
  for (let b = 0; b < batch; b++) {
    const own = Array.from({ length: count }, (_, i) => boxOf(boxes.data as number[], (b * count + i) * 4, isCentre));
    for (let c = 0; c < classes; c++) {
      const score = (i: number) => scores.data[(b * classes + c) * count + i] as number;
      const order = Array.from(own.keys())
        .filter((i) => leastScore === undefined || score(i) > leastScore)
        .sort((i, j) => score(j) - score(i) || i - j);
      const kept: number[] = [];
      for (const i of order) {
        if (kept.length >= most) break;
        if (kept.every((k) => overlap(own[k] as Box, own[i] as Box) <= mostOverlap)) kept.push(i);
      }
      found.push(...kept.flatMap((i) => [b, c, i]));
    }
  }
  return [int64s(found, [found.length / 3, 3])];
};

/** Bilinear, 0 more than a pixel outside. */
function corners(y: number, x: number, height: number, width: number): readonly (readonly [number, number])[] {
  if (y < -1 || y > height || x < -1 || x > width) return [];
  const along = (at: number, size: number) => {
    const inside = Math.min(Math.max(at, 0), size - 1);
    const low = Math.floor(inside);
    return { low, high: Math.min(low + 1, size - 1), rest: inside - low };
  };
  const [v, h] = [along(y, height), along(x, width)];
  return [
    [v.low * width + h.low, (1 - v.rest) * (1 - h.rest)],
    [v.low * width + h.high, (1 - v.rest) * h.rest],
    [v.high * width + h.low, v.rest * (1 - h.rest)],
    [v.high * width + h.high, v.rest * h.rest],
  ];
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);

const isInverted = (rois: readonly number[]): boolean =>
  rois.some((start, i) => i % 4 < 2 && start >= (rois[i + 2] as number));

/** Regions without an area are left out. */
const RoiAlign: Reference = (node) => {
  const [x, rois] = [tensor(node, 0), tensor(node, 1)];
  const batches = listed(node, 2) as readonly number[];
  const [, channels, height, width] = x.dims as [number, number, number, number];
  const [outHeight, outWidth] = [int(node, 'output_height', 1), int(node, 'output_width', 1)];
  const ratio = int(node, 'sampling_ratio', 0);
  const scale = float(node, 'spatial_scale', 1);
  const isHalf = node.opset >= 16 && text(node, 'coordinate_transformation_mode', 'half_pixel') === 'half_pixel';
  const isMax = text(node, 'mode', 'avg') === 'max';
  const out: number[] = [];
  if (isInverted(rois.data as number[])) return undefined;
  batches.forEach((batch, roi) => {
    const shift = isHalf ? 0.5 : 0;
    const [left, top, right, bottom] = (rois.data as number[])
      .slice(roi * 4, roi * 4 + 4)
      .map((at) => at * scale - shift) as [number, number, number, number];
    const least = isHalf ? Number.NEGATIVE_INFINITY : 1;
    const cellHeight = Math.max(bottom - top, least) / outHeight;
    const cellWidth = Math.max(right - left, least) / outWidth;
    const [rows, columns] = [ratio || Math.ceil(cellHeight), ratio || Math.ceil(cellWidth)];
    for (let c = 0; c < channels; c++) {
      const plane = (batch * channels + c) * height * width;
      for (let cell = 0; cell < outHeight * outWidth; cell++) {
        const cellTop = top + Math.floor(cell / outWidth) * cellHeight;
        const cellLeft = left + (cell % outWidth) * cellWidth;
        const samples = Array.from({ length: rows * columns }, (_, i) => {
          const y = cellTop + ((Math.floor(i / columns) + 0.5) * cellHeight) / rows;
          const at = cellLeft + (((i % columns) + 0.5) * cellWidth) / columns;
          const terms = corners(y, at, height, width).map(
            ([pixel, weight]) => weight * (x.data[plane + pixel] as number),
          );
          return isMax ? Math.max(...(terms.length ? terms : [0])) : terms.reduce((a, b) => a + b, 0);
        });
        out.push(isMax ? Math.max(...samples) : mean(samples));
      }
    }
  });
  return [plain(x.type, [batches.length, channels, outHeight, outWidth], out)];
};

export const DETECTION: References = { NonMaxSuppression, RoiAlign };
