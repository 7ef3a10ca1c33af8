import {
  eachBin,
  type Neighbors,
  type RoiAttributes,
  roiAttributes,
  roiParameters,
} from '../../primitives/roi-samples.js';
import { string } from '../../schema/attributes.js';
import { defineOp, type Evaluation } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { like } from '../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { eachMaximum, type MaxRoiAttributes, maxRoiAttributes } from '../onnx/object_detection/roi-maxima.js';

/** Pixels that the samples of a bin read, with their weights. */
const tapsOf = (rows: readonly Neighbors[], columns: readonly Neighbors[], width: number) =>
  rows.flatMap((row) =>
    columns.flatMap((column) =>
      row.flatMap(([y, h]) => column.map(([x, w]) => ({ at: y * width + x, weight: h * w }))),
    ),
  );

/** Gradient of RoiAlign with respect to the images; `g` is the gradient of its output. */
export const roiAlignGradient = defineOp({
  domain: 'sardonyx',
  name: 'RoiAlignGradient',
  signature: 'X: T, rois: T, batch_indices: int64, g: T -> dX: T',
  types: { T: FLOATS },
  attributes: { ...roiAttributes, coordinate_transformation_mode: string('half_pixel') },
  infer: (c) => [like(c, 0, c.dims(0))],
  evaluate(c: Evaluation<RoiAttributes>) {
    const x = c.tensor(0);
    const [pixels, g] = [numbersOf(x), numbersOf(c.tensor(3))];
    const isMaximum = c.attributes.mode === 'max';
    const width = x.dims[3] as number;
    const dx = new Float64Array(pixels.length);
    const add = (at: number, part: number) => {
      dx[at] = (dx[at] as number) + part;
    };
    eachBin(c, x.dims, roiParameters(c), (to, first, rows, columns) => {
      const own = g[to] as number;
      const taps = tapsOf(rows, columns, width);
      const share = own / Math.max(rows.length * columns.length, 1);
      const value = ({ at, weight }: (typeof taps)[number]) => weight * (pixels[first + at] as number);
      if (!isMaximum) for (const { at, weight } of taps) add(first + at, share * weight);
      const peak = taps.reduce((best, tap) => (best && value(best) >= value(tap) ? best : tap), taps[0]);
      const hasOutside = taps.length < 4 * rows.length * columns.length;
      if (isMaximum && peak && !(hasOutside && value(peak) < 0)) add(first + peak.at, own * peak.weight);
    });
    return [tensorOf(x.type, x.dims, dx)];
  },
});

/** Gradient of MaxRoiPool with respect to the images; `g` is the gradient of its output. */
export const maxRoiPoolGradient = defineOp({
  domain: 'sardonyx',
  name: 'MaxRoiPoolGradient',
  signature: 'X: T, rois: T, g: T -> dX: T',
  types: { T: FLOATS },
  attributes: maxRoiAttributes,
  infer: (c) => [like(c, 0, c.dims(0))],
  evaluate(c: Evaluation<MaxRoiAttributes>) {
    const x = c.tensor(0);
    const [pixels, g] = [numbersOf(x), numbersOf(c.tensor(2))];
    const dx = new Float64Array(pixels.length);
    let to = 0;
    eachMaximum(c, pixels, (at) => {
      if (at >= 0) dx[at] = (dx[at] as number) + (g[to] as number);
      to++;
    });
    return [tensorOf(x.type, x.dims, dx)];
  },
});
