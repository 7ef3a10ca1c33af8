import type { Size } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { oneOf } from '../schema/attributes.js';
import { by, defineOp, type Evaluation, type Primitive } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { onChannelsFirst } from './channels-last.js';
import { eachBin, type Neighbors, type RoiParameters, roiAttributes, roiParameters } from './roi-samples.js';

/** One bin: the mean of its samples, or the largest of their weighted neighbors, as in ONNX's reference implementation. */
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

/** The bins of the node's regions (input 1) of images (input 2) of x [N, C, height, width]. */
export function alignRegions(c: Evaluation<unknown>, x: TensorValue, parameters: RoiParameters): TensorValue {
  const { outHeight, outWidth, maximum } = parameters;
  const pixels = numbersOf(x);
  const [, channels, , width] = x.dims as [number, number, number, number];
  const regions = c.tensor(2).data.length;
  const y = new Float64Array(regions * channels * outHeight * outWidth);
  eachBin(c, x.dims, parameters, (to, first, rows, columns) => {
    y[to] = poolBin(pixels, first, width, rows, columns, maximum);
  });
  return tensorOf(x.type, [regions, channels, outHeight, outWidth], y);
}

/** Pools regions of images [N, height, width, C] to bins: the mean or maximum of samples between pixels. */
export const roiAlignment: Primitive<RoiParameters> = {
  name: 'roiAlignment',
  facts: { layout: 'channels-last' },
  reference(c, parameters) {
    const { element, dims } = c.result(0);
    return [
      tensorOf(
        element,
        dims,
        onChannelsFirst(c.tensor(0), (x) => alignRegions(c, x, parameters)),
      ),
    ];
  },
};

/** RoiAlign on [N, height, width, C]. */
export const roiAlignOperator = defineOp({
  domain: 'sardonyx',
  name: 'RoiAlign',
  signature: 'X: T, rois: T, batch_indices: int64 -> Y: T',
  types: { T: ['float32'] },
  attributes: { ...roiAttributes, coordinate_transformation_mode: oneOf('half_pixel', 'output_half_pixel') },
  guarded: true,
  infer(c) {
    const { output_height, output_width } = c.attributes;
    const [x, rois] = [c.dims(0), c.dims(1)];
    requireDims(c, 1, [undefined, 4]);
    requireDims(c, 2, [rois?.[0]]);
    return [tensorType(c.element(0), x && rois && [rois[0] as Size, output_height, output_width, x[3] as Size])];
  },
  computes: by(roiAlignment, roiParameters),
});
