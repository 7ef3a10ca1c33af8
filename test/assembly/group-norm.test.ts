import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Activation, GroupNorm } from '../../build/kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';
import { gapsIntact, gatherPixels, spreadPixels } from './pixels.js';

interface Case {
  batch?: number;
  pixels: number;
  channels: number;
  groups: number;
  /** Added to the data, whose standard deviation is 0.58. */
  mean?: number;
  activation?: number;
  gap?: number;
}

const cases: Record<string, Case> = {
  'groups of 5 channels': { batch: 2, pixels: 300, channels: 20, groups: 4 },
  'groups of 16 channels, SiLU': { pixels: 50, channels: 64, groups: 4, activation: Activation.Silu },
  'instance normalization': { batch: 2, pixels: 129, channels: 37, groups: 37 },
  'instance normalization on slices, relu': {
    pixels: 33,
    channels: 6,
    groups: 6,
    activation: Activation.Clip,
    gap: 3,
  },
  'one group': { batch: 3, pixels: 140, channels: 7, groups: 1 },
  'mean a thousand deviations away': { pixels: 700, channels: 18, groups: 3, mean: 600 },
  'mean ten thousand deviations away': { batch: 2, pixels: 513, channels: 8, groups: 8, mean: -6000 },
};

const activations: Record<number, (v: number) => number> = {
  [Activation.None]: (v) => v,
  [Activation.Clip]: (v) => Math.max(v, 0),
  [Activation.Silu]: (v) => v / (1 + Math.exp(-v)),
};

const EPSILON = Math.fround(1e-5);

for (const variant of variants) {
  const test = suite(`group norm (${variant})`);
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const { batch = 1, pixels, channels, groups, mean = 0, activation = Activation.None, gap = 0 } = c;
      const x = randomFloats(batch * pixels * channels, 1).map((v) => v + mean);
      const scale = randomFloats(channels, 2);
      const bias = randomFloats(channels, 3);

      const expected = new Float64Array(x.length);
      const width = channels / groups;
      for (let g = 0; g < batch * groups; g++) {
        const members: number[] = [];
        for (let i = 0; i < pixels * width; i++) {
          const pixel = Math.floor(g / groups) * pixels + Math.floor(i / width);
          members.push(pixel * channels + (g % groups) * width + (i % width));
        }
        const average = members.reduce((sum, i) => sum + (x[i] as number), 0) / members.length;
        const variance = members.reduce((sum, i) => sum + ((x[i] as number) - average) ** 2, 0) / members.length;
        for (const i of members) {
          const z = ((x[i] as number) - average) / Math.sqrt(variance + EPSILON);
          const scaled = z * (scale[i % channels] as number) + (bias[i % channels] as number);
          expected[i] = (activations[activation] as (v: number) => number)(scaled);
        }
      }

      const engine = freshEngine(variant);
      const blocks = Math.ceil(pixels / GroupNorm.BlockPixels);
      const stride = channels + gap;
      const from = placeGuarded(engine, spreadPixels(x, channels, stride));
      const moments = placeGuarded(engine, new Float32Array(batch * blocks * 3 * channels));
      const shape = { batch, pixels, channels };
      const ofMoments = { x: from, moments, ...shape, xPixelStride: stride };
      const momentBytes = batch * blocks * 3 * channels * 4;
      runInSplits(engine, 'groupMoments', ofMoments, batch * blocks, { address: moments, bytes: momentBytes });
      assert.ok(guardsIntact(engine, moments, momentBytes));

      const coefficients = placeGuarded(engine, new Float32Array(batch * 3 * channels));
      const ofCoefficients = {
        moments,
        scale: placeGuarded(engine, scale),
        bias: placeGuarded(engine, bias),
        coefficients,
        ...shape,
        groups,
        epsilon: EPSILON,
      };
      const coefficientBytes = batch * 3 * channels * 4;
      runInSplits(engine, 'groupCoefficients', ofCoefficients, batch * groups, {
        address: coefficients,
        bytes: coefficientBytes,
      });
      assert.ok(guardsIntact(engine, coefficients, coefficientBytes));

      const blank = spreadPixels(new Float32Array(x.length), channels, stride);
      const y = placeGuarded(engine, blank);
      const strides = { xPixelStride: stride, yPixelStride: stride };
      const limits = { activation, alpha: 0, beta: Number.POSITIVE_INFINITY };
      const params = { x: from, coefficients, y, ...shape, ...strides, ...limits };
      engine.launch('groupNorm', params, batch * blocks);
      const actual = engine.f32.slice(y / 4, y / 4 + blank.length);
      const error = relativeL2(gatherPixels(actual, channels, stride), expected);
      assert.ok(error < 5e-7, `relative L2 ${error}`);
      assert.ok(gapsIntact(actual, channels, stride));
      if (gap === 0) runInSplits(engine, 'groupNorm', params, batch * blocks, { address: y, bytes: x.length * 4 });
      assert.ok(guardsIntact(engine, y, blank.byteLength));
    });
  }
  test.run();
}
