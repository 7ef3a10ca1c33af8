import { isKnown } from '../../graph/dims.js';
import { type Dim, tensorType } from '../../graph/types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { string } from '../attributes.js';
import { defineOp, type Evaluation } from '../definition.js';
import { FLOATS } from '../element-sets.js';
import { dimsOfRank } from '../shapes.js';
import { eachBin, type Neighbors, type RoiAttributes, roiAttributes } from './roi-samples.js';

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
  const count = rows.length * columns.length;
  if (count === 0) return 0;
  return largest ? peak : sum / count;
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
