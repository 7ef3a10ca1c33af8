import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Activation, MatMulTile } from '../../build/kernels.js';
import { WideningTile } from '../../build/quantized-kernels.js';
import { fromFloat16 } from '../../src/tensor/half.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, runInSplits, variants } from './kernels.js';

const PANEL = MatMulTile.Panel;

/** All finite halves below 64, both zeros and subnormal ones included, by turns. */
const fitting = (count: number) =>
  Uint16Array.from({ length: count }, (_, i) => ((i * 7919) % 0x5400) | (i % 3 === 0 ? 0x8000 : 0));

interface Case {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly transposed?: boolean;
  readonly bias?: boolean;
  readonly residual?: boolean;
  readonly activation?: number;
  readonly large?: boolean;
}

const sizes = [1, 2, 3, 4, 5, 6, 7, 61, 131].map((m): Case => ({ m, k: 33, n: 75, bias: true, residual: true }));

const CASES: readonly Case[] = [
  ...sizes,
  ...[1, 8, 31, 32, 33, 64, 130].map((n): Case => ({ m: 1, k: 12, n, bias: true, activation: Activation.Clip })),
  { m: 1, k: 40, n: 77, activation: Activation.Tanh, residual: true },
  { m: 9, k: 40, n: 77, activation: Activation.Tanh, transposed: true },
  { m: 1, k: 40, n: 70, large: true, bias: true },
  { m: 3, k: 0, n: 9, bias: true },
];

for (const variant of variants) {
  const test = suite(`weights in halves (${variant})`);
  for (const c of CASES) {
    const { m, k, n, transposed = false, activation = Activation.None } = c;
    test(`as by floats: ${JSON.stringify(c)}`, () => {
      const engine = freshEngine(variant);
      const halves = fitting(k * n);
      const panels = Math.ceil(n / PANEL);
      const [rowStride, columnStride] = transposed ? [1, k] : [n, 1];
      const room = (bytes: number) => placeGuarded(engine, new Uint8Array(bytes));
      const [inHalves, inFloats, unfit] = [room(panels * k * 16), room(panels * k * 32), room(4)];
      const strides = { groupStride: 0, tapStride: 0, channelStride: rowStride, columnStride };
      const w = placeGuarded(engine, halves);
      const packing = { w, packed: inHalves, unfit, columns: n, channels: k, taps: 1, ...strides };
      runInSplits(engine, 'packHalves', packing, panels, { address: inHalves, bytes: panels * k * 16 });
      assert.is(engine.i32[unfit / 4], 0);
      const b = placeGuarded(engine, Float32Array.from(halves, fromFloat16));
      const view = { n, k, outer: 1, inner: 1, rowStride, columnStride, outerStride: 0, innerStride: 0, alpha: 1 };
      engine.launch('packMatMulB', { b, packed: inFloats, ...view }, panels);

      const a = randomFloats(m * k, 2).map((x, i) => (c.large && i === 5 ? 3e9 : x));
      const floats = (count: number, seed: number) => placeGuarded(engine, randomFloats(count, seed));
      const params = {
        ...{ a: placeGuarded(engine, a), m, n, k, outer: 1, inner: 1, aRowStride: k, aColumnStride: 1 },
        ...{ bias: c.bias ? floats(n, 3) : 0, residual: c.residual ? floats(m * n, 4) : 0 },
        ...{ activation, alpha: -0.5, beta: 0.5, aOuterStride: 0, aInnerStride: 0, bOuterStride: 0, bInnerStride: 0 },
        ...{ yRowStride: n, yOuterStride: 0, yInnerStride: 0, residualRowStride: n, residualOuterStride: 0 },
        ...{ residualInnerStride: 0, biasInnerStride: 0, tileColumns: MatMulTile.Columns },
      };
      const tiles = Math.ceil(m / MatMulTile.Rows) * Math.ceil(n / MatMulTile.Columns);
      const bytes = 4 * m * n;
      const [y, expected] = [room(bytes), room(bytes)];
      runInSplits(engine, 'halfProduct', { ...params, b: inHalves, y }, tiles, { address: y, bytes });
      engine.launch('matmul', { ...params, b: inFloats, y: expected }, tiles);
      assert.equal(engine.u8.slice(y, y + bytes), engine.u8.slice(expected, expected + bytes));
      assert.ok(guardsIntact(engine, y, bytes) && guardsIntact(engine, inHalves, panels * k * 16));
    });
  }

  test('panels of a convolution, widened', () => {
    const engine = freshEngine(variant);
    const [groups, columns, channels, taps] = [3, 21, 130, 9];
    const halves = fitting(groups * columns * channels * taps);
    const panels = groups * Math.ceil(columns / PANEL);
    const rows = panels * channels * taps;
    assert.ok(rows > WideningTile.Rows);
    const room = (bytes: number) => placeGuarded(engine, new Uint8Array(bytes));
    const [packed, floats, expected, unfit] = [room(16 * rows), room(32 * rows), room(32 * rows), room(4)];
    const strides = { groupStride: columns * channels * taps, columnStride: channels * taps };
    const order = { tapStride: 1, channelStride: taps };
    const w = placeGuarded(engine, halves);
    const packing = { w, packed, unfit, columns, channels, taps, ...strides, ...order };
    runInSplits(engine, 'packHalves', packing, panels, { address: packed, bytes: 16 * rows });
    const tiles = Math.ceil(rows / WideningTile.Rows);
    runInSplits(engine, 'widenHalves', { halves: packed, floats, rows }, tiles, { address: floats, bytes: 32 * rows });
    const wide = placeGuarded(engine, Float32Array.from(halves, fromFloat16));
    const sizes = { groups, channels, outChannels: columns, taps, merge: 1 };
    engine.launch('packConvolution', { w: wide, packed: expected, ...sizes }, panels);
    assert.equal(engine.u8.slice(floats, floats + 32 * rows), engine.u8.slice(expected, expected + 32 * rows));
    assert.ok(guardsIntact(engine, floats, 32 * rows) && guardsIntact(engine, packed, 16 * rows));
  });

  for (const [name, half] of Object.entries({ 64: 0x5400, '-64': 0xd400, infinity: 0x7c00, NaN: 0xfe00 })) {
    for (const n of [8, 5]) {
      test(`${name} has no place in a panel of ${n}`, () => {
        const engine = freshEngine(variant);
        const halves = fitting(n * 6);
        halves[n * 3 + 2] = half;
        const unfit = placeGuarded(engine, new Uint8Array(4));
        const strides = { groupStride: 0, tapStride: 0, channelStride: n, columnStride: 1 };
        const packed = placeGuarded(engine, new Uint8Array(6 * 16));
        const w = placeGuarded(engine, halves);
        engine.launch('packHalves', { w, packed, unfit, columns: n, channels: 6, taps: 1, ...strides }, 1);
        assert.is(engine.i32[unfit / 4], 1);
      });
    }
  }
  test.run();
}
