import { type LrnParameters, responseNormalization } from '../../../primitives/lrn.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';

function lowerResponses(c: Lowering, { alpha, beta, bias, size }: LrnParameters): undefined {
  const channels = c.shape(0).at(-1) as number;
  const pixels = elementCount(c.shape(0)) / Math.max(channels, 1);
  const tilePixels = grainOf(pixels, 32 * channels);
  const params = { x: c.input(0), y: c.output(0), pixels, channels, size, alpha, beta, bias, tilePixels };
  c.launch('lrn', params, Math.ceil(pixels / tilePixels), { writes: [c.output(0)] });
}

export const responseNormalizations = lowers(responseNormalization, lowerResponses);
