import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Activation, MatMulTile } from '../../build/kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';
import { gapsIntact, gatherPixels, spreadPixels } from './pixels.js';

type Triple = [depth: number, height: number, width: number];

interface Case {
  batch?: number;
  groups?: number;
  /** Channels of one group. */
  channels: [input: number, output: number];
  input: Triple;
  kernel: Triple;
  stride?: Triple;
  dilation?: Triple;
  before?: Triple;
  after?: Triple;
  outputPadding?: Triple;
  residual?: boolean;
  activation?: number;
  gap?: number;
}

const ONES: Triple = [1, 1, 1];
const NONE: Triple = [0, 0, 0];

const cases: Record<string, Case> = {
  '2×2 stride 2': {
    batch: 2,
    channels: [9, 70],
    input: [1, 3, 5],
    kernel: [1, 2, 2],
    stride: [1, 2, 2],
    residual: true,
  },
  '3×3 stride 2, output padding': {
    channels: [5, 11],
    input: [1, 4, 4],
    kernel: [1, 3, 3],
    stride: [1, 2, 2],
    before: [0, 1, 1],
    after: [0, 1, 1],
    outputPadding: [0, 1, 1],
    activation: Activation.Silu,
  },
  '4×4 stride 2 on slices': {
    channels: [6, 3],
    input: [1, 5, 3],
    kernel: [1, 4, 4],
    stride: [1, 2, 2],
    before: [0, 1, 1],
    after: [0, 1, 1],
    residual: true,
    activation: Activation.Clip,
    gap: 5,
  },
  '3×3 stride 1': { channels: [4, 8], input: [1, 5, 6], kernel: [1, 3, 3], before: [0, 1, 1], after: [0, 1, 1] },
  '3×2 stride 2×3, dilated': {
    channels: [3, 9],
    input: [1, 4, 5],
    kernel: [1, 3, 2],
    stride: [1, 2, 3],
    dilation: [1, 2, 2],
    before: [0, 2, 1],
  },
  'phases without a tap': {
    channels: [2, 4],
    input: [1, 3, 4],
    kernel: [1, 1, 2],
    stride: [1, 3, 4],
    dilation: [1, 1, 2],
  },
  groups: {
    batch: 2,
    groups: 3,
    channels: [4, 10],
    input: [1, 3, 3],
    kernel: [1, 3, 3],
    stride: [1, 2, 2],
    before: [0, 1, 0],
  },
  '1-D, several spans': {
    channels: [8, 5],
    input: [1, 1, 140],
    kernel: [1, 1, 8],
    stride: [1, 1, 2],
    before: [0, 0, 3],
  },
  '3-D': {
    channels: [3, 6],
    input: [2, 3, 2],
    kernel: [2, 3, 3],
    stride: [2, 2, 1],
    before: [0, 1, 1],
    after: [0, 1, 0],
  },
};

const LIMITS = { alpha: -0.5, beta: 0.75 };
const activations: Record<number, (v: number) => number> = {
  [Activation.None]: (v) => v,
  [Activation.Clip]: (v) => Math.min(Math.max(v, LIMITS.alpha), LIMITS.beta),
  [Activation.Silu]: (v) => v / (1 + Math.exp(-v)),
};

/** Scatters every input to the outputs it reaches; x and y channels last, w as in ONNX. */
function scatter(c: Case, x: Float32Array, w: Float32Array, y: Float64Array, output: Triple): void {
  const { batch = 1, groups = 1, input, kernel, stride = ONES, dilation = ONES, before = NONE } = c;
  const [channels, outChannels] = c.channels;
  const taps = kernel[0] * kernel[1] * kernel[2];
  for (let pixel = 0; pixel < batch * input[0] * input[1] * input[2]; pixel++) {
    const at: Triple = [
      Math.floor(pixel / input[2] / input[1]) % input[0],
      Math.floor(pixel / input[2]) % input[1],
      pixel % input[2],
    ];
    const image = Math.floor(pixel / input[2] / input[1] / input[0]);
    for (let t = 0; t < taps; t++) {
      const tap: Triple = [Math.floor(t / kernel[2] / kernel[1]), Math.floor(t / kernel[2]) % kernel[1], t % kernel[2]];
      const to = ([0, 1, 2] as const).map((a) => at[a] * stride[a] + tap[a] * dilation[a] - before[a]) as Triple;
      if (!([0, 1, 2] as const).every((a) => to[a] >= 0 && to[a] < output[a])) continue;
      const target = ((image * output[0] + to[0]) * output[1] + to[1]) * output[2] + to[2];
      for (let i = 0; i < groups * channels; i++) {
        for (let o = 0; o < outChannels; o++) {
          const channel = Math.floor(i / channels) * outChannels + o;
          const product =
            (x[pixel * groups * channels + i] as number) * (w[(i * outChannels + o) * taps + t] as number);
          y[target * groups * outChannels + channel] = (y[target * groups * outChannels + channel] as number) + product;
        }
      }
    }
  }
}

