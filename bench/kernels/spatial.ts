import { Activation, GlobalPool, GroupNorm, MatMulTile } from '../../build/kernels.js';
import { type AxisTable, axisTable, type ResizeMode } from '../../src/primitives/resize-tables.js';
import { outSize, type Square } from './convolution.js';
import { type Case, ceilDiv, type Engine, floats, type Launch, launching, noEpilogue } from './measure.js';

const flat = { strideDepth: 1, dilationDepth: 1, dilationHeight: 1, dilationWidth: 1, padFront: 0 } as const;

type Depthwise = Omit<Square, 'outChannels' | 'groups'>;

function depthwiseLaunch(engine: Engine, c: Depthwise): Launch<'depthwiseConvolution'> {
  const { size, channels, kernel, stride = 1 } = c;
  const out = outSize({ ...c, outChannels: channels });
  const pad = (kernel - 1) >> 1;
  const params = {
    ...noEpilogue,
    ...{ activation: Activation.Clip, alpha: 0, beta: 6, bias: floats(engine, channels) },
    x: floats(engine, size * size * channels),
    w: floats(engine, ceilDiv(channels, 4) * 4 * kernel * kernel),
    y: floats(engine, out * out * channels),
    ...{ batch: 1, height: size, width: size, channels, multiplier: 1, outHeight: out, outWidth: out },
    ...{ kernelHeight: kernel, kernelWidth: kernel, strideHeight: stride, strideWidth: stride },
    ...{ dilationHeight: 1, dilationWidth: 1, padTop: pad, padLeft: pad },
    ...{ xPixelStride: channels, yPixelStride: channels, residualPixelStride: 0, tilePixels: 4 * out },
  };
  return { kernel: 'depthwiseConvolution', params, tiles: ceilDiv(out, 4) };
}

const depthwise = (size: number, channels: number, kernel: number, stride = 1): Case => {
  const c = { size, channels, kernel, stride };
  const outputs = outSize({ ...c, outChannels: channels }) ** 2 * channels;
  return {
    name: `depthwise ${kernel}×${kernel}/${stride} ${channels} @${size}²`,
    flops: 2 * outputs * kernel ** 2,
    bytes: 4 * (size * size * channels + outputs),
    prepare: (engine) => launching(engine, [depthwiseLaunch(engine, c)]),
  };
};

const pool = (
  kernel: 'maxPool' | 'averagePool',
  size: number,
  channels: number,
  window: number,
  stride: number,
): Case => {
  const out = ceilDiv(size, stride);
  const pad = (window - 1) >> 1;
  return {
    name: `${kernel} ${window}×${window}/${stride} ${channels} @${size}²`,
    bytes: 4 * channels * (size * size + out * out),
    prepare(engine) {
      const params = {
        x: floats(engine, size * size * channels),
        y: floats(engine, out * out * channels),
        ...{ batch: 1, channels, xPixelStride: channels, yPixelStride: channels },
        ...{ depth: 1, height: size, width: size, outDepth: 1, outHeight: out, outWidth: out },
        ...{ kernelDepth: 1, kernelHeight: window, kernelWidth: window, strideHeight: stride, strideWidth: stride },
        ...{ ...flat, padTop: pad, padLeft: pad, padBack: 0, padBottom: pad, padRight: pad },
        ...{ countIncludePad: 0, order: 2, tilePixels: out },
      };
      return launching(engine, [{ kernel, params, tiles: out }]);
    },
  };
};

const globalAverage = (size: number, channels: number): Case => ({
  name: `global average ${channels} @${size}²`,
  bytes: 4 * channels * size * size,
  prepare(engine) {
    const params = {
      ...{ x: floats(engine, size * size * channels), y: floats(engine, channels) },
      ...{ batch: 1, pixels: size * size, channels, xPixelStride: channels, yPixelStride: channels, maximum: 0 },
    };
    return launching(engine, [{ kernel: 'globalPool', params, tiles: ceilDiv(channels, GlobalPool.Channels) }]);
  },
});

function transposed(size: number, channels: number, outChannels: number, kernel: number, stride: number): Case {
  const pad = (kernel - stride) >> 1;
  const out = (size - 1) * stride + kernel - 2 * pad;
  return {
    name: `transposed ${kernel}×${kernel}/${stride} ${channels}→${outChannels} @${size}²`,
    flops: 2 * size * size * channels * outChannels * kernel * kernel,
    prepare(engine) {
      const params = {
        ...noEpilogue,
        x: floats(engine, size * size * channels),
        w: floats(engine, channels * kernel * kernel * ceilDiv(outChannels, MatMulTile.Panel) * MatMulTile.Panel),
        y: floats(engine, out * out * outChannels),
        ...{ batch: 1, groups: 1, channels, outChannels, depth: 1, height: size, width: size },
        ...{ outDepth: 1, outHeight: out, outWidth: out, kernelDepth: 1, kernelHeight: kernel, kernelWidth: kernel },
        ...{ ...flat, strideHeight: stride, strideWidth: stride, padTop: pad, padLeft: pad },
        ...{ xPixelStride: channels, yPixelStride: outChannels, residualPixelStride: 0 },
      };
      const spans = ceilDiv(out, MatMulTile.Rows * stride);
      const tiles = out * spans * ceilDiv(outChannels, MatMulTile.Columns);
      return launching(engine, [{ kernel: 'transposedConvolution', params, tiles }]);
    },
  };
}

const halfPixel: Omit<ResizeMode, 'mode'> = {
  coordinates: 'half_pixel',
  rounding: 'round_prefer_floor',
  cubicCoefficient: -0.75,
  excludeOutside: false,
  antialias: false,
  extrapolationValue: 0,
};

