import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Activation, type ConvolutionParams, MatMulTile } from '../../build/kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

type Axes = readonly [depth: number, height: number, width: number];

interface Case {
  name: string;
  batch?: number;
  groups?: number;
  /** Neighbouring groups packed as one. */
  merge?: number;
  /** Channels in and out, of one group. */
  channels: readonly [number, number];
  size: Axes;
  kernel: Axes;
  stride?: Axes;
  dilation?: Axes;
  /** Before and after each axis. */
  pads?: readonly [Axes, Axes];
  /** Channels around x, y and the residual in a wider tensor. */
  slice?: boolean;
  epilogue?: boolean;
}

const one: Axes = [1, 1, 1];
const none: Axes = [0, 0, 0];

const cases: Case[] = [
  {
    name: 'first layer 7×7/2',
    channels: [3, 64],
    size: [1, 31, 29],
    kernel: [1, 7, 7],
    stride: [1, 2, 2],
    pads: [
      [0, 3, 3],
      [0, 3, 3],
    ],
  },
  {
    name: 'first layer 3×3/2 of 4 channels',
    channels: [4, 13],
    size: [1, 12, 13],
    kernel: [1, 3, 3],
    stride: [1, 2, 2],
    pads: [
      [0, 0, 0],
      [0, 1, 1],
    ],
  },
  {
    name: '3×3',
    channels: [16, 24],
    size: [1, 9, 11],
    kernel: [1, 3, 3],
    pads: [
      [0, 1, 1],
      [0, 1, 1],
    ],
    epilogue: true,
  },
  {
    name: '3×3/2, 70 outputs',
    channels: [10, 70],
    size: [1, 15, 17],
    kernel: [1, 3, 3],
    stride: [1, 2, 2],
    pads: [
      [0, 1, 1],
      [0, 1, 1],
    ],
  },
  { name: '1×1/2', channels: [12, 20], size: [1, 8, 7], kernel: one, stride: [1, 2, 2], epilogue: true },
  {
    name: 'asymmetric pads',
    channels: [9, 8],
    size: [1, 5, 6],
    kernel: [1, 4, 2],
    pads: [
      [0, 3, 0],
      [0, 1, 2],
    ],
  },
  {
    name: 'dilated',
    channels: [8, 9],
    size: [1, 12, 12],
    kernel: [1, 3, 3],
    dilation: [1, 3, 2],
    pads: [
      [0, 3, 2],
      [0, 3, 2],
    ],
  },
  {
    name: 'dilated, few channels',
    channels: [2, 9],
    size: [1, 12, 12],
    kernel: [1, 3, 3],
    dilation: [1, 3, 2],
    pads: [
      [0, 3, 2],
      [0, 3, 2],
    ],
  },
  {
    name: 'batch',
    batch: 3,
    channels: [8, 8],
    size: [1, 5, 5],
    kernel: [1, 3, 3],
    pads: [
      [0, 1, 1],
      [0, 1, 1],
    ],
    epilogue: true,
  },
  {
    name: 'groups',
    batch: 2,
    groups: 3,
    channels: [4, 5],
    size: [1, 6, 5],
    kernel: [1, 3, 3],
    pads: [
      [0, 1, 1],
      [0, 1, 1],
    ],
    epilogue: true,
  },
  {
    name: 'groups, several blocks of rows',
    groups: 5,
    channels: [6, 5],
    batch: 2,
    size: [1, 13, 9],
    kernel: [1, 3, 3],
    pads: [
      [0, 1, 1],
      [0, 1, 1],
    ],
    epilogue: true,
  },
  {
    name: 'groups whose weights outgrow the cache',
    groups: 3,
    channels: [72, 70],
    size: [1, 8, 9],
    kernel: [1, 3, 3],
    pads: [
      [0, 1, 1],
      [0, 1, 1],
    ],
  },
  { name: 'merged groups', groups: 6, merge: 2, channels: [3, 4], size: [1, 6, 5], kernel: [1, 2, 3], epilogue: true },
  { name: 'merged groups, ragged', groups: 3, merge: 3, channels: [4, 3], size: [1, 6, 5], kernel: one },
  {
    name: 'groups of many channels',
    groups: 2,
    channels: [16, 72],
    size: [1, 4, 5],
    kernel: [1, 2, 2],
    epilogue: true,
  },
  {
    name: 'one dimension',
    channels: [5, 6],
    size: [1, 1, 50],
    kernel: [1, 1, 9],
    stride: [1, 1, 3],
    pads: [
      [0, 0, 4],
      [0, 0, 2],
    ],
  },
  {
    name: 'three dimensions',
    batch: 2,
    channels: [8, 7],
    size: [4, 5, 6],
    kernel: [2, 3, 2],
    stride: [2, 1, 1],
    pads: [
      [1, 1, 0],
      [0, 1, 1],
    ],
  },
  {
    name: 'between channel slices',
    batch: 2,
    channels: [8, 12],
    size: [1, 5, 7],
    kernel: [1, 3, 3],
    pads: [
      [0, 1, 1],
      [0, 1, 1],
    ],
    slice: true,
    epilogue: true,
  },
  {
    name: 'few channels of a slice',
    channels: [3, 12],
    size: [1, 5, 7],
    kernel: [1, 3, 3],
    pads: [
      [0, 1, 1],
      [0, 1, 1],
    ],
    slice: true,
  },
  {
    name: 'kernel larger than the image',
    channels: [8, 8],
    size: [1, 2, 2],
    kernel: [1, 5, 5],
    pads: [
      [0, 2, 2],
      [0, 2, 2],
    ],
  },
  {
    name: 'table larger than scratch',
    channels: [8, 8],
    size: [1, 9, 9],
    kernel: [1, 81, 81],
    pads: [
      [0, 40, 40],
      [0, 40, 40],
    ],
  },
];

