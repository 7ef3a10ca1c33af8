import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from '../../bindings/engine.js';
import { ScatterReduction, Storage } from '../../build/kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, runInSplits, variants } from './kernels.js';

const words = (engine: Engine, ...values: number[]) => placeGuarded(engine, Int32Array.from(values));
const indexArray = (bytes: number, values: number[]) =>
  bytes === 8 ? BigInt64Array.from(values.map(BigInt)) : Int32Array.from(values);
const flagOf = (engine: Engine, flag: number) => engine.view.getInt32(flag, true);

/** Seeded integers in −dim … dim − 1. */
const randomIndices = (count: number, dim: number, seed: number) =>
  [...randomFloats(count, seed)].map((v) => Math.floor(v * dim));
const wrap = (i: number, dim: number) => (i < 0 ? i + dim : i);

const REDUCTIONS: [keyof typeof ScatterReduction, (a: number, b: number) => number][] = [
  ['None', (_, b) => b],
  ['Add', (a, b) => a + b],
  ['Mul', (a, b) => a * b],
  ['Min', (a, b) => Math.min(a, b)],
  ['Max', (a, b) => Math.max(a, b)],
];

for (const variant of variants) {
  const test = suite(`gather (${variant})`);

  for (const [name, outer, dim, inner, count] of [
    ['embedding', 1, 50, 768, 33],
    ['scalars', 1, 1000, 1, 5000],
    ['middle axis', 7, 9, 15, 20],
    ['last axis', 600, 30, 1, 4],
  ] as const) {
    for (const size of [1, 2, 4, 8]) {
      test(`${name}, ${size}-byte elements`, () => {
        const engine = freshEngine(variant);
        const indexBytes = size === 4 ? 8 : 4;
        const data = Uint8Array.from({ length: outer * dim * inner * size }, (_, i) => (i * 13 + (i >> 8)) & 255);
        const indices = randomIndices(count, dim, 3);
        const flag = words(engine, 0);
        const rowBytes = inner * size;
        const bytes = outer * count * rowBytes;
        const y = placeGuarded(engine, new Uint8Array(bytes));
        const tileRows = 7;
        const params = {
          x: placeGuarded(engine, data),
          indices: placeGuarded(engine, indexArray(indexBytes, indices)),
          y,
          flag,
          table: words(engine, dim, 1),
          depth: 1,
          indexBytes,
          batches: outer,
          batchRows: dim,
          tuples: count,
          indexBatch: 0,
          rowBytes,
          tileRows,
        };
        runInSplits(engine, 'gather', params, Math.ceil((outer * count) / tileRows), { address: y, bytes });
        for (let r = 0; r < outer * count; r++) {
          const source = Math.floor(r / count) * dim + wrap(indices[r % count] as number, dim);
          const got = engine.u8.subarray(y + r * rowBytes, y + (r + 1) * rowBytes);
          const want = data.subarray(source * rowBytes, (source + 1) * rowBytes);
          assert.ok(
            got.every((v, i) => v === want[i]),
            `row ${r}`,
          );
        }
        assert.ok(guardsIntact(engine, y, bytes));
        assert.is(flagOf(engine, flag), 0);
      });
    }
  }

  test('GatherND with a batch dimension', () => {
    const engine = freshEngine(variant);
    const [batches, d0, d1, inner, tuples] = [3, 4, 5, 6, 7];
    const data = randomFloats(batches * d0 * d1 * inner, 5);
    const first = randomIndices(batches * tuples, d0, 6);
    const second = randomIndices(batches * tuples, d1, 7);
    const count = batches * tuples * inner;
    const y = placeGuarded(engine, new Float32Array(count));
    const params = {
      x: placeGuarded(engine, data),
      indices: placeGuarded(
        engine,
        indexArray(
          8,
          first.flatMap((v, i) => [v, second[i] as number]),
        ),
      ),
      y,
      flag: words(engine, 0),
      table: words(engine, d0, d1, d1, 1),
      depth: 2,
      indexBytes: 8,
      batches,
      batchRows: d0 * d1,
      tuples,
      indexBatch: tuples,
      rowBytes: inner * 4,
      tileRows: 4,
    };
    runInSplits(engine, 'gather', params, Math.ceil((batches * tuples) / 4), { address: y, bytes: count * 4 });
    for (let i = 0; i < count; i++) {
      const row = Math.floor(i / inner);
      const [p, q] = [wrap(first[row] as number, d0), wrap(second[row] as number, d1)];
      const at = ((Math.floor(row / tuples) * d0 + p) * d1 + q) * inner + (i % inner);
      assert.is(engine.f32[y / 4 + i], data[at]);
    }
  });

  test('an index out of range is clamped and reported', () => {
    const engine = freshEngine(variant);
    for (const [index, row] of [
      [4, 3],
      [-5, 0],
      [1 << 30, 3],
    ] as const) {
      const flag = words(engine, 0);
      const y = placeGuarded(engine, new Float32Array(1));
      const x = placeGuarded(engine, Float32Array.of(10, 11, 12, 13));
      engine.launch(
        'gather',
        {
          x,
          indices: words(engine, index),
          y,
          flag,
          table: words(engine, 4, 1),
          depth: 1,
          indexBytes: 4,
          batches: 1,
          batchRows: 4,
          tuples: 1,
          indexBatch: 0,
          rowBytes: 4,
          tileRows: 1,
        },
        1,
      );
      assert.is(engine.f32[y / 4], 10 + row);
      assert.is(flagOf(engine, flag), 1);
    }
  });

  for (const [axis, dims] of [
    [0, [40, 30, 21]],
    [1, [20, 9, 100]],
    [2, [50, 3, 77]],
  ] as const) {
    const [d0, d1, d2] = dims;
    const source = dims.map((d, k) => (k === axis ? d + 3 : d)) as [number, number, number];
    const strides = [source[1] * source[2], source[2], 1];
    const count = d0 * d1 * d2;
    const dim = source[axis] as number;
    const offAxis = strides.map((s, k) => (k === axis ? 0 : s));
    const coordinates = (i: number) => [Math.floor(i / (d1 * d2)), Math.floor(i / d2) % d1, i % d2];
    const target = (i: number, index: number) =>
      coordinates(i).reduce(
        (sum, c, k) => sum + c * (offAxis[k] as number),
        wrap(index, dim) * (strides[axis] as number),
      );

    test(`GatherElements along axis ${axis}`, () => {
      const engine = freshEngine(variant);
      const data = randomFloats(source[0] * source[1] * source[2], 8);
      const indices = randomIndices(count, dim, 9);
      const y = placeGuarded(engine, new Float32Array(count));
      const params = {
        x: placeGuarded(engine, data),
        indices: placeGuarded(engine, indexArray(8, indices)),
        y,
        flag: words(engine, 0),
        table: words(engine, ...dims, ...offAxis),
        rank: 3,
        count,
        elementBytes: 4,
        indexBytes: 8,
        axisDim: dim,
        axisStride: strides[axis] as number,
      };
      runInSplits(engine, 'gatherElements', params, Math.ceil(count / 16384), { address: y, bytes: count * 4 });
      for (let i = 0; i < count; i++) assert.is(engine.f32[y / 4 + i], data[target(i, indices[i] as number)]);
      assert.ok(guardsIntact(engine, y, count * 4));
    });

    for (const [reduction, reduce] of REDUCTIONS) {
      test(`ScatterElements ${reduction} along axis ${axis}`, () => {
        const engine = freshEngine(variant);
        const data = randomFloats(source[0] * source[1] * source[2], 10);
        const updates = randomFloats(count, 11);
        const indices = randomIndices(count, dim, 12);
        const y = placeGuarded(engine, data);
        const updateStrides = [d1 * d2, d2, 1];
        const others = [0, 1, 2].filter((k) => k !== axis);
        const off = (values: readonly number[]) => others.map((k) => values[k] as number);
        const lines = count / (dims[axis] as number);
        const params = {
          updates: placeGuarded(engine, updates),
          indices: placeGuarded(engine, indexArray(4, indices)),
          y,
          flag: words(engine, 0),
          table: words(engine, ...off(dims), ...off(updateStrides), ...off(strides)),
          rank: 2,
          indexBytes: 4,
          lines,
          axisCount: dims[axis] as number,
          axisDim: dim,
          axisUpdateStride: updateStrides[axis] as number,
          axisStride: strides[axis] as number,
          storage: Storage.Float32,
          reduction: ScatterReduction[reduction],
          tileLines: 10,
        };
        const tiles = Math.ceil(lines / 10);
        for (let tile = tiles - 1; tile >= 0; tile--) engine.launch('scatterElements', params, tile + 1, tile);
        const expected = data.slice();
        for (let i = 0; i < count; i++) {
          const at = target(i, indices[i] as number);
          expected[at] = reduce(expected[at] as number, updates[i] as number);
        }
        assert.ok(expected.every((v, i) => Object.is(v, engine.f32[y / 4 + i])));
        assert.ok(guardsIntact(engine, y, data.length * 4));
      });
    }
  }

  for (const [reduction, reduce] of REDUCTIONS) {
    test(`ScatterND ${reduction}`, () => {
      const engine = freshEngine(variant);
      const [d0, d1, row, tuples, tileColumns] = [5, 6, 37, 100, 10];
      const data = randomFloats(d0 * d1 * row, 13);
      const updates = randomFloats(tuples * row, 14);
      const [first, second] = [randomIndices(tuples, d0, 15), randomIndices(tuples, d1, 16)];
      const y = placeGuarded(engine, data);
      const params = {
        updates: placeGuarded(engine, updates),
        indices: placeGuarded(
          engine,
          indexArray(
            8,
            first.flatMap((v, i) => [v, second[i] as number]),
          ),
        ),
        y,
        flag: words(engine, 0),
        table: words(engine, d0, d1, d1, 1),
        depth: 2,
        indexBytes: 8,
        tuples,
        row,
        storage: Storage.Float32,
        reduction: ScatterReduction[reduction],
        tileColumns,
      };
      for (let tile = 3; tile >= 0; tile--) engine.launch('scatter', params, tile + 1, tile);
      const expected = data.slice();
      for (let i = 0; i < tuples * row; i++) {
        const t = Math.floor(i / row);
        const at = (wrap(first[t] as number, d0) * d1 + wrap(second[t] as number, d1)) * row + (i % row);
        expected[at] = reduce(expected[at] as number, updates[i] as number);
      }
      assert.ok(expected.every((v, i) => Object.is(v, engine.f32[y / 4 + i])));
      assert.ok(guardsIntact(engine, y, data.length * 4));
    });
  }

  test.run();
}
