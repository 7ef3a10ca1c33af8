import { isSame } from '../../../graph/guards.js';
import { ceilDivide, product, type Size } from '../../../graph/sizes.js';
import { type DeformParameters, deformSampling, MASK, OFFSET, X } from '../../../primitives/deform-sample.js';
import type { AxisWindow } from '../../../primitives/window.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { volumeFields } from './window-fields.js';

/** Sampling whose sizes may be symbolic. */
type OpenSampling = Omit<DeformParameters, 'windows'> & { readonly windows: readonly AxisWindow[] };

function lowerDeformed(c: Lowering, { offsetGroups, windows }: OpenSampling): undefined {
  const [batch, channels] = [c.shape(X)[0] as Size, c.shape(X).at(-1) as Size];
  if (isSame(product(c.outputShape(0)), 0)) return;
  const pixels = product([batch, ...windows.map(({ out }) => out)]);
  const tilePixels = grainOf(pixels, product([4, channels, ...windows.map(({ kernel }) => kernel)]));
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
  c.launch('deformSample', params, ceilDivide(pixels, tilePixels), { writes: [c.output(0)] });
}

export const deformSamples = lowers(deformSampling, lowerDeformed);
