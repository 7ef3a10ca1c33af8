import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, runInSplits, variants } from './kernels.js';

/** [rows, columns, block, what is odd about the data] */
const CASES: readonly (readonly [number, number, number, string])[] = [
  [1, 32, 32, ''],
  [3, 64, 16, ''],
  [2, 50, 32, 'a ragged last block'],
  [4, 24, 8, 'zeros'],
  [2, 40, 16, 'NaN'],
  [2, 40, 16, 'Infinity'],
];

const ODD: Readonly<Record<string, number>> = { zeros: 0, NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY };

for (const variant of variants) {
  const test = suite(`quantizeBlocks (${variant})`);
  for (const [rows, columns, block, odd] of CASES) {
    test(`${rows} × ${columns} by ${block}: ${odd || 'numbers'}`, () => {
      const engine = freshEngine(variant);
      const blocks = Math.ceil(columns / block);
      const data = randomFloats(rows * columns, 7).map((x) => 100 * x);
      if (odd === 'zeros') data.fill(0, 0, block);
      else if (odd in ODD) data[block + 3] = ODD[odd] as number;
      const x = placeGuarded(engine, data);
      const q = placeGuarded(engine, new Int16Array(rows * blocks * block));
      const scales = placeGuarded(engine, new Float32Array(rows * blocks));
      const sums = placeGuarded(engine, new Float32Array(rows * blocks));
      const params = { x, q, scales, sums, columns, block, blocks };
      const bytes = rows * blocks * block * 2;
      runInSplits(engine, 'quantizeBlocks', params, rows * blocks, { address: q, bytes });
      const made = new Int16Array(engine.memory.buffer, q, rows * blocks * block);
      for (let tile = 0; tile < rows * blocks; tile++) {
        const row = Math.floor(tile / blocks);
        const from = (tile % blocks) * block;
        const values = [...data.subarray(row * columns + from, row * columns + Math.min(from + block, columns))];
        const largest = values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
        const scale = engine.f32[scales / 4 + tile] as number;
        const integers = [...made.subarray(tile * block, (tile + 1) * block)];
        assert.is(
          engine.f32[sums / 4 + tile],
          integers.reduce((a, b) => a + b, 0),
        );
        if (!Number.isFinite(largest)) assert.ok(Number.isNaN(scale));
        else {
          assert.is(scale, Math.fround(Math.fround(largest) / 32767));
          for (const [i, integer] of integers.entries())
            assert.ok(Math.abs(integer * scale - (values[i] ?? 0)) <= 0.5001 * scale, `${integer} for ${values[i]}`);
        }
      }
      assert.ok(guardsIntact(engine, q, bytes) && guardsIntact(engine, scales, 4 * rows * blocks));
    });
  }
  test.run();
}
