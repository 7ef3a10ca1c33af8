import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertClose, numbers, open, type SessionOptions } from '../session/run-model.js';
import { seriesByTier } from '../tier.js';
import { randomModel } from './random-graphs.js';

const test = suite('random graphs');

const BATCH = 25;
const FIRST_SEED = Number(process.env.SEED ?? 0);
const SEEDS = seriesByTier({ quick: 25, ci: 50, all: 1000 }).map((place) => FIRST_SEED + place);
const SIZES = [2, 7, 2, 1, 40, 2];

/** Operator by operator, with watched memory; the plain loops of the kernel tests are the witness of each operator. */
const RAW: SessionOptions = { graphOptimizationLevel: 'disabled', guardBytes: 64 };

for (const from of SEEDS.filter((_, i) => i % BATCH === 0)) {
  test(`seeds ${from} to ${from + BATCH - 1}: raw and optimized agree, whatever shapes ran before`, async () => {
    for (let seed = from; seed < from + BATCH; seed++) {
      const model = randomModel(seed);
      const raw = await open(model, RAW);
      const sessions = [await open(model), await open(model, { guardBytes: 128 })];
      for (const n of SIZES) {
        const feeds = { x: numbers([n, 4, 6], seed + n) };
        const expected = await raw.run(feeds);
        for (const session of sessions) assertClose(await session.run(feeds), expected, 1e-4, `seed ${seed}, n=${n}`);
      }
    }
  });
}

test('graphs of empty tensors run, or say why not', async () => {
  for (const seed of SEEDS) {
    const model = randomModel(seed);
    const feeds = { x: numbers([0, 4, 6]) };
    const refusal = (error: Error) => {
      assert.match(error.message, /does not fit/, `seed ${seed}`);
      return undefined;
    };
    const expected = await (await open(model, RAW)).run(feeds).catch(refusal);
    const actual = await (await open(model)).run(feeds).catch(refusal);
    if (expected && actual) assertClose(actual, expected, 1e-4, `seed ${seed}`);
  }
});

test.run();
