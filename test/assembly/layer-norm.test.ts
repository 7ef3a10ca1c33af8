import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

const epsilon = 1e-5;

interface Case {
  rows: number;
  length: number;
  grain: number;
  parts: readonly ('scale' | 'bias' | 'residual' | 'inputBias' | 'sum')[];
}

const cases: Case[] = [
  { rows: 5, length: 1, grain: 2, parts: ['scale', 'bias'] },
  { rows: 7, length: 6, grain: 3, parts: ['scale'] },
  { rows: 4, length: 64, grain: 1, parts: [] },
  { rows: 3, length: 193, grain: 1, parts: ['scale', 'bias', 'residual', 'sum'] },
  { rows: 6, length: 256, grain: 4, parts: ['scale', 'residual', 'inputBias', 'sum'] },
  { rows: 3, length: 35, grain: 2, parts: ['scale', 'bias', 'inputBias'] },
];

const mean = (v: number[]) => v.reduce((a, b) => a + b, 0) / v.length;

for (const variant of variants) {
  const test = suite(`layer norm (${variant})`);

  for (const kernel of ['layerNorm', 'rmsNorm'] as const) {
    test(`${kernel}: all outputs, relative L2 below 1e-6`, () => {
      for (const { rows, length, grain, parts } of cases) {
        const engine = freshEngine(variant);
        const has = (part: Case['parts'][number]) => parts.includes(part);
        const random = (count: number, seed: number) => randomFloats(count, seed).map((v) => 2 * v + 0.5);
        const x = random(rows * length, 1);
        const [residual, inputBias] = [random(rows * length, 2), random(length, 3)];
        const [scale, bias] = [random(length, 4), random(length, 5)];
        const y = placeGuarded(engine, x);
        const statistics = placeGuarded(engine, new Float32Array(2 * rows));
        const sum = has('sum') ? placeGuarded(engine, x) : 0;
        const place = (part: Case['parts'][number], data: Float32Array) => (has(part) ? placeGuarded(engine, data) : 0);
        const params = {
          x: placeGuarded(engine, x),
          residual: place('residual', residual),
          inputBias: place('inputBias', inputBias),
          scale: place('scale', scale),
          bias: place('bias', bias),
          y,
          sum,
          mean: statistics,
          inverseStd: statistics + 4 * rows,
          rows,
          length,
          epsilon,
          grain,
        };
        runInSplits(engine, kernel, params, Math.ceil(rows / grain), { address: y, bytes: 4 * x.length });

        const at = (address: number, count: number) => engine.f32.subarray(address / 4, address / 4 + count);
        const input = Array.from(x, (v, i) => {
          const skip = has('residual') ? (residual[i] as number) : 0;
          return v + skip + (has('inputBias') ? (inputBias[i % length] as number) : 0);
        });
        const expected: number[] = [];
        for (let row = 0; row < rows; row++) {
          const v = input.slice(row * length, (row + 1) * length);
          const center = kernel === 'layerNorm' ? mean(v) : 0;
          const inverse = 1 / Math.sqrt(mean(v.map((e) => (e - center) ** 2)) + epsilon);
          for (const [j, e] of v.entries()) {
            const n = (e - center) * inverse * (has('scale') ? (scale[j] as number) : 1);
            expected.push(n + (has('bias') ? (bias[j] as number) : 0));
          }
          if (kernel === 'layerNorm') assert.ok(Math.abs((at(statistics, rows)[row] as number) - center) < 1e-6);
          assert.ok(Math.abs((at(params.inverseStd, rows)[row] as number) / inverse - 1) < 1e-5);
        }
        assert.ok(relativeL2(at(y, x.length), expected) < 1e-6, JSON.stringify({ length, parts }));
        if (sum) assert.ok(relativeL2(at(sum, x.length), input) < 1e-7);
        assert.ok(guardsIntact(engine, y, 4 * x.length) && guardsIntact(engine, statistics, 8 * rows));
      }
    });
  }

  test('rows far from 0 keep their digits', () => {
    const engine = freshEngine(variant);
    const length = 768;
    const x = randomFloats(length, 9).map((v) => 10_000 + v);
    const none = { residual: 0, inputBias: 0, scale: 0, bias: 0, sum: 0, mean: 0, inverseStd: 0 };
    const y = placeGuarded(engine, x);
    engine.launch('layerNorm', { ...none, x: placeGuarded(engine, x), y, rows: 1, length, epsilon, grain: 1 }, 1);
    const values = Array.from(x);
    const center = mean(values);
    const inverse = 1 / Math.sqrt(mean(values.map((v) => (v - center) ** 2)) + epsilon);
    const expected = values.map((v) => (v - center) * inverse);
    assert.ok(relativeL2(engine.f32.subarray(y / 4, y / 4 + length), expected) < 1e-6);
  });

  test.run();
}
