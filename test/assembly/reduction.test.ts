import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Reduction } from '../../build/kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

/** [outer, length, inner], grain: rows, columns, every tail, long sums. */
const spaces = [
  [5, 1, 1, 2],
  [3, 7, 1, 1],
  [7, 131, 1, 2],
  [2, 5003, 1, 1],
  [3, 6, 3, 2],
  [2, 49, 21, 5],
  [2, 300, 37, 16],
  [1, 1000, 16, 16],
  [2, 67, 1030, 700],
  [1100, 9, 1, 600],
] as const;

const line = (x: ArrayLike<number>, [, length, inner]: readonly number[], output: number): number[] => {
  const [l, n] = [length as number, inner as number];
  const start = Math.floor(output / n) * l * n + (output % n);
  return Array.from({ length: l }, (_, i) => x[start + i * n] as number);
};

const sum = (v: number[]) => v.reduce((a, b) => a + b, 0);

const references: Record<keyof typeof Reduction, (v: number[]) => number> = {
  Sum: sum,
  Mean: (v) => sum(v) / v.length,
  Max: (v) => v.reduce((a, b) => Math.max(a, b)),
  Min: (v) => v.reduce((a, b) => Math.min(a, b)),
  Prod: (v) => v.reduce((a, b) => a * b, 1),
  SumSquare: (v) => sum(v.map((a) => a * a)),
  L1: (v) => sum(v.map(Math.abs)),
  L2: (v) => Math.sqrt(sum(v.map((a) => a * a))),
  LogSum: (v) => Math.log(sum(v)),
  LogSumExp: (v) => Math.log(sum(v.map(Math.exp))),
};

const mirrored = (a: number, b: number) => Object.is(a, b) || Math.abs(a - b) <= 1e-6 * Math.abs(b);