for (const variant of variants) {
  const test = suite(`transposed convolution (${variant})`);
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const { batch = 1, groups = 1, input, kernel, gap = 0, activation = Activation.None } = c;
      const { stride = ONES, dilation = ONES, before = NONE, after = NONE, outputPadding = NONE } = c;
      const [channels, outChannels] = c.channels;
      const taps = kernel[0] * kernel[1] * kernel[2];
      const output = ([0, 1, 2] as const).map((a) => {
        const reach = (kernel[a] - 1) * dilation[a] + 1;
        return (input[a] - 1) * stride[a] + reach - before[a] - after[a] + outputPadding[a];
      }) as Triple;
      const inputs = batch * input[0] * input[1] * input[2] * groups * channels;
      const outputs = batch * output[0] * output[1] * output[2] * groups * outChannels;
      const x = randomFloats(inputs, 1);
      const w = randomFloats(groups * channels * outChannels * taps, 2);
      const bias = randomFloats(groups * outChannels, 3);
      const residual = randomFloats(c.residual ? outputs : 0, 4);

      const expected = new Float64Array(outputs);
      scatter(c, x, w, expected, output);
      for (const [i, sum] of expected.entries()) {
        const total = sum + (bias[i % bias.length] as number) + (residual[i] ?? 0);
        expected[i] = (activations[activation] as (v: number) => number)(total);
      }

      const engine = freshEngine(variant);
      const panels = Math.ceil(outChannels / MatMulTile.Panel);
      const packedFloats = groups * panels * taps * channels * MatMulTile.Panel;
      const packed = placeGuarded(engine, new Float32Array(packedFloats));
      const [kernelDepth, kernelHeight, kernelWidth] = kernel;
      const [strideDepth, strideHeight, strideWidth] = stride;
      const [dilationDepth, dilationHeight, dilationWidth] = dilation;
      const window = {
        ...{ groups, channels, outChannels, kernelDepth, kernelHeight, kernelWidth },
        ...{ strideDepth, strideHeight, strideWidth, dilationDepth, dilationHeight, dilationWidth },
      };
      const packing = { w: placeGuarded(engine, w), packed, ...window };
      runInSplits(engine, 'packTransposedConvolution', packing, groups * panels, {
        address: packed,
        bytes: packedFloats * 4,
      });
      assert.ok(guardsIntact(engine, packed, packedFloats * 4));

      const xPixelStride = groups * channels + gap;
      const yPixelStride = groups * outChannels + gap;
      const residualPixelStride = groups * outChannels + 2 * gap;
      const blank = spreadPixels(new Float32Array(outputs), groups * outChannels, yPixelStride);
      const y = placeGuarded(engine, blank);
      const params = {
        ...window,
        x: placeGuarded(engine, spreadPixels(x, groups * channels, xPixelStride)),
        w: packed,
        bias: placeGuarded(engine, bias),
        residual: c.residual
          ? placeGuarded(engine, spreadPixels(residual, groups * outChannels, residualPixelStride))
          : 0,
        y,
        batch,
        ...{ depth: input[0], height: input[1], width: input[2] },
        ...{ outDepth: output[0], outHeight: output[1], outWidth: output[2] },
        ...{ padFront: before[0], padTop: before[1], padLeft: before[2] },
        ...{ xPixelStride, yPixelStride, residualPixelStride },
        activation,
        ...LIMITS,
      };
      const spans = Math.ceil(output[2] / (MatMulTile.Rows * strideWidth));
      const tiles = groups * batch * output[0] * output[1] * spans * Math.ceil(outChannels / MatMulTile.Columns);
      engine.launch('transposedConvolution', params, tiles);
      const actual = engine.f32.slice(y / 4, y / 4 + blank.length);
      const error = relativeL2(gatherPixels(actual, groups * outChannels, yPixelStride), expected);
      assert.ok(error < 3e-7, `relative L2 ${error}`);
      assert.ok(gapsIntact(actual, groups * outChannels, yPixelStride));
      if (gap === 0) runInSplits(engine, 'transposedConvolution', params, tiles, { address: y, bytes: outputs * 4 });
      assert.ok(guardsIntact(engine, y, blank.byteLength));
    });
  }
  test.run();
}
