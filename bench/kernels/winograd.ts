import { direct, flopsOf, type Square } from './convolution.js';
import { product } from './matmul.js';
import { type Case, ceilDiv, type Engine, floats, type Launch, launching, noEpilogue } from './measure.js';

/** The three launches of F(size × size, 3×3); flops stay those of the direct convolution. */
function winograd(engine: Engine, c: Square, size: number): Launch[] {
  const { size: height, channels, outChannels } = c;
  const across = ceilDiv(height, size);
  const tiles = across * across;
  const elements = (size + 2) ** 2;
  const gemm = product(engine, tiles, outChannels, channels, elements);
  const shared = { size, tilesHigh: across, tilesWide: across };
  const vStride = tiles * channels + 16;
  const mStride = tiles * outChannels + 16;
  const v = floats(engine, elements * vStride);
  const m = floats(engine, elements * mStride);
  Object.assign(gemm.params, { a: v, y: m, aInnerStride: vStride, yInnerStride: mStride });
  const input = {
    ...{ ...shared, x: floats(engine, height * height * channels), v, height, width: height, channels },
    ...{ padTop: 1, padLeft: 1, xPixelStride: channels, elementStride: vStride },
  };
  const output = {
    ...{ ...noEpilogue, ...shared, m, y: floats(engine, height * height * outChannels) },
    ...{ outHeight: height, outWidth: height, outChannels },
    ...{ yPixelStride: outChannels, residualPixelStride: 0, elementStride: mStride },
  };
  return [
    { kernel: 'winogradInput', params: input, tiles: across },
    gemm,
    { kernel: 'winogradOutput', params: output, tiles: across },
  ];
}

const layers: [channels: number, outChannels: number, size: number][] = [
  [64, 64, 56],
  [128, 128, 28],
  [256, 256, 14],
  [512, 512, 7],
  [16, 64, 54],
  [32, 128, 27],
  [64, 256, 13],
  [64, 64, 224],
  [128, 256, 56],
  [512, 512, 28],
  [512, 512, 14],
];

export const cases: Case[] = layers.flatMap(([channels, outChannels, size]) => {
  const c: Square = { size, channels, outChannels, kernel: 3 };
  const name = `3×3 ${channels}→${outChannels} @${size}²`;
  const flops = flopsOf(c);
  return [
    { name: `${name}, direct`, flops, prepare: (engine) => launching(engine, [direct(engine, c)]) },
    { name: `${name}, F(2×2)`, flops, prepare: (engine) => launching(engine, winograd(engine, c, 2)) },
    { name: `${name}, F(4×4)`, flops, prepare: (engine) => launching(engine, winograd(engine, c, 4)) },
  ] satisfies Case[];
});
