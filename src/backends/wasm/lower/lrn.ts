import { isSame } from '../../../graph/guards.js';
import { ceilDivide, multiply, product, type Size } from '../../../graph/sizes.js';
import { type LrnParameters, responseNormalization } from '../../../primitives/lrn.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';

function lowerResponses(c: Lowering, { alpha, beta, bias, size }: LrnParameters): undefined {
  const dims = c.shape(0);
  const channels = dims.at(-1) as Size;
  const pixels = isSame(channels, 0) ? 0 : product(dims.slice(0, -1));
  const tilePixels = grainOf(pixels, multiply(32, channels));
  const params = { x: c.input(0), y: c.output(0), pixels, channels, size, alpha, beta, bias, tilePixels };
  c.launch('lrn', params, ceilDivide(pixels, tilePixels), { writes: [c.output(0)] });
}

export const responseNormalizations = lowers(responseNormalization, lowerResponses);
