import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dotForms, freshEngine, guardsIntact, placeGuarded, randomFloats, runInSplits } from './kernels.js';

/** [rows, columns, block, what is odd about the data] */
const CASES: readonly (readonly [number, number, number, string])[] = [
  [1, 32, 32, ''],
  [3, 64, 16, ''],
  [2, 50, 32, 'a ragged last block'],
  [2, 37, 128, 'less than a block'],
  [4, 48, 16, 'zeros'],
  [2, 40, 16, 'subnormal numbers'],
  [2, 40, 16, 'NaN'],
  [2, 40, 16, 'Infinity'],
  [2, 40, 16, 'an outlier'],
  [3, 75, 32, 'outliers in half a block'],
  [2, 75, 32, 'an outlier among zeros'],
  [2, 128, 64, 'an outlier less than 512 times as large'],
];

/** What becomes of the first block. */
const CHANGED: Readonly<Record<string, (x: number, i: number) => number>> = {
  zeros: () => 0,
  'subnormal numbers': () => 1e-44,
  'an outlier': (x, i) => (i === 5 ? 1e7 : x),
  'outliers in half a block': (x, i) => (i % 2 ? 1e7 : x),
  'an outlier among zeros': (_, i) => (i === 7 ? -1e7 : i === 9 ? 3 : 0),
  'an outlier less than 512 times as large': (x, i) => (i === 9 ? -511 : 1 + Math.abs(x) / 100),
};

/** Whether integers of 16 bits keep a hundredth of most elements: not where most of those that are not 0 are 512 times smaller than the largest. */
function areKept(values: readonly number[], largest: number): boolean {
  const others = values.filter((x) => x !== 0);
  return 2 * others.filter((x) => Math.abs(x) < largest / 512).length <= others.length;
}

const ODD: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY };

/** Where element `i` of 2·P stands among bytes that planes of `bits` take, P = 16 / bits: four by four, j, P + j, j + 1, P + j + 1. */
function byteOf(i: number, bits: number): number {
  const half = 16 / bits;
  const groups = Array.from({ length: half / 2 }, (_, q) => [2 * q, half + 2 * q, 2 * q + 1, half + 2 * q + 1]).flat();
  return i - (i % (2 * half)) + groups.indexOf(i % (2 * half));
}

/** What bytes say: four high ones, then the low ones of the same. */
const words = (bytes: Int8Array) =>
  Int16Array.from({ length: bytes.length / 2 }, (_, i) => {
    const at = 2 * (i - (i % 4)) + (i % 4);
    return 256 * (bytes[at] as number) + (bytes[at + 4] as number);
  });

for (const { variant, quads } of dotForms) {
  const test = suite(`quantizeBlocks (${variant}${quads ? ', quads' : ''})`);
  for (const [rows, columns, block, odd] of CASES) {
    for (const [narrow, bits] of [
      [0, 4],
      [1, 8],
      [1, 4],
      [1, 2],
    ] as const) {
      test(`${rows} × ${columns} by ${block}: ${odd || 'numbers'}, ${narrow ? `bytes for ${bits} bits` : 'words'}`, () => {
        const engine = freshEngine(variant);
        const isNarrow = narrow === 1 && bits < 8 && variant === 'relaxed';
        const isSplit = narrow === 0 && quads === 1;
        const blocks = Math.ceil(columns / block);
        const data = randomFloats(rows * columns, 7).map((x) => 100 * x);
        const changed = CHANGED[odd];
        if (changed) data.set(data.subarray(0, block).map(changed));
        else if (odd in ODD) data[block + 3] = ODD[odd] as number;
        const x = placeGuarded(engine, data);
        const q = placeGuarded(engine, new Int16Array(rows * blocks * block));
        const scales = placeGuarded(engine, new Float32Array(rows * blocks));
        const sums = placeGuarded(engine, new Int32Array(rows * blocks));
        const params = { x, q, scales, sums, columns, block, blocks, tileBlocks: 2, narrow, quads, bits };
        const count = rows * blocks * block;
        const bytes = count * (isNarrow ? 1 : 2);
        runInSplits(engine, 'quantizeBlocks', params, rows * Math.ceil(blocks / 2), { address: q, bytes });
        const made = isSplit
          ? words(new Int8Array(engine.memory.buffer, q, 2 * count))
          : new (isNarrow ? Int8Array : Int16Array)(engine.memory.buffer, q, count);
        for (let tile = 0; tile < rows * blocks; tile++) {
          const row = Math.floor(tile / blocks);
          const from = (tile % blocks) * block;
          const values = [...data.subarray(row * columns + from, row * columns + Math.min(from + block, columns))];
          const largest = values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
          const scale = engine.f32[scales / 4 + tile] as number;
          const integers = Array.from(
            { length: block },
            (_, i) => made[tile * block + (isNarrow || isSplit ? byteOf(i, bits) : i)] as number,
          );
          assert.is(
            engine.i32[sums / 4 + tile],
            integers.reduce((a, b) => a + b, 0),
          );
          const isOrdinary = Number.isFinite(values.reduce((a, b) => a + b, 0)) && largest > 1e-30;
          const isServed = isOrdinary && (isNarrow || areKept(values, largest));
          if (!isServed && largest !== 0) {
            assert.ok(Object.is(scale, -0), 'left to the product');
            assert.ok(integers.every((integer) => integer === 0));
          } else if (largest > 0) {
            assert.is(scale, Math.fround(Math.fround(largest) / (isNarrow ? 127 : 32639)));
            for (const [i, integer] of integers.entries())
              assert.ok(Math.abs(integer * scale - (values[i] ?? 0)) <= 0.5001 * scale, `${integer} for ${values[i]}`);
          }
        }
        for (const [at, size] of [
          [q, 2 * count],
          [scales, 4 * rows * blocks],
          [sums, 4 * rows * blocks],
        ] as const)
          assert.ok(guardsIntact(engine, at, size));
      });
    }
  }
  test.run();
}
