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

interface Plane {
  readonly start: number;
  readonly height: number;
  readonly width: number;
}

/** The four pixels around a point, each times its weight; none more than a pixel outside. */
function cornersAt(data: readonly number[], { start, height, width }: Plane, y: number, x: number): number[] {
  if (y < -1 || y > height || x < -1 || x > width) return [];
  const along = (at: number, size: number) => {
    const inside = Math.min(Math.max(at, 0), size - 1);
    const low = Math.floor(inside);
    return { low, high: Math.min(low + 1, size - 1), rest: inside - low };
  };
  const [v, h] = [along(y, height), along(x, width)];
  const pixel = (row: number, column: number) => data[start + row * width + column] as number;
  return [
    pixel(v.low, h.low) * (1 - v.rest) * (1 - h.rest),
    pixel(v.low, h.high) * (1 - v.rest) * h.rest,
    pixel(v.high, h.low) * v.rest * (1 - h.rest),
    pixel(v.high, h.high) * v.rest * h.rest,
  ];
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

interface Pooling {
  /** What the corners of one sample make. */
  readonly sample: (corners: readonly number[]) => number;
  readonly cell: (samples: readonly number[]) => number;
}

const AVERAGE: Pooling = { sample: sum, cell: (samples) => sum(samples) / Math.max(1, samples.length) };
const MAXIMUM: Pooling = {
  sample: (corners) => (corners.length ? Math.max(...corners) : 0),
  cell: (samples) => Math.max(...samples),
};

const isInverted = (rois: readonly number[]): boolean =>
  rois.some((start, i) => i % 4 < 2 && start >= (rois[i + 2] as number));

/** One axis of a region: where it starts, the length of each cell, and the samples in each. */
function cellsAlong(low: number, high: number, isHalf: boolean, out: number, ratio: number) {
  const cell = Math.max(high - low, isHalf ? 0 : 1) / out;
  return { low, cell, samples: ratio || Math.ceil(cell) };
}

type Cells = ReturnType<typeof cellsAlong>;

const sampleAt = ({ low, cell, samples }: Cells, index: number, sample: number): number =>
  low + (index + (sample + 0.5) / samples) * cell;

/** Open: regions without an area. */
const RoiAlign: Reference = (node) => {
  const [x, rois] = [tensor(node, 0), tensor(node, 1)];
  const batches = listed(node, 2) as readonly number[];
  const [, channels, height, width] = x.dims as [number, number, number, number];
  const [rows, columns] = [int(node, 'output_height', 1), int(node, 'output_width', 1)];
  const ratio = int(node, 'sampling_ratio', 0);
  const scale = float(node, 'spatial_scale', 1);
  const isHalf = node.opset >= 16 && text(node, 'coordinate_transformation_mode', 'half_pixel') === 'half_pixel';
  const { sample, cell } = text(node, 'mode', 'avg') === 'max' ? MAXIMUM : AVERAGE;
  if (isInverted(rois.data as number[])) return undefined;
  const out: number[] = [];
  batches.forEach((batch, roi) => {
    const scaled = (i: number) => (rois.data[roi * 4 + i] as number) * scale - (isHalf ? 0.5 : 0);
    const vertical = cellsAlong(scaled(1), scaled(3), isHalf, rows, ratio);
    const horizontal = cellsAlong(scaled(0), scaled(2), isHalf, columns, ratio);
    for (let c = 0; c < channels; c++) {
      const plane = { start: (batch * channels + c) * height * width, height, width };
      for (let at = 0; at < rows * columns; at++) {
        const samples = Array.from({ length: vertical.samples * horizontal.samples }, (_, i) => {
          const y = sampleAt(vertical, Math.floor(at / columns), Math.floor(i / horizontal.samples));
          const left = sampleAt(horizontal, at % columns, i % horizontal.samples);
          return sample(cornersAt(x.data as number[], plane, y, left));
        });
        out.push(cell(samples));
      }
    }
  });
  return [plain(x.type, [batches.length, channels, rows, columns], out)];
};

export const DETECTION: References = { NonMaxSuppression, RoiAlign };
