import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Activation } from '../../build/kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';
import { gapsIntact, gatherPixels, spreadPixels } from './pixels.js';

interface Case {
  batch?: number;
  input: [height: number, width: number];
  channels: number;
  multiplier?: number;
  kernel: [number, number];
  stride?: [number, number];
  dilation?: [number, number];
  pads?: [top: number, left: number, bottom: number, right: number];
  residual?: boolean;
  activation?: number;
  /** By how much pixel strides exceed the channels. */
  gap?: number;
}

const cases: Record<string, Case> = {
  '3×3': { batch: 2, input: [9, 11], channels: 20, kernel: [3, 3], pads: [1, 1, 1, 1], residual: true },
  '3×3, clip': { input: [7, 7], channels: 7, kernel: [3, 3], pads: [1, 1, 1, 1], activation: Activation.Clip },
  '3×3, SiLU': { input: [5, 9], channels: 9, kernel: [3, 3], pads: [1, 1, 1, 1], activation: Activation.Silu },
  '3×3 on slices, SiLU': {
    input: [6, 9],
    channels: 6,
    kernel: [3, 3],
    pads: [1, 1, 1, 1],
    residual: true,
    activation: Activation.Silu,
    gap: 3,
  },
  '3×3 stride 2': { batch: 2, input: [14, 15], channels: 18, kernel: [3, 3], stride: [2, 2], pads: [1, 1, 1, 1] },
  '3×3 stride 2, asymmetric pads': { input: [8, 24], channels: 4, kernel: [3, 3], stride: [2, 2], pads: [0, 0, 1, 1] },
  '3×3 stride 3×1, no pads': { input: [10, 12], channels: 5, kernel: [3, 3], stride: [3, 1] },
  '5×5': { input: [12, 13], channels: 21, kernel: [5, 5], pads: [2, 2, 2, 2], residual: true },
  '5×5 stride 2': { input: [14, 21], channels: 6, kernel: [5, 5], stride: [2, 2], pads: [2, 2, 2, 2] },
  '5×5 wider than the image': { input: [2, 3], channels: 33, kernel: [5, 5], pads: [2, 2, 2, 2] },
  '7×7': { input: [9, 17], channels: 12, kernel: [7, 7], pads: [3, 3, 3, 3] },
  '3×3 dilated': { input: [11, 16], channels: 8, kernel: [3, 3], dilation: [2, 3], pads: [2, 3, 2, 3] },
  '2×4 stride 2×3 dilated 3×2': {
    input: [13, 40],
    channels: 17,
    kernel: [2, 4],
    stride: [2, 3],
    dilation: [3, 2],
    pads: [4, 5, 3, 6],
  },
  '1-D, 9 taps': { batch: 2, input: [1, 50], channels: 10, kernel: [1, 9], pads: [0, 8, 0, 0] },
  'rows wholly in the padding': { input: [2, 5], channels: 3, kernel: [2, 2], pads: [5, 4, 3, 4] },
  'multiplier 2': { input: [6, 7], channels: 10, multiplier: 2, kernel: [3, 3], pads: [1, 1, 1, 1], residual: true },
  'multiplier 3': {
    batch: 2,
    input: [5, 6],
    channels: 21,
    multiplier: 3,
    kernel: [3, 2],
    stride: [2, 1],
    pads: [1, 0, 0, 1],
  },
};

const LIMITS = { alpha: -0.5, beta: 0.75 };
const activations: Record<number, (v: number) => number> = {
  [Activation.None]: (v) => v,
  [Activation.Clip]: (v) => Math.min(Math.max(v, LIMITS.alpha), LIMITS.beta),
  [Activation.Silu]: (v) => v / (1 + Math.exp(-v)),
};

