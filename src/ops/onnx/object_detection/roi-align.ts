import { stringAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import { formatSize, isKnown, type Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { toChannelsFirst, toChannelsLast } from '../../../primitives/channels-last.js';
import { alignRegions } from '../../../primitives/roi-align.js';
import { type RoiAttributes, roiAttributes, roiParameters } from '../../../primitives/roi-samples.js';
import { oneOf } from '../../../schema/attributes.js';
import { defineOp, type Evaluation } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { dimsOfRank } from '../../../schema/shapes.js';
import { permutation } from '../../channels-last.js';
import { throughFloat32 } from '../../through-float32.js';

/** https://onnx.ai/onnx/operators/onnx__RoiAlign.html; before opset 16, only `output_half_pixel` exists. */
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
        (batches.length !== 1 || (isKnown([rois[0] as Size, batches[0] as Size]) && rois[0] !== batches[0]))
      ) {
        c.fail('INVALID_SHAPE', `batch_indices must be [${formatSize(rois[0])}], one per region, not [${batches}]`);
      }
      const { output_height, output_width } = c.attributes;
      const counts = [rois?.[0], batches?.[0]];
      const count = counts.find((n) => typeof n === 'number') ?? counts.find((n) => n !== undefined) ?? c.unknown();
      return [tensorType(c.element(0), x && [count, x[1] ?? c.unknown(), output_height, output_width])];
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
    evaluate: (c: Evaluation<RoiAttributes>) => [alignRegions(c, c.tensor(0), roiParameters(c))],
  }),
);
