import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bestRounding } from '../../../src/tools/quantize/repair/best-rounding.js';
import { evenly } from '../quantize/runs.js';

const test = suite('rounding that errs least');

const [ROWS, WIDTH, RANK, SAMPLES] = [16, 48, 10, 300];

/** As ada_round.py makes it: mixtures of few directions, and a little noise. */
function gramOf(seed: number): Float64Array {
  const [mixture, directions, noise] = [
    evenly(SAMPLES * RANK, seed),
    evenly(RANK * WIDTH, 11),
    evenly(SAMPLES * WIDTH, seed + 2),
  ];
  const gram = new Float64Array(WIDTH ** 2);
  for (let row = 0; row < SAMPLES; row++) {
    const x = Array.from({ length: WIDTH }, (_, i) => {
      let sum = 0.1 * (noise[row * WIDTH + i] as number);
      for (let r = 0; r < RANK; r++) sum += (mixture[row * RANK + r] as number) * (directions[r * WIDTH + i] as number);
      return sum;
    });
    for (let i = 0; i < WIDTH; i++)
      for (let j = 0; j < WIDTH; j++)
        gram[i * WIDTH + j] = (gram[i * WIDTH + j] as number) + (x[i] as number) * (x[j] as number);
  }
  return gram;
}

function lossOf(errors: readonly number[], gram: Float64Array): number {
  return errors.reduce(
    (sum, a, i) => sum + errors.reduce((inner, b, j) => inner + a * b * (gram[i * WIDTH + j] as number), 0),
    0,
  );
}

interface Learnt {
  readonly bits: number;
  readonly nearest: number;
  readonly learnt: number;
}

/** By torch. */
const expected: readonly Learnt[] = JSON.parse(readFileSync(new URL('ada-round.json', import.meta.url), 'utf8'));

const gram = gramOf(1);
const all = evenly(ROWS * WIDTH, 5);

for (const { bits, nearest, learnt } of expected)
  test(`${bits} bits: no worse than what torch learns in 10,000 steps`, () => {
    const most = 2 ** (bits - 1);
    let [found, plain] = [0, 0];
    for (let row = 0; row < ROWS; row++) {
      const weights = [...all.subarray(row * WIDTH, (row + 1) * WIDTH)];
      const scale = Math.fround(Math.max(...weights.map(Math.abs)) / (most - 1));
      const [scales, zeros] = [weights.map(() => scale), weights.map(() => 0)];
      const codes = bestRounding({ weights, scales, zeros, least: -most, greatest: most - 1, gram, at: 0 });
      const errorsOf = (codes: ArrayLike<number>) => weights.map((w, i) => (codes[i] as number) * scale - w);
      weights.forEach((w, i) => {
        assert.ok(Math.abs((codes[i] as number) * scale - w) <= scale, `${w} is next to ${codes[i]} times ${scale}`);
      });
      found += lossOf(errorsOf(codes), gram);
      plain += lossOf(errorsOf(weights.map((w) => Math.round(w / scale))), gram);
    }
    assert.ok(Math.abs(plain / nearest - 1) < 1e-4, `the same layer: ${plain} and ${nearest}`);
    assert.ok(found < nearest / 2 && found <= learnt, `${found}; nearest ${nearest}, learnt ${learnt}`);
  });

test.run();
