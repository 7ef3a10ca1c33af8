import { MatMulTile } from '../../build/kernels.js';
import { type Case, ceilDiv, type Engine, floats, type Launch, launching, noEpilogue } from './measure.js';

/** A square 2-D convolution with pads that keep the size at stride 1. */
export interface Square {
  size: number;
  channels: number;
  outChannels: number;
  kernel: number;
  stride?: number;
  groups?: number;
}

export const outSize = ({ size, stride = 1 }: Square) => ceilDiv(size, stride);

export const flopsOf = (c: Square) =>
  2 * outSize(c) ** 2 * c.channels * c.outChannels * c.kernel ** 2 * (c.groups ?? 1);

export function direct(engine: Engine, c: Square): Launch<'convolution'> {
  const { size, channels, outChannels, kernel, stride = 1, groups = 1 } = c;
  const out = outSize(c);
  const panels = groups * ceilDiv(outChannels, MatMulTile.Panel);
  const pad = (kernel - 1) >> 1;
  const params = {
    ...noEpilogue,
    x: floats(engine, size * size * channels * groups),
    w: floats(engine, panels * MatMulTile.Panel * channels * kernel * kernel),
    y: floats(engine, out * out * outChannels * groups),
    ...{ batch: 1, groups, channels, outChannels, depth: 1, height: size, width: size },
    ...{ outDepth: 1, outHeight: out, outWidth: out, kernelDepth: 1, kernelHeight: kernel, kernelWidth: kernel },
    ...{ strideDepth: 1, strideHeight: stride, strideWidth: stride },
    ...{ dilationDepth: 1, dilationHeight: 1, dilationWidth: 1, padFront: 0, padTop: pad, padLeft: pad },
    ...{ xPixelStride: channels * groups, yPixelStride: outChannels * groups, residualPixelStride: 0 },
  };
  const tiles = groups * ceilDiv(out * out, MatMulTile.Rows) * ceilDiv(outChannels, MatMulTile.Columns);
  return { kernel: 'convolution', params, tiles };
}

const convolution = (c: Square): Case => ({
  name: `${c.kernel}×${c.kernel}${c.stride ? `/${c.stride}` : ''} ${c.channels}→${c.outChannels} @${c.size}²${c.groups ? ` ×${c.groups}` : ''}`,
  flops: flopsOf(c),
  prepare: (engine) => launching(engine, [direct(engine, c)]),
});

export const cases: Case[] = [
  { size: 224, channels: 3, outChannels: 64, kernel: 7, stride: 2 },
  { size: 224, channels: 3, outChannels: 32, kernel: 3, stride: 2 },
  { size: 56, channels: 8, outChannels: 32, kernel: 3, stride: 2 },
  { size: 56, channels: 64, outChannels: 64, kernel: 3 },
  { size: 28, channels: 128, outChannels: 128, kernel: 3 },
  { size: 14, channels: 256, outChannels: 256, kernel: 3 },
  { size: 7, channels: 512, outChannels: 512, kernel: 3 },
  { size: 56, channels: 64, outChannels: 128, kernel: 3, stride: 2 },
  { size: 56, channels: 256, outChannels: 512, kernel: 1, stride: 2 },
  { size: 54, channels: 16, outChannels: 64, kernel: 3 },
  { size: 28, channels: 48, outChannels: 64, kernel: 5 },
  { size: 56, channels: 4, outChannels: 4, kernel: 3, groups: 32 },
  { size: 56, channels: 8, outChannels: 8, kernel: 3, groups: 16 },
].map(convolution);