/** Plain float64 loops. x is channels-last, w in ONNX's layout. */
function reference(c: Case, out: Axes, x: Float32Array, w: Float32Array): Float64Array {
  const { batch = 1, groups = 1, stride = one, dilation = one, pads = [none, none] } = c;
  const [channels, outChannels] = c.channels;
  const y = new Float64Array(batch * out[0] * out[1] * out[2] * groups * outChannels);
  let at = 0;
  for (let n = 0; n < batch; n++)
    for (let od = 0; od < out[0]; od++)
      for (let oh = 0; oh < out[1]; oh++)
        for (let ow = 0; ow < out[2]; ow++)
          for (let co = 0; co < groups * outChannels; co++, at++) {
            const group = Math.floor(co / outChannels);
            let sum = 0;
            for (let kd = 0; kd < c.kernel[0]; kd++) {
              const d = od * stride[0] + kd * dilation[0] - pads[0][0];
              if (d < 0 || d >= c.size[0]) continue;
              for (let kh = 0; kh < c.kernel[1]; kh++) {
                const h = oh * stride[1] + kh * dilation[1] - pads[0][1];
                if (h < 0 || h >= c.size[1]) continue;
                for (let kw = 0; kw < c.kernel[2]; kw++) {
                  const v = ow * stride[2] + kw * dilation[2] - pads[0][2];
                  if (v < 0 || v >= c.size[2]) continue;
                  const pixel = (((n * c.size[0] + d) * c.size[1] + h) * c.size[2] + v) * groups * channels;
                  for (let ci = 0; ci < channels; ci++) {
                    const tap = (((co * channels + ci) * c.kernel[0] + kd) * c.kernel[1] + kh) * c.kernel[2] + kw;
                    sum += (x[pixel + group * channels + ci] as number) * (w[tap] as number);
                  }
                }
              }
            }
            y[at] = sum;
          }
  return y;
}

const product = (axes: Axes) => axes[0] * axes[1] * axes[2];

/** The rows of `values` with `before` and `after` foreign values around each. */
function widen(values: Float32Array, row: number, before: number, after: number): Float32Array {
  const wide = new Float32Array((values.length / row) * (before + row + after)).fill(1e30);
  for (let i = 0; i * row < values.length; i++)
    wide.set(values.subarray(i * row, (i + 1) * row), i * (before + row + after) + before);
  return wide;
}

