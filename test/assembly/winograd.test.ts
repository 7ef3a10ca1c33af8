import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from '../../bindings/engine.js';
import { Activation, MatMulTile, WinogradBlock } from '../../build/kernels.js';
import { choicesOf } from '../fuzz/graphs/choices.js';
import { seriesByTier } from '../tier.js';
import {
  allVariants,
  freshEngine,
  guardsIntact,
  placeGuarded,
  randomFloats,
  relativeL2,
  runInSplits,
} from './kernels.js';

const SEEDS = seriesByTier({ quick: 4, ci: 12, all: 400 });
const { POSITIVE_INFINITY: INFINITE } = Number;

interface Case {
  name: string;
  batch?: number;
  channels: readonly [number, number];
  size: readonly [height: number, width: number];
  /** top, left, bottom, right */
  pads: readonly [number, number, number, number];
  /** Channels beside y and the residual in a wider tensor. */
  gap?: number;
  activation?: [kind: number, alpha: number, beta: number, reference: (x: number) => number];
}

const cases: Case[] = [
  { name: 'whole tiles', channels: [8, 12], size: [8, 8], pads: [1, 1, 1, 1] },
  { name: 'odd sizes', channels: [4, 4], size: [7, 5], pads: [1, 1, 1, 1] },
  { name: 'no pads', channels: [16, 20], size: [11, 9], pads: [0, 0, 0, 0] },
  { name: 'asymmetric pads', channels: [4, 8], size: [6, 6], pads: [2, 0, 1, 3] },
  { name: 'smaller than a tile', channels: [12, 4], size: [1, 2], pads: [1, 1, 1, 1] },
  {
    name: 'batch, slice, residual, relu',
    batch: 3,
    channels: [8, 68],
    size: [9, 10],
    pads: [1, 1, 1, 1],
    gap: 3,
    activation: [Activation.Clip, 0, Infinity, (x) => Math.max(x, 0)],
  },
  {
    name: 'batch, residual, sigmoid',
    batch: 2,
    channels: [64, 8],
    size: [13, 6],
    pads: [1, 1, 1, 1],
    activation: [Activation.Sigmoid, 0, 0, (x) => 1 / (1 + Math.exp(-x))],
  },
];

/** Plain float64 loops; x channels-last, w [out, in, 3, 3]. */
function convolve(c: Case, out: readonly [number, number], x: Float32Array, w: Float32Array): Float64Array {
  const { batch = 1, size, pads } = c;
  const [channels, outChannels] = c.channels;
  const y = new Float64Array(batch * out[0] * out[1] * outChannels);
  for (let at = 0; at < y.length; at++) {
    const co = at % outChannels;
    const pixel = Math.floor(at / outChannels);
    const [n, oh, ow] = [Math.floor(pixel / out[1] / out[0]), Math.floor(pixel / out[1]) % out[0], pixel % out[1]];
    for (let tap = 0; tap < 9; tap++) {
      const h = oh + Math.floor(tap / 3) - pads[0];
      const v = ow + (tap % 3) - pads[1];
      if (h < 0 || h >= size[0] || v < 0 || v >= size[1]) continue;
      for (let ci = 0; ci < channels; ci++) {
        const value = x[((n * size[0] + h) * size[1] + v) * channels + ci] as number;
        y[at] = (y[at] as number) + value * (w[(co * channels + ci) * 9 + tap] as number);
      }
    }
  }
  return y;
}

function packed(engine: Engine, w: number, channels: number, outChannels: number, size: number): number {
  const panels = Math.ceil(outChannels / MatMulTile.Panel);
  const bytes = ((size + 2) ** 2 + 9) * panels * channels * MatMulTile.Panel * 4;
  const at = placeGuarded(engine, new Uint8Array(bytes));
  const params = { w, packed: at, channels, outChannels, size };
  runInSplits(engine, 'winogradWeights', params, panels, { address: at, bytes });
  assert.ok(guardsIntact(engine, at, bytes));
  return at;
}

