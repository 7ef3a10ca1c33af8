import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Activation } from '../../build/kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

interface Case {
  batch?: number;
  channels: number;
  length: number;
  taps: number;
  past?: boolean;
  bias?: boolean;
  silu?: boolean;
}

const cases: Record<string, Case> = {
  'a decoding step': { batch: 2, channels: 21, length: 1, taps: 4, past: true, bias: true, silu: true },
  'a decoding step with nothing before it': { channels: 9, length: 1, taps: 4 },
  'fewer steps than the state': { batch: 2, channels: 5, length: 2, taps: 6, past: true },
  'fewer steps than the state, nothing before them': { channels: 5, length: 2, taps: 6, bias: true },
  'as many steps as the state': { channels: 7, length: 3, taps: 4, past: true },
  'a long sequence': { batch: 2, channels: 11, length: 75, taps: 4, past: true, bias: true, silu: true },
  'a long sequence from zeros': { channels: 3, length: 38, taps: 5, silu: true },
  'one tap': { batch: 2, channels: 6, length: 19, taps: 1, past: true, bias: true },
};

for (const variant of variants) {
  const test = suite(`causal convolution (${variant})`);
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const { batch = 1, channels, length, taps } = c;
      const kept = taps - 1;
      const rows = batch * channels;
      const [x, w] = [randomFloats(rows * length, 1), randomFloats(channels * taps, 2)];
      const bias = randomFloats(channels, 3);
      const past = randomFloats(rows * kept, 4);
      const [y, present] = [new Float64Array(rows * length), new Float64Array(rows * kept)];
      for (let row = 0; row < rows; row++) {
        const before = Array.from({ length: kept }, (_, i) => (c.past ? (past[row * kept + i] as number) : 0));
        const padded = [...before, ...x.subarray(row * length, (row + 1) * length)];
        for (let t = 0; t < length; t++) {
          let sum = c.bias ? (bias[row % channels] as number) : 0;
          for (let j = 0; j < taps; j++) sum += (w[(row % channels) * taps + j] as number) * (padded[t + j] as number);
          y[row * length + t] = c.silu ? sum / (1 + Math.exp(-sum)) : sum;
        }
        for (let i = 0; i < kept; i++) present[row * kept + i] = padded[length + i] as number;
      }

      const engine = freshEngine(variant);
      const [yAt, presentAt] = [y, present].map(({ length }) => placeGuarded(engine, new Float32Array(length))) as [
        number,
        number,
      ];
      const params = {
        ...{ x: placeGuarded(engine, x), w: placeGuarded(engine, w), y: yAt, present: presentAt },
        ...{ bias: c.bias ? placeGuarded(engine, bias) : 0, past: c.past ? placeGuarded(engine, past) : 0 },
        ...{ batch, channels, length, taps, grain: 3, activation: c.silu ? Activation.Silu : Activation.None },
      };
      const tiles = Math.ceil(rows / 3);
      runInSplits(engine, 'causalConvolution', params, tiles, { address: yAt, bytes: 4 * y.length });
      const read = (at: number, count: number) => engine.f32.slice(at / 4, at / 4 + count);
      assert.ok(relativeL2(read(yAt, y.length), y) < 2e-7);
      assert.equal([...read(presentAt, present.length)], [...present]);
      assert.ok(guardsIntact(engine, yAt, 4 * y.length) && guardsIntact(engine, presentAt, 4 * present.length));

      if (!c.past) return;
      engine.launch('causalConvolution', { ...params, present: params.past }, tiles);
      assert.equal([...read(params.past, present.length)], [...present], 'in place');
      assert.ok(relativeL2(read(yAt, y.length), y) < 2e-7);
    });
  }
  test.run();
}