for (const variant of variants) {
  const test = suite(`depthwise convolution (${variant})`);
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const { batch = 1, multiplier = 1, channels, stride = [1, 1], dilation = [1, 1], pads = [0, 0, 0, 0] } = c;
      const { activation = Activation.None, gap = 0 } = c;
      const inChannels = channels / multiplier;
      const [height, width] = c.input;
      const [kernelHeight, kernelWidth] = c.kernel;
      const outHeight = Math.floor((height + pads[0] + pads[2] - (kernelHeight - 1) * dilation[0] - 1) / stride[0]) + 1;
      const outWidth = Math.floor((width + pads[1] + pads[3] - (kernelWidth - 1) * dilation[1] - 1) / stride[1]) + 1;
      const outputs = batch * outHeight * outWidth * channels;
      const taps = kernelHeight * kernelWidth;
      const x = randomFloats(batch * height * width * inChannels, 1);
      const w = randomFloats(channels * taps, 2);
      const bias = randomFloats(channels, 3);
      const residual = randomFloats(c.residual ? outputs : 0, 4);

      const expected = new Float64Array(outputs);
      for (let i = 0; i < outputs; i++) {
        const channel = i % channels;
        const ox = Math.floor(i / channels) % outWidth;
        const oy = Math.floor(i / channels / outWidth) % outHeight;
        const image = Math.floor(i / channels / outWidth / outHeight);
        let sum = (bias[channel] as number) + (residual[i] ?? 0);
        for (let t = 0; t < taps; t++) {
          const iy = oy * stride[0] - pads[0] + Math.floor(t / kernelWidth) * dilation[0];
          const ix = ox * stride[1] - pads[1] + (t % kernelWidth) * dilation[1];
          if (iy < 0 || iy >= height || ix < 0 || ix >= width) continue;
          const at = ((image * height + iy) * width + ix) * inChannels + Math.floor(channel / multiplier);
          sum += (x[at] as number) * (w[channel * taps + t] as number);
        }
        expected[i] = (activations[activation] as (v: number) => number)(sum);
      }

      const engine = freshEngine(variant);
      const blocks = Math.ceil(channels / 4);
      const packed = placeGuarded(engine, new Float32Array(blocks * taps * 4));
      const packing = { w: placeGuarded(engine, w), y: packed, channels, taps };
      runInSplits(engine, 'packDepthwise', packing, blocks, { address: packed, bytes: blocks * taps * 16 });
      assert.ok(guardsIntact(engine, packed, blocks * taps * 16));

      const tilePixels = 5;
      const blank = spreadPixels(new Float32Array(outputs), channels, channels + gap);
      const y = placeGuarded(engine, blank);
      const params = {
        x: placeGuarded(engine, spreadPixels(x, inChannels, inChannels + gap)),
        w: packed,
        bias: placeGuarded(engine, bias),
        residual: c.residual ? placeGuarded(engine, spreadPixels(residual, channels, channels + 2 * gap)) : 0,
        y,
        batch,
        height,
        width,
        channels,
        multiplier,
        outHeight,
        outWidth,
        kernelHeight,
        kernelWidth,
        strideHeight: stride[0],
        strideWidth: stride[1],
        dilationHeight: dilation[0],
        dilationWidth: dilation[1],
        padTop: pads[0],
        padLeft: pads[1],
        xPixelStride: inChannels + gap,
        yPixelStride: channels + gap,
        residualPixelStride: channels + 2 * gap,
        activation,
        ...LIMITS,
        tilePixels,
      };
      const tiles = Math.ceil((batch * outHeight * outWidth) / tilePixels);
      engine.launch('depthwiseConvolution', params, tiles);
      const actual = engine.f32.slice(y / 4, y / 4 + blank.length);
      const error = relativeL2(gatherPixels(actual, channels, channels + gap), expected);
      assert.ok(error < 3e-7, `relative L2 ${error}`);
      assert.ok(gapsIntact(actual, channels, channels + gap));
      if (gap === 0) runInSplits(engine, 'depthwiseConvolution', params, tiles, { address: y, bytes: outputs * 4 });
      assert.ok(guardsIntact(engine, y, blank.byteLength));
    });
  }
  test.run();
}