for (const variant of variants) {
  const test = suite(`convolution (${variant})`);

  for (const c of cases) {
    test(c.name, () => {
      const { batch = 1, merge = 1, stride = one, dilation = one, pads = [none, none], epilogue = false } = c;
      const groups = (c.groups ?? 1) / merge;
      const [channels, outChannels] = [c.channels[0] * merge, c.channels[1] * merge];
      const extent = (i: 0 | 1 | 2) =>
        Math.floor((c.size[i] + pads[0][i] + pads[1][i] - (c.kernel[i] - 1) * dilation[i] - 1) / stride[i]) + 1;
      const out: Axes = [extent(0), extent(1), extent(2)];
      const pixels = batch * product(out);
      const [inRow, outRow] = [groups * channels, groups * outChannels];
      const [before, after] = c.slice ? [3, 2] : [0, 0];

      const engine = freshEngine(variant);
      const x = randomFloats(batch * product(c.size) * inRow, 1);
      const w = randomFloats(outRow * c.channels[0] * product(c.kernel), 2);
      const bias = randomFloats(outRow, 3);
      const residual = randomFloats(pixels * outRow, 4);

      const panels = groups * Math.ceil(outChannels / MatMulTile.Panel);
      const packedBytes = panels * channels * product(c.kernel) * MatMulTile.Panel * 4;
      const packed = placeGuarded(engine, new Uint8Array(packedBytes));
      const taps = product(c.kernel);
      const packing = { w: placeGuarded(engine, w), packed, groups, channels, outChannels, taps, merge };
      runInSplits(engine, 'packConvolution', packing, panels, { address: packed, bytes: packedBytes });
      assert.ok(guardsIntact(engine, packed, packedBytes));

      const width = before + outRow + after;
      const bytes = pixels * width * 4;
      const y = placeGuarded(engine, new Uint8Array(bytes).fill(0x77));
      const params: ConvolutionParams = {
        x: placeGuarded(engine, widen(x, inRow, before, after)) + before * 4,
        w: packed,
        y: y + before * 4,
        bias: epilogue ? placeGuarded(engine, bias) : 0,
        residual: epilogue ? placeGuarded(engine, widen(residual, outRow, 0, after)) : 0,
        activation: epilogue ? Activation.Clip : Activation.None,
        alpha: 0,
        beta: 6,
        ...{ batch, groups, channels, outChannels },
        ...{ depth: c.size[0], height: c.size[1], width: c.size[2] },
        ...{ outDepth: out[0], outHeight: out[1], outWidth: out[2] },
        ...{ kernelDepth: c.kernel[0], kernelHeight: c.kernel[1], kernelWidth: c.kernel[2] },
        ...{ strideDepth: stride[0], strideHeight: stride[1], strideWidth: stride[2] },
        ...{ dilationDepth: dilation[0], dilationHeight: dilation[1], dilationWidth: dilation[2] },
        ...{ padFront: pads[0][0], padTop: pads[0][1], padLeft: pads[0][2] },
        ...{ xPixelStride: before + inRow + after, yPixelStride: width, residualPixelStride: outRow + after },
      };
      const tiles = groups * Math.ceil(pixels / MatMulTile.Rows) * Math.ceil(outChannels / MatMulTile.Columns);
      runInSplits(engine, 'convolution', params, tiles, { address: y, bytes });

      const inSlice = (i: number) => i % width >= before && i % width < before + outRow;
      const all = engine.f32.slice(y / 4, (y + bytes) / 4);
      const expected = reference(c, out, x, w).map((sum, i) =>
        epilogue ? Math.min(Math.max(sum + (bias[i % outRow] as number) + (residual[i] as number), 0), 6) : sum,
      );
      const beside = new Uint8Array(all.filter((_, i) => !inSlice(i)).buffer);
      assert.ok(
        relativeL2(
          all.filter((_, i) => inSlice(i)),
          expected,
        ) < 1e-6,
      );
      assert.ok(beside.every((byte) => byte === 0x77));
      assert.ok(guardsIntact(engine, y, bytes));
    });
  }

  test.run();
}
