import { type DeformParameters, deformSampling, MASK, OFFSET, X } from '../../../primitives/deform-sample.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { volumeFields } from './window-fields.js';

function lowerDeformed(c: Lowering, { offsetGroups, windows }: DeformParameters): undefined {
  const [batch, channels] = [c.shape(X)[0] as number, c.shape(X).at(-1) as number];
  const pixels = batch * elementCount(windows.map(({ out }) => out));
  const size = elementCount(c.outputShape(0));
  if (size === 0) return;
  const tilePixels = grainOf(pixels, (4 * size) / pixels);
  const params = {
    ...volumeFields(windows),
    x: c.input(X),
    offset: c.input(OFFSET),
    mask: c.given(MASK) ? c.input(MASK) : 0,
    y: c.output(0),
    batch,
    channels,
    offsetGroups,
    axes: windows.length,
    tilePixels,
  };
  c.launch('deformSample', params, Math.ceil(pixels / tilePixels), { writes: [c.output(0)] });
}

export const deformSamples = lowers(deformSampling, lowerDeformed);
