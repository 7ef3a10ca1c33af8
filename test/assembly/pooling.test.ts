import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GlobalPool } from '../../build/kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';
import { gapsIntact, gatherPixels, spreadPixels } from './pixels.js';

type Triple = [depth: number, height: number, width: number];

interface Case {
  kernel: 'maxPool' | 'averagePool' | 'lpPool';
  batch?: number;
  input: Triple;
  output: Triple;
  channels: number;
  window: Triple;
  stride?: Triple;
  dilation?: Triple;
  before?: Triple;
  after?: Triple;
  countIncludePad?: number;
  order?: number;
  /** Pixel strides exceed the channels by this much. */
  gap?: number;
}

const AXES = [0, 1, 2] as const;
const ONES: Triple = [1, 1, 1];
const NONE: Triple = [0, 0, 0];

const cases: Record<string, Case> = {
  'max 3×3 stride 2': {
    kernel: 'maxPool',
    batch: 2,
    input: [1, 13, 12],
    output: [1, 7, 6],
    channels: 37,
    window: [1, 3, 3],
    stride: [1, 2, 2],
    before: [0, 1, 1],
    after: [0, 1, 1],
  },
  'max 2×3 dilated': {
    kernel: 'maxPool',
    input: [1, 9, 11],
    output: [1, 7, 7],
    channels: 6,
    window: [1, 2, 3],
    dilation: [1, 3, 2],
    before: [0, 1, 0],
  },
  'max 2×2 into a slice': {
    kernel: 'maxPool',
    input: [1, 6, 8],
    output: [1, 3, 4],
    channels: 17,
    window: [1, 2, 2],
    stride: [1, 2, 2],
    gap: 3,
  },
  'max 3-D': {
    kernel: 'maxPool',
    batch: 2,
    input: [5, 6, 7],
    output: [3, 2, 6],
    channels: 5,
    window: [2, 3, 2],
    stride: [2, 3, 1],
    before: [1, 0, 0],
  },
  'average 3×3, pads not counted': {
    kernel: 'averagePool',
    input: [1, 8, 9],
    output: [1, 8, 9],
    channels: 21,
    window: [1, 3, 3],
    before: [0, 1, 1],
    after: [0, 1, 1],
  },
  'average 3×3, pads counted': {
    kernel: 'averagePool',
    input: [1, 8, 9],
    output: [1, 8, 9],
    channels: 16,
    window: [1, 3, 3],
    before: [0, 1, 1],
    after: [0, 1, 1],
    countIncludePad: 1,
  },
  'average 3×3 stride 2 ceil, pads counted but not what overhangs them': {
    kernel: 'averagePool',
    input: [1, 6, 6],
    output: [1, 4, 4],
    channels: 3,
    window: [1, 3, 3],
    stride: [1, 2, 2],
    before: [0, 1, 1],
    after: [0, 1, 1],
    countIncludePad: 1,
  },
  'average 3×4 stride 1×2 ceil, pads counted, more of them before': {
    kernel: 'averagePool',
    input: [1, 5, 6],
    output: [1, 6, 4],
    channels: 5,
    window: [1, 3, 4],
    stride: [1, 1, 2],
    before: [0, 2, 3],
    after: [0, 1, 0],
    countIncludePad: 1,
  },
  'average 4×3 stride 3×2 ceil, pads counted, more of them after': {
    kernel: 'averagePool',
    input: [1, 7, 6],
    output: [1, 3, 4],
    channels: 17,
    window: [1, 4, 3],
    stride: [1, 3, 2],
    before: [0, 0, 1],
    after: [0, 2, 2],
    countIncludePad: 1,
  },
  'average 3-D dilated, pads counted, other ones on each side': {
    kernel: 'averagePool',
    input: [4, 5, 6],
    output: [4, 6, 6],
    channels: 6,
    window: [2, 3, 2],
    dilation: [2, 1, 3],
    before: [2, 1, 0],
    after: [0, 2, 3],
    countIncludePad: 1,
  },
  'average 1-D into a slice': {
    kernel: 'averagePool',
    batch: 3,
    input: [1, 1, 25],
    output: [1, 1, 12],
    channels: 4,
    window: [1, 1, 3],
    stride: [1, 1, 2],
    gap: 5,
  },
  'average 3-D dilated': {
    kernel: 'averagePool',
    input: [6, 5, 7],
    output: [4, 2, 3],
    channels: 9,
    window: [2, 2, 3],
    stride: [1, 2, 2],
    dilation: [2, 1, 1],
  },
  L1: { kernel: 'lpPool', input: [1, 5, 5], output: [1, 4, 4], channels: 6, window: [1, 2, 2], order: 1 },
  L2: {
    kernel: 'lpPool',
    input: [1, 7, 6],
    output: [1, 4, 3],
    channels: 18,
    window: [1, 3, 2],
    stride: [1, 2, 2],
    before: [0, 1, 0],
    after: [0, 1, 0],
    order: 2,
  },
  L3: { kernel: 'lpPool', input: [1, 5, 5], output: [1, 4, 4], channels: 7, window: [1, 2, 2], order: 3 },
};

const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);