function placeTable(engine: Engine, { indices, weights }: AxisTable): [indices: number, weights: number] {
  const at = [engine.allocate(indices.byteLength), engine.allocate(weights.byteLength)] as const;
  engine.i32.set(indices, at[0] / 4);
  engine.f32.set(weights, at[1] / 4);
  return [...at];
}

const resize = (mode: ResizeMode['mode'], size: number, channels: number, out: number): Case => ({
  name: `resize ${mode} ${channels} @${size}²→${out}²`,
  bytes: 4 * channels * (size * size + out * out),
  prepare(engine) {
    const axis = { input: size, output: out, scale: out / size, roi: [0, 1] } as const;
    const table = axisTable({ mode, ...halfPixel }, axis);
    const [indices, weights] = placeTable(engine, table);
    const params = {
      ...{ x: floats(engine, size * size * channels), y: floats(engine, out * out * channels) },
      ...{ rowIndices: indices, rowWeights: weights, rowConstants: 0, rowTaps: table.taps },
      ...{ columnIndices: indices, columnWeights: weights, columnConstants: 0, columnTaps: table.taps },
      ...{ outer: 1, height: size, width: size, channels, xPixelStride: channels, yPixelStride: channels },
      ...{ outHeight: out, outWidth: out, tilePixels: out },
    };
    return launching(engine, [{ kernel: 'resize', params, tiles: out }]);
  },
});

const groupNorm = (size: number, channels: number, groups: number): Case => ({
  name: `group norm ${channels} in ${groups} @${size}²`,
  bytes: 4 * 2 * channels * size * size,
  prepare(engine) {
    const blocks = ceilDiv(size * size, GroupNorm.BlockPixels);
    const shape = { batch: 1, pixels: size * size, channels };
    const x = floats(engine, size * size * channels);
    const y = floats(engine, size * size * channels);
    const moments = floats(engine, blocks * 3 * channels);
    const coefficients = floats(engine, 3 * channels);
    const affine = { scale: floats(engine, channels), bias: floats(engine, channels) };
    const strides = { xPixelStride: channels, yPixelStride: channels };
    const none = { activation: Activation.None, alpha: 0, beta: 0 };
    const measure = { x, moments, ...shape, xPixelStride: channels };
    const join = { moments, coefficients, ...affine, ...shape, groups, epsilon: 1e-5 };
    return () => {
      engine.launch('groupMoments', measure, blocks);
      engine.launch('groupCoefficients', join, groups);
      engine.launch('groupNorm', { x, coefficients, y, ...shape, ...strides, ...none }, blocks);
    };
  },
});

const lrn = (size: number, channels: number): Case => ({
  name: `lrn 5 of ${channels} @${size}²`,
  bytes: 4 * 2 * channels * size * size,
  prepare(engine) {
    const at = { x: floats(engine, size * size * channels), y: floats(engine, size * size * channels) };
    const params = {
      ...at,
      pixels: size * size,
      channels,
      size: 5,
      alpha: 1e-4,
      beta: 0.75,
      bias: 1,
      tilePixels: size,
    };
    return launching(engine, [{ kernel: 'lrn', params, tiles: size }]);
  },
});

/** 3×3 taps whose offsets are all different; `bytes` counts the samples and the image. */
const deformable = (size: number, channels: number, reach: number): Case => ({
  name: `deformable sampling 3×3 ${channels} @${size}², offsets ±${reach}`,
  flops: 8 * 9 * size * size * channels,
  bytes: 4 * 10 * size * size * channels,
  prepare(engine) {
    const offset = floats(engine, size * size * 18);
    for (let i = 0; i < size * size * 18; i++) engine.f32[offset / 4 + i] = Math.sin(i) * reach;
    const params = {
      ...{ x: floats(engine, size * size * channels), y: floats(engine, 9 * size * size * channels) },
      ...{ offset, mask: floats(engine, 9 * size * size), batch: 1, channels, offsetGroups: 1, axes: 2 },
      ...{ depth: 1, height: size, width: size, outDepth: 1, outHeight: size, outWidth: size },
      ...{ kernelDepth: 1, kernelHeight: 3, kernelWidth: 3, strideHeight: 1, strideWidth: 1 },
      ...{ ...flat, padTop: 1, padLeft: 1, tilePixels: size },
    };
    return launching(engine, [{ kernel: 'deformSample', params, tiles: size }]);
  },
});

export const cases: Case[] = [
  depthwise(112, 32, 3),
  depthwise(112, 96, 3, 2),
  depthwise(56, 144, 3),
  depthwise(56, 144, 3, 2),
  depthwise(28, 192, 3),
  depthwise(14, 576, 3),
  depthwise(7, 960, 3),
  depthwise(28, 240, 5),
  depthwise(28, 240, 5, 2),
  depthwise(14, 672, 5),
  depthwise(7, 1152, 5),
  depthwise(56, 96, 7),
  pool('maxPool', 112, 64, 3, 2),
  pool('maxPool', 112, 64, 2, 2),
  pool('averagePool', 35, 192, 3, 1),
  globalAverage(7, 1280),
  globalAverage(56, 64),
  transposed(64, 128, 64, 2, 2),
  transposed(8, 512, 512, 2, 2),
  transposed(32, 64, 32, 4, 2),
  resize('nearest', 64, 128, 128),
  resize('linear', 64, 128, 128),
  resize('linear', 480, 3, 320),
  resize('cubic', 64, 64, 128),
  deformable(56, 64, 2),
  deformable(28, 256, 2),
  deformable(56, 64, 0),
  groupNorm(64, 320, 32),
  groupNorm(56, 64, 64),
  lrn(56, 64),
];
