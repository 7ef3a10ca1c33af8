import { GlobalPool } from '../../../../build/kernels.js';
import { isSame } from '../../../graph/guards.js';
import { ceilDivide, product, type Size } from '../../../graph/sizes.js';
import { type GlobalPoolParameters, globalPool } from '../../../primitives/global-pool.js';
import { type PoolFold, type PoolKind, planarMaxPool, pool } from '../../../primitives/pool.js';
import type { AxisWindow } from '../../../primitives/window.js';
import { type Lowering, type Lowerings, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { innermost, planeFields, volumeFields } from './window-fields.js';

const KERNELS = {
  Average: 'averagePool',
  Max: 'maxPool',
  Lp: 'lpPool',
} as const satisfies Record<PoolKind, string>;

/** A pool whose sizes may be symbolic. */
type OpenPool = PoolFold & { readonly windows: readonly AxisWindow[] };

function lowerPool(c: Lowering, { kind, windows, countsPadding, order }: OpenPool): undefined {
  const x = c.shape(0);
  const channels = x.at(-1) as Size;
  const [depth, height, width] = innermost(windows, 3);
  const pixels = isSame(channels, 0) ? 0 : product(c.outputShape(0).slice(0, -1));
  const tilePixels = grainOf(pixels, product([channels, depth.kernel, height.kernel, width.kernel]));
  const params = {
    ...volumeFields(windows),
    x: c.input(0),
    y: c.output(0),
    batch: x[0] as Size,
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
  c.launch(KERNELS[kind], params, ceilDivide(pixels, tilePixels), { writes: [c.output(0)] });
}

function lowerPlanar(c: Lowering, windows: readonly AxisWindow[]): undefined {
  const window = planeFields(windows);
  const planes = product(c.shape(0).slice(0, 2));
  const lines = isSame(product(c.outputShape(0)), 0) ? 0 : product([planes, window.outHeight]);
  const tileLines = grainOf(lines, product([window.outWidth, window.kernelHeight + window.kernelWidth]));
  const params = { ...window, x: c.input(0), y: c.output(0), planes, tileLines };
  c.launch('planarMaxPool', params, ceilDivide(lines, tileLines), { writes: [c.output(0)] });
}

function lowerGlobal(c: Lowering, { kind }: GlobalPoolParameters): undefined {
  const dims = c.shape(0);
  const [n, channels] = [dims[0] as Size, dims.at(-1) as Size];
  const pixels = product(dims.slice(1, -1));
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
  c.launch('globalPool', params, product([n, ceilDivide(channels, GlobalPool.Channels)]), { writes: [c.output(0)] });
}

export const pools: Lowerings = {
  ...lowers(pool, lowerPool),
  ...lowers(planarMaxPool, lowerPlanar),
  ...lowers(globalPool, lowerGlobal),
};