function reference(c: Case, x: Float32Array): Float64Array {
  const { batch = 1, input, output, channels, window, stride = ONES, dilation = ONES, before = NONE, after = NONE } = c;
  const { countIncludePad = 0, order = 0 } = c;
  const y = new Float64Array(batch * output[0] * output[1] * output[2] * channels);
  for (let i = 0; i < y.length; i++) {
    const channel = i % channels;
    let rest = Math.floor(i / channels);
    const o: Triple = [0, 0, 0];
    for (const axis of [2, 1, 0] as const) {
      o[axis] = rest % output[axis];
      rest = Math.floor(rest / output[axis]);
    }
    const inside: number[] = [];
    let padded = 0;
    for (let t = 0; t < window[0] * window[1] * window[2]; t++) {
      const tap: Triple = [Math.floor(t / window[2] / window[1]), Math.floor(t / window[2]) % window[1], t % window[2]];
      const at = AXES.map((a) => o[a] * stride[a] - before[a] + tap[a] * dilation[a]) as Triple;
      if (AXES.every((a) => at[a] < input[a] + after[a])) padded++;
      if (!AXES.every((a) => at[a] >= 0 && at[a] < input[a])) continue;
      inside.push(
        x[(((rest * input[0] + at[0]) * input[1] + at[1]) * input[2] + at[2]) * channels + channel] as number,
      );
    }
    if (c.kernel === 'maxPool') y[i] = Math.max(...inside);
    else if (c.kernel === 'averagePool') y[i] = sum(inside) / (countIncludePad ? padded : inside.length);
    else y[i] = sum(inside.map((v) => Math.abs(v) ** order)) ** (1 / order);
  }
  return y;
}

for (const variant of variants) {
  const test = suite(`pooling (${variant})`);

  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const { batch = 1, input, output, channels, window, gap = 0 } = c;
      const { stride = ONES, dilation = ONES, before = NONE, after = NONE, countIncludePad = 0, order = 0 } = c;
      const x = randomFloats(batch * input[0] * input[1] * input[2] * channels, 1);
      const expected = reference(c, x);
      const engine = freshEngine(variant);
      const pixel = channels + gap;
      const blank = spreadPixels(new Float32Array(expected.length), channels, pixel);
      const y = placeGuarded(engine, blank);
      const tilePixels = 5;
      const params = {
        x: placeGuarded(engine, spreadPixels(x, channels, pixel)),
        y,
        batch,
        channels,
        xPixelStride: pixel,
        yPixelStride: pixel,
        depth: input[0],
        height: input[1],
        width: input[2],
        outDepth: output[0],
        outHeight: output[1],
        outWidth: output[2],
        kernelDepth: window[0],
        kernelHeight: window[1],
        kernelWidth: window[2],
        strideDepth: stride[0],
        strideHeight: stride[1],
        strideWidth: stride[2],
        dilationDepth: dilation[0],
        dilationHeight: dilation[1],
        dilationWidth: dilation[2],
        padFront: before[0],
        padTop: before[1],
        padLeft: before[2],
        padBack: after[0],
        padBottom: after[1],
        padRight: after[2],
        countIncludePad,
        order,
        tilePixels,
      };
      const pixels = expected.length / channels;
      engine.launch(c.kernel, params, Math.ceil(pixels / tilePixels));
      const actual = engine.f32.slice(y / 4, y / 4 + blank.length);
      const error = relativeL2(gatherPixels(actual, channels, pixel), expected);
      assert.ok(error < (c.kernel === 'maxPool' ? 1e-30 : 2e-7), `relative L2 ${error}`);
      assert.ok(gapsIntact(actual, channels, pixel));
      if (gap === 0) {
        runInSplits(engine, c.kernel, params, Math.ceil(pixels / tilePixels), { address: y, bytes: actual.length * 4 });
      }
      assert.ok(guardsIntact(engine, y, actual.length * 4));
    });
  }

  test('a NaN in the window is the maximum, wherever it stands', () => {
    const engine = freshEngine(variant);
    for (const at of [0, 1, 2]) {
      const y = placeGuarded(engine, new Float32Array(4));
      const x = new Float32Array([3, 3, 3, 3, 2, 2, 2, 2, 4, 4, 4, 4]);
      x[at * 4 + 1] = Number.NaN;
      const params = {
        x: placeGuarded(engine, x),
        y,
        batch: 1,
        pixels: 3,
        channels: 4,
        xPixelStride: 4,
        yPixelStride: 4,
        maximum: 1,
      };
      engine.launch('globalPool', params, 1);
      const results = [...engine.f32.subarray(y / 4, y / 4 + 4)];
      assert.ok(Number.isNaN(results[1]));
      assert.is(results[0], 4);
    }
  });

  for (const maximum of [0, 1]) {
    for (const [batch, pixels, channels] of [
      [2, 49, 70],
      [1, 1, 3],
      [3, 1000, 16],
      [1, 130, 21],
    ] as const) {
      test(`global ${maximum ? 'maximum' : 'average'}, ${batch}×${pixels}×${channels}`, () => {
        const engine = freshEngine(variant);
        const x = randomFloats(batch * pixels * channels, 5).map((v) => v + 2);
        const expected = Float64Array.from({ length: batch * channels }, (_, i) => {
          const image = Math.floor(i / channels);
          const values = Array.from(
            { length: pixels },
            (_, j) => x[(image * pixels + j) * channels + (i % channels)] as number,
          );
          return maximum ? Math.max(...values) : sum(values) / pixels;
        });
        const y = placeGuarded(engine, new Float32Array(batch * channels));
        const params = {
          x: placeGuarded(engine, x),
          y,
          batch,
          pixels,
          channels,
          xPixelStride: channels,
          yPixelStride: channels,
          maximum,
        };
        const bytes = batch * channels * 4;
        const tiles = batch * Math.ceil(channels / GlobalPool.Channels);
        runInSplits(engine, 'globalPool', params, tiles, { address: y, bytes });
        assert.ok(guardsIntact(engine, y, bytes));
        assert.ok(relativeL2(engine.f32.subarray(y / 4, y / 4 + batch * channels), expected) < 2e-7);
      });
    }
  }

  test.run();
}
