import { isSame } from '../../../graph/guards.js';
import { ceilDivide, multiply, product, type Size } from '../../../graph/sizes.js';
import { roiAlignment } from '../../../primitives/roi-align.js';
import { isImage, noImage, type RoiParameters } from '../../../primitives/roi-samples.js';
import { integers, type TensorValue } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';

/** The message for the first region of no image. */
function missing(images: TensorValue, [batch]: readonly number[]): string {
  const count = batch as number;
  return noImage(integers(images).find((image) => !isImage(image, count)) as number, count);
}

function lowerRegions(c: Lowering, parameters: RoiParameters): undefined {
  const { outHeight, outWidth, sampling, maximum, scale, half } = parameters;
  const [batch, height, width, channels] = c.shape(0) as [Size, Size, Size, Size];
  const regions = c.shape(1)[0] as Size;
  const bins = isSame(channels, 0) ? 0 : product([regions, outHeight, outWidth]);
  const tileBins = grainOf(bins, multiply(16, channels));
  const params = {
    x: c.input(0),
    rois: c.input(1),
    images: c.input(2),
    y: c.output(0),
    flag: c.guard(2, missing, [batch]),
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
  c.launch('roiAlign', params, ceilDivide(bins, tileBins), { writes: [c.output(0)] });
}

export const roiAligns = lowers(roiAlignment, lowerRegions);
