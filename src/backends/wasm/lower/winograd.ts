import { MatMulTile, WinogradBlock } from '../../../../build/kernels.js';
import { isAtMost } from '../../../graph/guards.js';
import { add, ceilDivide, multiply, product, type Size } from '../../../graph/sizes.js';
import type { Lowering } from '../lowering.js';
import type { Algorithm, OpenConv } from './conv-algorithm.js';
import { epilogueOf } from './epilogue.js';
import { packedInput } from './packed-input.js';
import { productTiles } from './product-tiles.js';
import { innermost, planeFields } from './window-fields.js';

/** Outputs of one tile along each axis. */
type TileSize = 2 | 4;

const elementsOf = (size: TileSize) => (size + 2) ** 2;

/** With fewer tiles than this, reading the transformed weights takes longer than the products they save. */
const MIN_TILES = 4;
const MIN_CHANNELS = 16;

/**
 * F(4×4) takes 0.25 to 0.5 of the direct convolution's time from 16 → 64 channels at 54² to 512 → 512 at 7², F(2×2) 0.5
 * to 0.85 (`npm run bench:kernels -- 3×3`). But F(4×4) makes the weights four times as large: beyond this many bytes,
 * which is also where they outgrow the cache, F(2×2) is the better trade.
 */
const MAX_WEIGHT_BYTES = 16 << 20;

/** Tiles per block: multiples of 12 leave the micro-kernel no ragged rows; more than 36 gain nothing. */
const [ROW_TILES, MAX_BLOCK] = [12, 36];

function serves(c: Lowering, { batch, channels, outChannels, group, windows }: OpenConv): boolean {
  const fits =
    group === 1 &&
    windows.length === 2 &&
    windows.every((w) => w.kernel === 3 && w.stride === 1 && w.dilation === 1) &&
    channels % 4 === 0 &&
    outChannels % 4 === 0 &&
    Math.min(channels, outChannels) >= MIN_CHANNELS;
  return fits && c.choose('winograd', () => isAtMost(MIN_TILES, tileCount(4, batch, windows)));
}

function tileCount(size: TileSize, batch: Size, windows: OpenConv['windows']): Size {
  const [rows, columns] = innermost(windows, 2);
  return product([batch, ceilDivide(rows.out, size), ceilDivide(columns.out, size)]);
}

const weightBytesOf = (size: TileSize, channels: number, panels: number) =>
  elementsOf(size) * panels * MatMulTile.Panel * channels * 4;

/** Tiles of one block whose transformed inputs and products stay in scratch; 0 if not even a few fit. */
function blockTilesFor(elements: number, channels: number, outChannels: number): number {
  const room = WinogradBlock.Bytes / 4 / elements - 2 * WinogradBlock.Gap;
  const fit = Math.floor(room / (channels + outChannels));
  return fit < ROW_TILES ? fit : Math.min(MAX_BLOCK, fit - (fit % ROW_TILES));
}

function lower(c: Lowering, parameters: OpenConv): void {
  const { batch, channels, outChannels, windows } = parameters;
  const [rows] = innermost(windows, 2);
  const panels = Math.ceil(outChannels / MatMulTile.Panel);
  const size: TileSize = weightBytesOf(4, channels, panels) <= MAX_WEIGHT_BYTES ? 4 : 2;
  const elements = elementsOf(size);
  const weightBytes = weightBytesOf(size, channels, panels);
  const w = packedInput(c, 1, {
    kernel: 'winogradWeights',
    form: `winograd ${size}`,
    bytes: weightBytes + (9 * weightBytes) / elements,
    tiles: panels,
    params: (source, packed) => ({ w: source, packed, channels, outChannels, size }),
  });
  const lines = multiply(batch, ceilDivide(rows.out, size));
  const tiles = tileCount(size, batch, windows);
  const blockTiles = blockTilesFor(elements, channels, outChannels);
  const { height, width, outHeight, outWidth, padTop, padLeft } = planeFields(windows);
  const params = {
    ...epilogueOf(c, parameters),
    ...{ height, width, outHeight, outWidth, padTop, padLeft },
    ...{ x: c.input(0), w, y: c.output(0), v: 0, m: 0, size, batch, channels, outChannels },
    blockTiles,
    ...{ xPixelStride: channels, yPixelStride: outChannels, residualPixelStride: outChannels },
  };
  if (size === 4 && blockTiles > 0) {
    c.launch('winograd', params, multiply(ceilDivide(tiles, 2 * blockTiles), 2), { writes: [c.output(0)] });
    return;
  }
  const vStride = add(multiply(tiles, channels), WinogradBlock.Gap);
  const mStride = add(multiply(tiles, outChannels), WinogradBlock.Gap);
  const v = c.temporary(multiply(vStride, elements * 4));
  const m = c.temporary(multiply(mStride, elements * 4));
  c.launch('winogradInput', { ...params, v }, lines, { writes: [v] });
  const multiplied = {
    ...{ bias: 0, residual: 0, activation: 0, alpha: 0, beta: 0 },
    ...{ a: v, b: w, y: m, m: tiles, n: outChannels, k: channels, outer: 1, inner: elements },
    ...{ aRowStride: channels, aColumnStride: 1, aOuterStride: 0, aInnerStride: vStride },
    ...{ bOuterStride: 0, bInnerStride: weightBytes / 4 / elements },
    ...{ yRowStride: outChannels, yOuterStride: 0, yInnerStride: mStride },
    ...{ residualRowStride: 0, residualOuterStride: 0, residualInnerStride: 0, biasInnerStride: 0 },
  };
  const shared = productTiles(multiplied);
  c.launch('matmul', { ...multiplied, tileColumns: shared.tileColumns }, shared.tiles, { writes: [m] });
  c.launch('winogradOutput', { ...params, m }, lines, { writes: [c.output(0)] });
}

/** 3×3 with stride 1 in one group, by Winograd's minimal filtering. */
export const winograd: Algorithm = { serves, lower };
