import type { channelsLastLrn } from '../../../ops/onnx/nn/lrn.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import type { AttributesOf, Lowering, Lowerings } from '../lowering.js';
import { grainOf } from './grain.js';

function lrn(c: Lowering<AttributesOf<typeof channelsLastLrn>>): undefined {
  const channels = c.shape(0).at(-1) as number;
  const pixels = elementCount(c.shape(0)) / Math.max(channels, 1);
  const { alpha, beta, bias, size } = c.attributes;
  const tilePixels = grainOf(pixels, 32 * channels);
  const params = { x: c.input(0), y: c.output(0), pixels, channels, size, alpha, beta, bias, tilePixels };
  c.launch('lrn', params, Math.ceil(pixels / tilePixels), { writes: [c.output(0)] });
}

export const responseNormalizations: Lowerings = { 'sardonyx:LRN': lrn };