for (const variant of allVariants) {
  for (const size of [2, 4]) {
    const test = suite(`winograd F(${size}×${size}, 3×3) (${variant})`);

    /** The results of one launch and of three, with what is right. */
    const run = (c: Case, x: Float32Array, w: Float32Array) => {
      const { batch = 1, pads, gap = 0 } = c;
      const [channels, outChannels] = c.channels;
      const [height, width] = c.size;
      const [outHeight, outWidth] = [height + pads[0] + pads[2] - 2, width + pads[1] + pads[3] - 2];
      const [tilesHigh, tilesWide] = [Math.ceil(outHeight / size), Math.ceil(outWidth / size)];
      const tiles = batch * tilesHigh * tilesWide;
      const elements = (size + 2) ** 2;

      const engine = freshEngine(variant);
      const bias = randomFloats(outChannels, 3);
      const pixels = batch * outHeight * outWidth;
      const row = outChannels + gap;
      const residual = randomFloats(pixels * row, 4);

      const bytes = pixels * row * 4;
      const y = placeGuarded(engine, new Uint8Array(bytes).fill(0x77));
      const [vStride, mStride] = [tiles * channels + WinogradBlock.Gap, tiles * outChannels + WinogradBlock.Gap];
      const v = placeGuarded(engine, new Uint8Array(elements * vStride * 4).fill(0x77));
      const m = engine.allocate(elements * mStride * 4);
      const [activation, alpha, beta] = c.activation ?? [Activation.None, 0, 0];
      const params = {
        ...{
          x: placeGuarded(engine, x),
          y,
          v,
          m,
          size,
          batch,
          height,
          width,
          channels,
          outHeight,
          outWidth,
          outChannels,
        },
        ...{
          w: packed(engine, placeGuarded(engine, w), channels, outChannels, size),
          padTop: pads[0],
          padLeft: pads[1],
        },
        blockTiles: 7,
        ...{ xPixelStride: channels, yPixelStride: row, residualPixelStride: row },
        bias: placeGuarded(engine, bias),
        residual: c.activation ? placeGuarded(engine, residual) : 0,
        ...{ activation, alpha, beta },
      };
      const output = { address: y, bytes };
      runInSplits(engine, 'winograd', params, 2 * Math.ceil(tiles / (2 * params.blockTiles)), output);
      const whole = engine.f32.slice(y / 4, (y + bytes) / 4);
      assert.ok(guardsIntact(engine, y, bytes));

      const vBytes = (elements * vStride - WinogradBlock.Gap) * 4;
      runInSplits(engine, 'winogradInput', params, batch * tilesHigh, { address: v, bytes: vBytes });
      assert.ok(guardsIntact(engine, v, elements * vStride * 4));
      const panels = Math.ceil(outChannels / MatMulTile.Panel);
      engine.launch(
        'matmul',
        {
          ...{ a: v, b: params.w, y: m, m: tiles, n: outChannels, k: channels, outer: 1, inner: elements },
          ...{ aRowStride: channels, aColumnStride: 1, aOuterStride: 0, aInnerStride: vStride },
          ...{ bOuterStride: 0, bInnerStride: panels * MatMulTile.Panel * channels },
          ...{ yRowStride: outChannels, yOuterStride: 0, yInnerStride: mStride },
          ...{ residualRowStride: 0, residualOuterStride: 0, residualInnerStride: 0, biasInnerStride: 0 },
          tileColumns: MatMulTile.Columns,
          ...{ bias: 0, residual: 0, activation: Activation.None, alpha: 0, beta: 0 },
        },
        elements * Math.ceil(tiles / MatMulTile.Rows) * Math.ceil(outChannels / MatMulTile.Columns),
      );
      runInSplits(engine, 'winogradOutput', params, batch * tilesHigh, output);
      const threeLaunches = engine.f32.slice(y / 4, (y + bytes) / 4);
      assert.ok(guardsIntact(engine, y, bytes));

      const finish = c.activation?.[3] ?? ((sum: number) => sum);
      const expected = convolve(c, [outHeight, outWidth], x, w).map((sum, i) => {
        const channel = i % outChannels;
        const added = c.activation ? (residual[((i - channel) / outChannels) * row + channel] as number) : 0;
        return finish(sum + (bias[channel] as number) + added);
      });
      return { results: [whole, threeLaunches], expected, row };
    };

    for (const c of cases) {
      test(c.name, () => {
        const [channels, outChannels] = c.channels;
        const x = randomFloats((c.batch ?? 1) * c.size[0] * c.size[1] * channels, 1);
        const w = randomFloats(outChannels * channels * 9, 2);
        const { results, expected, row } = run(c, x, w);
        for (const all of results) {
          const error = relativeL2(
            all.filter((_, i) => i % row < outChannels),
            expected,
          );
          assert.ok(error < (size === 4 ? 1e-5 : 1e-6), `relative L2 ${error}`);
          const beside = new Uint8Array(all.filter((_, i) => i % row >= outChannels).buffer);
          assert.ok(beside.every((byte) => byte === 0x77));
        }
      });

      test(`${c.name}: pixels and weights that are infinite, NaN or as large as can be`, () => {
        const [channels, outChannels] = c.channels;
        for (const seed of SEEDS) {
          const g = choicesOf(seed);
          const x = randomFloats((c.batch ?? 1) * c.size[0] * c.size[1] * channels, 10 + seed);
          const w = randomFloats(outChannels * channels * 9, 1000 + seed);
          for (let i = 0; i < w.length; i++) if (g.chance(0.1)) w[i] = g.pick([0, -0, 1e-9]);
          for (let n = 1 + g.below(2); n > 0; n--)
            x[g.below(x.length)] = g.pick([INFINITE, -INFINITE, Number.NaN, 1e38]);
          if (g.chance(0.1)) w[g.below(w.length)] = g.pick([INFINITE, Number.NaN]);
          const { results, expected, row } = run(c, x, w);
          // Sums beside a large pixel of their tile are as exact as that.
          const unit = 1e-5 * x.reduce((most, v) => (Number.isFinite(v) ? Math.max(most, Math.abs(v)) : most), 1);
          for (const all of results) {
            const own = all.filter((_, i) => i % row < outChannels);
            const at = own.findIndex((a, i) => {
              const e = expected[i] as number;
              return !Object.is(a, e) && !(Math.abs(a - e) <= unit * channels);
            });
            assert.is(at, -1, `seed ${seed}: [${at}] is ${own[at]}, not ${expected[at]}`);
          }
        }
      });
    }

    test.run();
  }
}
