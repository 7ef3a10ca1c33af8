import { GlobalPool } from '../../../../build/kernels.js';
import { type GlobalPoolParameters, globalPool } from '../../../primitives/global-pool.js';
import { type PoolKind, type PoolParameters, planarMaxPool, pool } from '../../../primitives/pool.js';
import type { KnownWindow } from '../../../primitives/window.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, type Lowerings, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { innermost, planeFields, volumeFields } from './window-fields.js';

const KERNELS = {
  Average: 'averagePool',
  Max: 'maxPool',
  Lp: 'lpPool',
} as const satisfies Record<PoolKind, string>;

function lowerPool(c: Lowering, { kind, windows, countsPadding, order }: PoolParameters): undefined {
  const x = c.shape(0);
  const channels = x.at(-1) as number;
  const [depth, height, width] = innermost(windows, 3);
  const pixels = elementCount(c.outputShape(0)) / Math.max(channels, 1);
  const tilePixels = c.agreed(grainOf(pixels, channels * depth.kernel * height.kernel * width.kernel));
  c.isEven();
  const params = {
    ...volumeFields(windows),
    x: c.input(0),
    y: c.output(0),
    batch: x[0] as number,
    channels,
    xPixelStride: channels,
    yPixelStride: channels,
    padBack: depth.padAfter,
    padBottom: height.padAfter,
    padRight: width.padAfter,
    countIncludePad: Number(countsPadding),
    order,
    tilePixels,
  };
  const tiles = { count: pixels, per: tilePixels, times: 1 };
  c.launch(KERNELS[kind], params, tiles, { writes: [c.output(0)] });
}

function lowerPlanar(c: Lowering, windows: readonly KnownWindow[]): undefined {
  const window = planeFields(windows);
  const planes = elementCount(c.shape(0).slice(0, 2));
  const lines = elementCount(c.outputShape(0)) && planes * window.outHeight;
  const tileLines = c.agreed(grainOf(lines, window.outWidth * (window.kernelHeight + window.kernelWidth)));
  c.isEven();
  const params = { ...window, x: c.input(0), y: c.output(0), planes, tileLines };
  c.launch('planarMaxPool', params, { count: lines, per: tileLines, times: 1 }, { writes: [c.output(0)] });
}

function lowerGlobal(c: Lowering, { kind }: GlobalPoolParameters): undefined {
  const dims = c.shape(0);
  const [n, channels] = [dims[0] as number, dims.at(-1) as number];
  const pixels = elementCount(dims.slice(1, -1));
  const params = {
    x: c.input(0),
    y: c.output(0),
    batch: n,
    pixels,
    channels,
    xPixelStride: channels,
    yPixelStride: channels,
    maximum: Number(kind === 'Max'),
  };
  c.isEven();
  c.launch('globalPool', params, n * Math.ceil(channels / GlobalPool.Channels), { writes: [c.output(0)] });
}

export const pools: Lowerings = {
  ...lowers(pool, lowerPool),
  ...lowers(planarMaxPool, lowerPlanar),
  ...lowers(globalPool, lowerGlobal),
};
