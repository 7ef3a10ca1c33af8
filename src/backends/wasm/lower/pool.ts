import { GlobalPool } from '../../../../build/kernels.js';
import type { PoolAttributes } from '../../../ops/onnx/nn/pool.js';
import { innermost, planeFields, volumeFields, windowsOf } from '../../../ops/onnx/nn/window.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import type { Lowering, Lowerings } from '../lowering.js';
import { grainOf } from './grain.js';

function lowerPool(c: Lowering<PoolAttributes>, kernel: 'maxPool' | 'averagePool' | 'lpPool'): undefined {
  const x = c.shape(0);
  const channels = x.at(-1) as number;
  const windows = windowsOf(c, x.slice(1, -1), c.attributes.kernel_shape);
  const [depth, height, width] = innermost(windows, 3);
  const pixels = elementCount(c.outputShape(0)) / Math.max(channels, 1);
  const tilePixels = grainOf(pixels, channels * depth.kernel * height.kernel * width.kernel);
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
    countIncludePad: c.attributes.count_include_pad ?? 0,
    order: c.attributes.p ?? 2,
    tilePixels,
  };
  c.launch(kernel, params, Math.ceil(pixels / tilePixels), { writes: [c.output(0)] });
}

function planarMaxPool(c: Lowering<PoolAttributes>): undefined {
  const x = c.shape(0);
  const window = planeFields(windowsOf(c, x.slice(2), c.attributes.kernel_shape));
  const planes = elementCount(x.slice(0, 2));
  const lines = elementCount(c.outputShape(0)) && planes * window.outHeight;
  const tileLines = grainOf(lines, window.outWidth * (window.kernelHeight + window.kernelWidth));
  const params = { ...window, x: c.input(0), y: c.output(0), planes, tileLines };
  c.launch('planarMaxPool', params, Math.ceil(lines / tileLines), { writes: [c.output(0)] });
}

function globalPool(c: Lowering, maximum: number): undefined {
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
    maximum,
  };
  c.launch('globalPool', params, n * Math.ceil(channels / GlobalPool.Channels), { writes: [c.output(0)] });
}

export const pools: Lowerings = {
  'sardonyx:AveragePool': (c) => lowerPool(c, 'averagePool'),
  'sardonyx:GlobalAveragePool': (c) => globalPool(c, 0),
  'sardonyx:GlobalMaxPool': (c) => globalPool(c, 1),
  'sardonyx:LpPool': (c) => lowerPool(c, 'lpPool'),
  'sardonyx:MaxPool': (c) => lowerPool(c, 'maxPool'),
  'sardonyx:PlanarMaxPool': planarMaxPool,
};
