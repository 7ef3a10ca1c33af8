import { roiAlignment } from '../../../primitives/roi-align.js';
import { isImage, noImage, type RoiParameters } from '../../../primitives/roi-samples.js';
import { integers } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';

function lowerRegions(c: Lowering, parameters: RoiParameters): undefined {
  const { outHeight, outWidth, sampling, maximum, scale, half } = parameters;
  const [batch, height, width, channels] = c.shape(0) as [number, number, number, number];
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
    maximum: Number(maximum),
    scale,
    shift: half ? -0.5 : 0,
    least: half ? Number.NEGATIVE_INFINITY : 1,
    tileBins,
  };
  c.launch('roiAlign', params, Math.ceil(bins / tileBins), { writes: [c.output(0)] });
}

export const roiAligns = lowers(roiAlignment, lowerRegions);
