import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from '../../bindings/engine.js';
import { Activation, type MatMulParams, MatMulTile } from '../../build/kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

interface Case {
  name: string;
  m: number;
  n: number;
  k: number;
  batch?: number;
  transposeA?: boolean;
  transposeB?: boolean;
  broadcastA?: boolean;
  broadcastB?: boolean;
  /** Extra floats between rows of Y. */
  gap?: number;
  alpha?: number;
  bias?: boolean;
  residual?: boolean;
  activation?: [kind: number, alpha: number, beta: number, reference: (x: number) => number];
}

const relu: Case['activation'] = [Activation.Clip, 0, Infinity, (x) => Math.max(x, 0)];
const sigmoid: Case['activation'] = [Activation.Sigmoid, 0, 0, (x) => 1 / (1 + Math.exp(-x))];

const cases: Case[] = [
  { name: 'one value', m: 1, n: 1, k: 1 },
  { name: 'empty K leaves bias', m: 3, n: 9, k: 0, bias: true },
  { name: 'row vector', m: 1, n: 100, k: 257, bias: true, residual: true, activation: relu },
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((k) => ({ name: `one row, K ${k}`, m: 1, n: 21, k, bias: true, residual: true })),
  { name: 'column vector', m: 100, n: 1, k: 257, bias: true, residual: true },
  ...[2, 3, 4, 5, 6, 7, 11, 61, 131].map((m) => ({ name: `${m} rows`, m, n: 17, k: 33, bias: true, residual: true })),
  ...[7, 8, 63, 64, 65, 130].map((n) => ({ name: `${n} columns`, m: 13, n, k: 12, bias: true, activation: relu })),
  { name: 'transposed A', m: 67, n: 20, k: 41, transposeA: true },
  { name: 'transposed B', m: 9, n: 83, k: 43, transposeB: true, alpha: 0.125 },
  { name: 'both transposed', m: 7, n: 12, k: 8, transposeA: true, transposeB: true, alpha: -2 },
  { name: 'batch', m: 65, n: 19, k: 7, batch: 6, bias: true, residual: true },
  { name: 'broadcast A', m: 5, n: 66, k: 9, batch: 4, broadcastA: true },
  { name: 'broadcast B', m: 5, n: 66, k: 9, batch: 4, broadcastB: true },
  { name: 'into a slice of wider rows', m: 62, n: 13, k: 20, gap: 7, residual: true, activation: sigmoid },
  { name: 'one row into a slice', m: 1, n: 37, k: 20, batch: 3, gap: 7, activation: sigmoid },
];

function product(c: Case, a: Float32Array, b: Float32Array, bias: Float32Array, residual: Float32Array): Float64Array {
  const { m, n, k, batch = 1 } = c;
  const y = new Float64Array(batch * m * n);
  for (let z = 0; z < batch; z++) {
    const a0 = c.broadcastA ? 0 : z * m * k;
    const b0 = c.broadcastB ? 0 : z * k * n;
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let l = 0; l < k; l++) {
          const left = a[a0 + (c.transposeA ? l * m + i : i * k + l)] as number;
          const right = b[b0 + (c.transposeB ? j * k + l : l * n + j)] as number;
          sum += left * right;
        }
        const at = (z * m + i) * n + j;
        const x =
          sum * (c.alpha ?? 1) + (c.bias ? (bias[j] as number) : 0) + (c.residual ? (residual[at] as number) : 0);
        y[at] = c.activation ? c.activation[3](x) : x;
      }
    }
  }
  return y;
}

function pack(engine: Engine, c: Case, b: number): number {
  const { n, k, batch = 1 } = c;
  const batches = c.broadcastB ? 1 : batch;
  const panels = Math.ceil(n / MatMulTile.Panel);
  const bytes = batches * panels * k * MatMulTile.Panel * 4;
  const packed = placeGuarded(engine, new Uint8Array(bytes));
  const strides = { rowStride: c.transposeB ? 1 : n, columnStride: c.transposeB ? k : 1, innerStride: n * k };
  const params = { b, packed, n, k, outer: 1, inner: batches, outerStride: 0, ...strides, alpha: c.alpha ?? 1 };
  runInSplits(engine, 'packMatMulB', params, batches * panels, { address: packed, bytes });
  assert.ok(guardsIntact(engine, packed, bytes));
  return packed;
}

