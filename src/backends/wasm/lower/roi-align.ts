import type { channelsLastRoiAlign } from '../../../ops/onnx/object_detection/roi-align.js';
import { isImage, noImage } from '../../../primitives/roi-samples.js';
import { integers } from '../../../tensor/tensor-value.js';
import type { AttributesOf, Lowering, Lowerings } from '../lowering.js';
import { grainOf } from './grain.js';

function roiAlign(c: Lowering<AttributesOf<typeof channelsLastRoiAlign>>): undefined {
  const [batch, height, width, channels] = c.shape(0) as [number, number, number, number];
  const { output_height: outHeight, output_width: outWidth, sampling_ratio: sampling } = c.attributes;
  const half = c.attributes.coordinate_transformation_mode === 'half_pixel';
  const regions = c.shape(1)[0] as number;
  const bins = channels && regions * outHeight * outWidth;
  const tileBins = grainOf(bins, 16 * channels);
  const params = {
    x: c.input(0),
    rois: c.input(1),
    images: c.input(2),
    y: c.output(0),
    flag: c.guard(2, (images) => noImage(integers(images).find((image) => !isImage(image, batch)) as number, batch)),
    batch,
    height,
    width,
    channels,
    regions,
    outHeight,
    outWidth,
    sampling,
    maximum: Number(c.attributes.mode === 'max'),
    scale: c.attributes.spatial_scale,
    shift: half ? -0.5 : 0,
    least: half ? Number.NEGATIVE_INFINITY : 1,
    tileBins,
  };
  c.launch('roiAlign', params, Math.ceil(bins / tileBins), { writes: [c.output(0)] });
}

export const roiAligns: Lowerings = { 'sardonyx:RoiAlign': roiAlign };
