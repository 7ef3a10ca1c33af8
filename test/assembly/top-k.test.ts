import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, runInSplits, variants } from './kernels.js';

/** rows, length, k, number of distinct values (few make ties) */
const cases = [
  [1, 1, 1, 9],
  [3, 10, 1, 5],
  [4, 37, 5, 4],
  [2, 64, 64, 1000],
  [2, 1000, 100, 50],
  [1, 4099, 7, 1e6],
] as const;

/** NaN above everything, then by value; ties by index. */
const rank = (v: number) => (Number.isNaN(v) ? Infinity : v);

for (const variant of variants) {
  const test = suite(`top-k (${variant})`);

  for (const smallest of [0, 1]) {
    test(smallest ? 'smallest' : 'largest', () => {
      for (const [rows, length, k, levels] of cases) {
        const engine = freshEngine(variant);
        const x = randomFloats(rows * length, 11).map((v) => Math.round(v * levels) / levels);
        if (length === 37) x.set([Number.NaN, -0, 0, -0], 5);
        const values = placeGuarded(engine, new Float32Array(rows * k));
        const indices = placeGuarded(engine, new BigInt64Array(rows * k));
        const params = { x: placeGuarded(engine, x), values, indices, rows, length, k, smallest };
        runInSplits(engine, 'topK', params, rows, { address: values, bytes: 4 * rows * k });
        runInSplits(engine, 'topK', params, rows, { address: indices, bytes: 8 * rows * k });

        for (let row = 0; row < rows; row++) {
          const line = x.subarray(row * length, (row + 1) * length);
          const order = Array.from(line.keys()).sort((a, b) => {
            const [u, v] = [rank(line[a] as number), rank(line[b] as number)];
            return (u === v ? 0 : u < v === (smallest === 1) ? -1 : 1) || a - b;
          });
          const expected = order.slice(0, k);
          const found = new BigInt64Array(engine.memory.buffer, indices + 8 * row * k, k);
          assert.equal([...found].map(Number), expected, `${length} choose ${k}`);
          const best = engine.f32.subarray(values / 4 + row * k, values / 4 + (row + 1) * k);
          assert.equal(
            [...best],
            expected.map((i) => line[i]),
          );
        }
        assert.ok(guardsIntact(engine, values, 4 * rows * k) && guardsIntact(engine, indices, 8 * rows * k));
      }
    });
  }

  test.run();
}
