import { stringAttribute } from '../../../graph/attributes.js';
import { isKnown } from '../../../graph/dims.js';
import type { Value } from '../../../graph/graph.js';
import { type Dim, tensorType } from '../../../graph/types.js';
import { toChannelsFirst, toChannelsLast } from '../../../primitives/channels-last.js';
import { eachBin, type Neighbors, type RoiAttributes, roiAttributes } from '../../../primitives/roi-samples.js';
import { oneOf } from '../../../schema/attributes.js';
import { defineOp, type Evaluation } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { dimsOfRank, requireDims } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { permutation } from '../../channels-last.js';
import { throughFloat32 } from '../../through-float32.js';

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
export const roiAlign = (
  [
    [16, oneOf('half_pixel', 'output_half_pixel')],
    [10, oneOf('output_half_pixel')],
  ] as const
).map(([since, coordinates]) =>
  defineOp({
    name: 'RoiAlign',
    since,
    signature: 'X: T1, rois: T1, batch_indices: int64 -> Y: T1',
    types: { T1: FLOATS },
    attributes: { ...roiAttributes, coordinate_transformation_mode: coordinates },
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
    decompose(c) {
      if (c.element(0) !== 'float32') return since < 16 ? undefined : throughFloat32(c);
      const [x] = c.emit('Transpose', [c.input(0)], permutation(toChannelsLast(4))) as [Value];
      const { coordinate_transformation_mode } = c.attributes;
      const own = {
        ...c.node.attributes,
        coordinate_transformation_mode: stringAttribute(coordinate_transformation_mode),
      };
      const [y] = c.emit('sardonyx:RoiAlign', [x, c.input(1), c.input(2)], own) as [Value];
      return c.emit('Transpose', [y], permutation(toChannelsFirst(4)));
    },
    evaluate,
  }),
);

/** RoiAlign of [N, height, width, C]. */
export const channelsLastRoiAlign = defineOp({
  domain: 'sardonyx',
  name: 'RoiAlign',
  signature: 'X: T, rois: T, batch_indices: int64 -> Y: T',
  types: { T: ['float32'] },
  attributes: { ...roiAttributes, coordinate_transformation_mode: oneOf('half_pixel', 'output_half_pixel') },
  infer(c) {
    const { output_height, output_width } = c.attributes;
    const [x, rois] = [c.dims(0), c.dims(1)];
    requireDims(c, 1, [undefined, 4]);
    requireDims(c, 2, [rois?.[0]]);
    return [tensorType('float32', x && rois && [rois[0] as Dim, output_height, output_width, x[3] as Dim])];
  },
});
