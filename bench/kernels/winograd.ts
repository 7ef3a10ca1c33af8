import { WinogradBlock } from '../../build/kernels.js';
import { direct, flopsOf, type Square } from './convolution.js';
import { product } from './matmul.js';
import { type Case, ceilDiv, type Engine, floats, type Launch, launching, noEpilogue } from './measure.js';

/** F(size × size, 3×3), whole or in three launches; flops are those of the direct convolution. */
export function winograd(engine: Engine, c: Square, size: number, whole: boolean): Launch[] {
  const { size: height, channels, outChannels } = c;
  const across = ceilDiv(height, size);
  const tiles = across * across;
  const elements = (size + 2) ** 2;
  const gap = WinogradBlock.Gap;
  const [vStride, mStride] = [tiles * channels + gap, tiles * outChannels + gap];
  const gemm = product(engine, tiles, outChannels, channels, elements);
  const v = floats(engine, elements * vStride);
  const m = floats(engine, elements * mStride);
  Object.assign(gemm.params, { a: v, y: m, aInnerStride: vStride, yInnerStride: mStride });
  const blockTiles = tilesPerBlock(channels, outChannels, elements);
  const params = {
    ...{
      ...noEpilogue,
      x: floats(engine, height * height * channels),
      y: floats(engine, height * height * outChannels),
    },
    ...{ w: gemm.params.b, v, m, size, batch: 1, height, width: height, channels },
    ...{ outHeight: height, outWidth: height, outChannels, padTop: 1, padLeft: 1 },
    blockTiles,
    ...{ xPixelStride: channels, yPixelStride: outChannels, residualPixelStride: 0 },
  };
  if (whole) return [{ kernel: 'winograd', params, tiles: 2 * ceilDiv(tiles, 2 * blockTiles) }];
  return [
    { kernel: 'winogradInput', params, tiles: across },
    gemm,
    { kernel: 'winogradOutput', params, tiles: across },
  ];
}

/** Tiles in one block of `winograd`: whole row tiles, with v and m in scratch; more than 36 are no faster. */
function tilesPerBlock(channels: number, outChannels: number, elements: number): number {
  const room = WinogradBlock.Bytes / 4 / elements - 2 * WinogradBlock.Gap;
  const fit = Math.floor(room / (channels + outChannels));
  return fit < 12 ? fit : Math.min(36, fit - (fit % 12));
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
    { name: `${name}, F(2×2)`, flops, prepare: (engine) => launching(engine, winograd(engine, c, 2, false)) },
    { name: `${name}, F(4×4)`, flops, prepare: (engine) => launching(engine, winograd(engine, c, 4, false)) },
    { name: `${name}, F(4×4) whole`, flops, prepare: (engine) => launching(engine, winograd(engine, c, 4, true)) },
  ] satisfies Case[];
});
