// Products of 8-bit integers: a multiply-add counts as two operations, so that figures are comparable with floats.
import { IntegerResult, IntegerTile } from '../../build/quantized-kernels.js';
import { integerDots } from '../../src/backends/wasm/lower/integer-dots.js';
import { panelBytes } from '../../src/backends/wasm/lower/integer-weights.js';
import { type Case, ceilDiv, type Engine, floats, launching } from './measure.js';

function bytes(engine: Engine, count: number): number {
  const at = engine.allocate(count);
  for (let i = 0; i < count; i++) engine.u8[at + i] = (i * 7919) % 256;
  return at;
}

/** Parameters that all columns share: one scale, results of uint8. */
const epilogue = (engine: Engine) => ({
  ...{ xZero: 0, xZeroStep: 0, xSigned: 0, wZero: 0, wZeroStep: 0, wSigned: 1, bias: 0, scaleStep: 0 },
  ...{ scale: floats(engine, 1), yZero: bytes(engine, 1), ySigned: 0, low: -1e30, high: 1e30 },
});

const product = (name: string, m: number, k: number, n: number, result: IntegerResult, inner = 1): Case => ({
  name,
  flops: 2 * m * k * n * inner,
  prepare(engine) {
    const dots = integerDots(engine);
    const b = bytes(engine, ceilDiv(n, IntegerTile.Panel) * panelBytes(k, dots));
    const params = {
      ...epilogue(engine),
      ...{ a: bytes(engine, m * k), b, y: bytes(engine, 4 * m * n), dots, m, n, k, outer: 1, inner, result },
      ...{ aRowStride: k, aOuterStride: 0, aInnerStride: 0, bOuterStride: 0, bInnerStride: 0 },
      ...{ yRowStride: n, yOuterStride: 0, yInnerStride: 0 },
    };
    const tiles = inner * ceilDiv(m, IntegerTile.Rows) * ceilDiv(n, IntegerTile.Columns);
    return launching(engine, [{ kernel: 'integerMatMul', params, tiles }]);
  },
});

const depthwise = (size: number, channels: number, stride: number): Case => ({
  name: `depthwise int8 ${size}² ×${channels}, stride ${stride}`,
  flops: 2 * 9 * channels * ceilDiv(size, stride) ** 2,
  prepare(engine) {
    const dots = integerDots(engine);
    const out = ceilDiv(size, stride);
    const w = bytes(engine, ceilDiv(channels, IntegerTile.Panel) * panelBytes(12, dots));
    const params = {
      ...epilogue(engine),
      ...{
        x: bytes(engine, size * size * channels),
        w,
        y: bytes(engine, out * out * channels),
        dots,
        batch: 1,
        channels,
      },
      ...{ height: size, width: size, outHeight: out, outWidth: out, kernelHeight: 3, kernelWidth: 3 },
      ...{ strideHeight: stride, strideWidth: stride, dilationHeight: 1, dilationWidth: 1, padTop: 1, padLeft: 1 },
      ...{ result: IntegerResult.Narrow, tilePixels: out * out },
    };
    return launching(engine, [{ kernel: 'integerDepthwise', params, tiles: 1 }]);
  },
});

export const cases: Case[] = [
  product('int8 micro-kernel in L1, 24×1024×8', 24, 1024, 8, IntegerResult.Integers, 100),
  product('int8 128×512×512 into int32', 128, 512, 512, IntegerResult.Integers),
  product('int8 128×384×1536 into floats', 128, 384, 1536, IntegerResult.Floats),
  product('int8 1×1 convolution 112² 16→96', 112 * 112, 16, 96, IntegerResult.Narrow),
  product('int8 1×1 convolution 112² 32→16', 112 * 112, 32, 16, IntegerResult.Narrow),
  product('int8 1×1 convolution 28² 576→96', 28 * 28, 576, 96, IntegerResult.Narrow),
  product('int8 1×1024×1024 into floats', 1, 1024, 1024, IntegerResult.Floats),
  depthwise(112, 32, 1),
  depthwise(112, 96, 2),
  depthwise(56, 144, 1),
  depthwise(7, 960, 1),
];