for (const variant of variants) {
  const test = suite(`reduction (${variant})`);

  for (const [name, kind] of Object.entries(Reduction)) {
    const reference = references[name as keyof typeof Reduction];
    test(`${name}: relative L2 below 1e-6`, () => {
      for (const space of spaces) {
        const [outer, length, inner, grain] = space;
        const engine = freshEngine(variant);
        // Away from 0, so that sums, products and logarithms are well conditioned.
        const x = randomFloats(outer * length * inner, 7).map((v) => (name === 'Prod' ? 1 + v / 50 : 1.5 + v));
        const outputs = outer * inner;
        const y = placeGuarded(engine, new Float32Array(outputs));
        const params = { x: placeGuarded(engine, x), y, outer, length, inner, kind, grain };
        runInSplits(engine, 'reduce', params, Math.ceil(outputs / grain), { address: y, bytes: 4 * outputs });
        const expected = Array.from({ length: outputs }, (_, i) => reference(line(x, space, i)));
        assert.ok(relativeL2(engine.f32.subarray(y / 4, y / 4 + outputs), expected) < 1e-6, `${space}`);
        assert.ok(guardsIntact(engine, y, 4 * outputs));
      }
    });
  }

  test('a million equal addends keep seven digits', () => {
    const engine = freshEngine(variant);
    const length = 1_000_000;
    const x = placeGuarded(engine, new Float32Array(length).fill(0.1));
    const y = engine.allocate(4);
    engine.launch('reduce', { x, y, outer: 1, length, inner: 1, kind: Reduction.Sum, grain: 1 }, 1);
    const total = engine.f32[y / 4] as number;
    assert.ok(Math.abs(total / (length * Math.fround(0.1)) - 1) < 1e-6);
  });

  const nonFinite: [keyof typeof Reduction, number[], number][] = [
    ['Max', [1, Number.NaN, 3], Number.NaN],
    ['Min', [1, Number.NaN, 3], Number.NaN],
    ['LogSumExp', [-Infinity, -Infinity], -Infinity],
    ['LogSumExp', [1, Infinity], Infinity],
    ['LogSumExp', [1, Number.NaN], Number.NaN],
    ['LogSumExp', [1000, 1000], 1000 + Math.LN2],
    ['Max', [...Array<number>(600).fill(1), Number.NaN, 3], Number.NaN],
    ['Max', [Number.NaN, ...Array<number>(600).fill(1)], Number.NaN],
    ['Max', [], -Infinity],
    ['Sum', [], 0],
  ];
  test('NaN, infinities and empty lines, in rows and columns', () => {
    for (const [name, values, expected] of nonFinite) {
      for (const inner of [1, 5]) {
        const engine = freshEngine(variant);
        const data = Float32Array.from(values.flatMap((v) => Array(inner).fill(v)));
        const [x, y] = [placeGuarded(engine, data), engine.allocate(4 * inner)];
        const kind = Reduction[name];
        engine.launch('reduce', { x, y, outer: 1, length: values.length, inner, kind, grain: 8 }, 1);
        for (let i = 0; i < inner; i++) assert.ok(mirrored(engine.f32[y / 4 + i] as number, expected), name);
      }
    }
  });

  test('integers', () => {
    const engine = freshEngine(variant);
    const values = [3, -7, 2, 5, 11, -4, 9, 1, 6, -2, 8, 10];
    for (const inner of [1, 2]) {
      const [outer, length, outputs] = [2, 6 / inner, 2 * inner];
      for (const name of ['Sum', 'Max', 'Min', 'Prod'] as const) {
        const expected = Array.from({ length: outputs }, (_, i) =>
          references[name](line(values, [0, length, inner], i)),
        );
        const params = { outer, length, inner, kind: Reduction[name], grain: 1 };
        const narrow = engine.allocate(4 * outputs);
        engine.launch('reduceI32', { ...params, x: placeGuarded(engine, Int32Array.from(values)), y: narrow }, outputs);
        assert.equal([...engine.i32.subarray(narrow / 4, narrow / 4 + outputs)], expected);
        const wide = engine.allocate(8 * outputs);
        const x = placeGuarded(engine, BigInt64Array.from(values, BigInt));
        engine.launch('reduceI64', { ...params, x, y: wide }, outputs);
        assert.equal([...new BigInt64Array(engine.memory.buffer, wide, outputs)].map(Number), expected);
      }
    }
  });

  const extremes: [values: number[], first: number, last: number][] = [
    [[1, 3, 3, 2], 1, 2],
    [[5, 5, 5, 5, 5, 5, 5, 5, 5], 0, 8],
    [[1, Number.NaN, 7, Number.NaN, 9], 1, 3],
    [[-0, 0], 0, 1],
    [[-Infinity, -Infinity, -Infinity], 0, 2],
  ];
  test('argReduce: ties, NaN, first and last index; argmin by the negated values', () => {
    for (const [values, first, last] of extremes) {
      for (const smallest of [0, 1]) {
        for (const inner of [1, 3, 6]) {
          for (const selectLast of [0, 1]) {
            const engine = freshEngine(variant);
            const data = Float32Array.from(values.flatMap((v) => Array(inner).fill(smallest ? -v : v)));
            const y = placeGuarded(engine, new BigInt64Array(inner));
            const space = { outer: 1, length: values.length, inner, grain: 1 };
            const params = { x: placeGuarded(engine, data), y, ...space, smallest, selectLast };
            runInSplits(engine, 'argReduce', params, inner, { address: y, bytes: 8 * inner });
            const found = [...new BigInt64Array(engine.memory.buffer, y, inner)].map(Number);
            assert.equal(found, Array(inner).fill(selectLast ? last : first), `${values} ${smallest} ${inner}`);
            assert.ok(guardsIntact(engine, y, 8 * inner));
          }
        }
      }
    }
  });

  test('argReduce: every position of a long row is found', () => {
    const engine = freshEngine(variant);
    const length = 37;
    const y = engine.allocate(8);
    for (let position = 0; position < length; position++) {
      const data = randomFloats(length, position);
      data[position] = 2;
      const params = {
        x: placeGuarded(engine, data),
        y,
        outer: 1,
        length,
        inner: 1,
        smallest: 0,
        selectLast: 0,
        grain: 1,
      };
      engine.launch('argReduce', params, 1);
      assert.is(engine.i32[y / 4], position);
      const whole = placeGuarded(
        engine,
        Int32Array.from(data, (v) => Math.round(v * 1e6)),
      );
      engine.launch('argReduceI32', { ...params, x: whole }, 1);
      assert.is(engine.i32[y / 4], position);
    }
  });

  test.run();
}