for (const variant of variants) {
  const test = suite(`matmul (${variant})`);

  for (const c of cases) {
    test(c.name, () => {
      const { m, n, k, batch = 1, gap = 0 } = c;
      const engine = freshEngine(variant);
      const a = randomFloats((c.broadcastA ? 1 : batch) * m * k, 1);
      const b = randomFloats((c.broadcastB ? 1 : batch) * n * k, 2);
      const bias = randomFloats(n, 3);
      const residual = randomFloats(batch * m * n, 4);
      const row = n + gap;
      const floats = batch * m * row - gap;
      const y = placeGuarded(engine, new Uint8Array(floats * 4).fill(0x77));
      const [activation, alpha, beta] = c.activation ?? [Activation.None, 0, 0];
      const tileColumns = n % 2 ? MatMulTile.Columns : 2 * MatMulTile.Panel;
      const params: MatMulParams = {
        a: placeGuarded(engine, a),
        b: pack(engine, c, placeGuarded(engine, b)),
        y,
        bias: c.bias ? placeGuarded(engine, bias) : 0,
        residual: c.residual ? placeGuarded(engine, residual) : 0,
        m,
        n,
        k,
        outer: 1,
        inner: batch,
        aRowStride: c.transposeA ? 1 : k,
        aColumnStride: c.transposeA ? m : 1,
        aOuterStride: 0,
        aInnerStride: c.broadcastA ? 0 : m * k,
        bOuterStride: 0,
        bInnerStride: c.broadcastB ? 0 : Math.ceil(n / MatMulTile.Panel) * MatMulTile.Panel * k,
        yRowStride: row,
        yOuterStride: 0,
        yInnerStride: m * row,
        residualRowStride: n,
        residualOuterStride: 0,
        residualInnerStride: m * n,
        biasInnerStride: 0,
        activation,
        alpha,
        beta,
        tileColumns,
      };
      const tiles = batch * Math.ceil(m / MatMulTile.Rows) * Math.ceil(n / tileColumns);
      runInSplits(engine, 'matmul', params, tiles, { address: y, bytes: floats * 4 });

      const all = engine.f32.slice(y / 4, y / 4 + floats);
      const written = all.filter((_, i) => i % row < n);
      const between = new Uint8Array(all.filter((_, i) => i % row >= n).buffer);
      assert.ok(relativeL2(written, product(c, a, b, bias, residual)) < 1e-6);
      assert.ok(between.every((byte) => byte === 0x77));
      assert.ok(guardsIntact(engine, y, floats * 4));
    });
  }

  test('outer and inner batches: attention scores of interleaved heads, a bias for each', () => {
    const [outer, inner, m, n, k] = [2, 3, 5, 4, 8];
    const engine = freshEngine(variant);
    const a = randomFloats(outer * m * inner * k, 5);
    const b = randomFloats(outer * n * inner * k, 6);
    const bias = randomFloats(inner * n, 7);
    const packed = engine.allocate(outer * inner * 8 * k * 4);
    const width = inner * k;
    const view = { outerStride: n * width, innerStride: k, rowStride: 1, columnStride: width, alpha: 1 };
    engine.launch(
      'packMatMulB',
      { b: placeGuarded(engine, b), packed, n, k, outer, inner, ...view },
      outer * inner * Math.ceil(n / MatMulTile.Panel),
    );
    const count = outer * inner * m * n;
    const y = placeGuarded(engine, new Float32Array(count));
    const params: MatMulParams = {
      ...{
        a: placeGuarded(engine, a),
        b: packed,
        y,
        bias: placeGuarded(engine, bias),
        residual: 0,
        activation: Activation.None,
        alpha: 0,
        beta: 0,
      },
      ...{ m, n, k, outer, inner, aRowStride: width, aColumnStride: 1, aOuterStride: m * width, aInnerStride: k },
      ...{ bOuterStride: inner * 8 * k, bInnerStride: 8 * k },
      ...{ yRowStride: n, yOuterStride: inner * m * n, yInnerStride: m * n },
      ...{
        residualRowStride: 0,
        residualOuterStride: 0,
        residualInnerStride: 0,
        biasInnerStride: n,
        tileColumns: MatMulTile.Columns,
      },
    };
    runInSplits(engine, 'matmul', params, outer * inner, { address: y, bytes: count * 4 });
    const expected = new Float64Array(count);
    for (let at = 0; at < count; at++) {
      const [j, i, h, o] = [
        at % n,
        Math.floor(at / n) % m,
        Math.floor(at / n / m) % inner,
        Math.floor(at / n / m / inner),
      ];
      expected[at] = bias[h * n + j] as number;
      for (let l = 0; l < k; l++) {
        const left = a[((o * m + i) * inner + h) * k + l] as number;
        expected[at] = (expected[at] as number) + left * (b[((o * n + j) * inner + h) * k + l] as number);
      }
    }
    assert.ok(relativeL2(engine.f32.subarray(y / 4, y / 4 + count), expected) < 1e-6);
  });

  test.run();
}
