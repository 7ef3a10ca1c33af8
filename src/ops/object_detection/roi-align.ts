import { isKnown } from '../../graph/dims.js';
import { type Dim, tensorType } from '../../graph/types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { integers } from '../../tensor/tensor-value.js';
import { float, int, string } from '../attributes.js';
import { defineOp, type Evaluation, type Inference } from '../definition.js';
import { FLOATS } from '../element-sets.js';
import { dimsOfRank } from '../shapes.js';

export interface RoiAttributes {
  readonly mode: string;
  readonly output_height: number;
  readonly output_width: number;
  readonly sampling_ratio: number;
  readonly spatial_scale: number;
  readonly coordinate_transformation_mode: string;
}

export const roiAttributes = {
  mode: string('avg'),
  output_height: int(1),
  output_width: int(1),
  sampling_ratio: int(0),
  spatial_scale: float(1),
};

/** Two neighbors of a coordinate and their shares; none where it is more than one pixel outside. */
function neighbors(x: number, size: number): readonly (readonly [at: number, weight: number])[] {
  if (x < -1 || x > size) return [];
  const inside = Math.min(Math.max(x, 0), size - 1);
  const low = Math.floor(inside);
  const high = Math.min(low + 1, size - 1);
  return [
    [low, 1 - (inside - low)],
    [high, inside - low],
  ];
}

export type Neighbors = ReturnType<typeof neighbors>;

/** The samples along one axis of a region, `output` bins of them. */
function samplesAlong(
  c: Inference<RoiAttributes>,
  from: number,
  to: number,
  output: number,
  size: number,
): Neighbors[][] {
  const { spatial_scale, sampling_ratio, coordinate_transformation_mode } = c.attributes;
  const half = coordinate_transformation_mode === 'half_pixel';
  const start = from * spatial_scale - (half ? 0.5 : 0);
  const length = half ? (to - from) * spatial_scale : Math.max((to - from) * spatial_scale, 1);
  const bin = length / output;
  const count = sampling_ratio > 0 ? sampling_ratio : Math.ceil(bin);
  return Array.from({ length: output }, (_, o) =>
    Array.from({ length: count }, (_, i) => neighbors(start + o * bin + ((i + 0.5) * bin) / count, size)),
  );
}

/** One bin: the mean of its samples, or the largest of their weighted neighbors, as ONNX's reference has it. */
function poolBin(
  pixels: ArrayLike<number>,
  first: number,
  width: number,
  rows: readonly Neighbors[],
  columns: readonly Neighbors[],
  largest: boolean,
): number {
  let sum = 0;
  let peak = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    for (const column of columns) {
      if (row.length * column.length === 0) peak = Math.max(peak, 0);
      for (const [y, rowWeight] of row) {
        for (const [x, columnWeight] of column) {
          const value = rowWeight * columnWeight * (pixels[first + y * width + x] as number);
          sum += value;
          peak = Math.max(peak, value);
        }
      }
    }
  }
  return largest ? peak : sum / Math.max(rows.length * columns.length, 1);
}

/** Calls `visit` for every bin with its place in the result, the first pixel of its plane, and its samples. */
export function eachBin(
  c: Evaluation<RoiAttributes>,
  visit: (to: number, first: number, rows: readonly Neighbors[], columns: readonly Neighbors[]) => void,
): void {
  const corners = numbersOf(c.tensor(1));
  const { output_height, output_width } = c.attributes;
  const [batch, channels, height, width] = c.tensor(0).dims as [number, number, number, number];
  const bins = output_height * output_width;
  integers(c.tensor(2)).forEach((image, roi) => {
    if (image < 0 || image >= batch) c.fail('INVALID_VALUE', `batch index ${image} is outside ${batch} images`);
    const [x1, y1, x2, y2] = [0, 1, 2, 3].map((i) => corners[roi * 4 + i] as number) as [
      number,
      number,
      number,
      number,
    ];
    const rows = samplesAlong(c, y1, y2, output_height, height);
    const columns = samplesAlong(c, x1, x2, output_width, width);
    for (let channel = 0; channel < channels; channel++) {
      const first = (image * channels + channel) * height * width;
      rows.forEach((row, i) => {
        columns.forEach((column, j) => {
          visit((roi * channels + channel) * bins + i * output_width + j, first, row, column);
        });
      });
    }
  });
}

function evaluate(c: Evaluation<RoiAttributes>) {
  const x = c.tensor(0);
  const pixels = numbersOf(x);
  const { output_height, output_width, mode } = c.attributes;
  const [, channels, , width] = x.dims as [number, number, number, number];
  const regions = c.tensor(2).data.length;
  const y = new Float64Array(regions * channels * output_height * output_width);
  eachBin(c, (to, first, rows, columns) => {
    y[to] = poolBin(pixels, first, width, rows, columns, mode === 'max');
  });
  return [tensorOf(x.type, [regions, channels, output_height, output_width], y)];
}

/** https://onnx.ai/onnx/operators/onnx__RoiAlign.html; before opset 16 the corner of a pixel was its place. */
export const roiAlign = [
  { since: 16, coordinates: 'half_pixel' },
  { since: 10, coordinates: 'output_half_pixel' },
].map(({ since, coordinates }) =>
  defineOp({
    name: 'RoiAlign',
    since,
    signature: 'X: T1, rois: T1, batch_indices: int64 -> Y: T1',
    types: { T1: FLOATS },
    attributes: { ...roiAttributes, coordinate_transformation_mode: string(coordinates) },
    infer(c) {
      const [x, rois] = [dimsOfRank(c, 0, 4), dimsOfRank(c, 1, 2)];
      if (x && x.length !== 4) c.fail('INVALID_SHAPE', `X must be [N, C, height, width], not [${x}]`);
      const batches = c.dims(2);
      if (rois && (rois.length !== 2 || (typeof rois[1] === 'number' && rois[1] !== 4))) {
        c.fail('INVALID_SHAPE', `rois must be [count, 4], not [${rois}]`);
      }
      if (
        rois &&
        batches &&
        (batches.length !== 1 || (isKnown([rois[0] as Dim, batches[0] as Dim]) && rois[0] !== batches[0]))
      ) {
        c.fail('INVALID_SHAPE', `batch_indices must be [${rois[0]}], one for each region, not [${batches}]`);
      }
      const { output_height, output_width } = c.attributes;
      return [
        tensorType(c.element(0), x && [rois?.[0] ?? c.unknown(), x[1] ?? c.unknown(), output_height, output_width]),
      ];
    },
    evaluate,
  }),
);
