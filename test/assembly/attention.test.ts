import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AttentionTile } from '../../build/kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

type Layout = 'BTHD' | 'BHTD';

interface Case {
  name: string;
  batch?: number;
  heads: number;
  kvHeads?: number;
  queries: number;
  keys: number;
  size: number;
  valueSize?: number;
  layout?: Layout;
  causalOffset?: number;
  keyLengths?: number[];
  softcap?: number;
  /** Mask value by batch, head, query and key, and which of them it depends on. */
  mask?: (b: number, h: number, i: number, j: number) => number;
  maskAxes?: readonly [boolean, boolean, boolean, boolean];
}

const wave = (b: number, h: number, i: number, j: number) => Math.sin(b + 2 * h + 3 * i + 5 * j);

const cases: Case[] = [
  { name: 'one block of keys', heads: 2, queries: 65, keys: 64, size: 64 },
  { name: 'several blocks of keys', heads: 1, queries: 21, keys: 250, size: 32 },
  { name: 'heads first', batch: 2, heads: 3, queries: 19, keys: 19, size: 16, layout: 'BHTD' },
  { name: 'odd sizes, values of another size', heads: 2, queries: 13, keys: 17, size: 9, valueSize: 27 },
  { name: 'size 8', heads: 1, queries: 130, keys: 7, size: 8 },
  { name: 'size 256', heads: 1, queries: 12, keys: 123, size: 256 },
  { name: 'grouped queries', heads: 6, kvHeads: 2, queries: 12, keys: 40, size: 8 },
  { name: 'decoding, grouped queries', heads: 6, kvHeads: 2, queries: 1, keys: 40, size: 8 },
  { name: 'a single key', heads: 1, queries: 13, keys: 1, size: 12 },
  { name: 'decoding', heads: 3, queries: 1, keys: 1100, size: 64 },
  { name: 'decoding, odd sizes', batch: 2, heads: 2, queries: 3, keys: 515, size: 7, valueSize: 45 },
  { name: 'causal', heads: 2, queries: 130, keys: 130, size: 8, causalOffset: 0 },
  { name: 'causal after a past', heads: 1, queries: 70, keys: 200, size: 16, causalOffset: 130 },
  { name: 'causal, first rows see nothing', heads: 1, queries: 15, keys: 12, size: 8, causalOffset: -3 },
  { name: 'causal decoding', heads: 1, queries: 2, keys: 9, size: 8, causalOffset: 7 },
  { name: 'key lengths', batch: 3, heads: 1, queries: 15, keys: 11, size: 8, keyLengths: [11, 4, 0] },
  {
    name: 'key lengths, causal',
    batch: 2,
    heads: 1,
    queries: 15,
    keys: 19,
    size: 8,
    keyLengths: [3, 17],
    causalOffset: 0,
  },
  {
    name: 'full mask',
    batch: 2,
    heads: 2,
    queries: 14,
    keys: 135,
    size: 8,
    mask: wave,
    maskAxes: [true, true, true, true],
  },
  {
    name: 'padding mask of −1e9',
    batch: 2,
    heads: 2,
    queries: 12,
    keys: 20,
    size: 8,
    mask: (b, _h, _i, j) => (j > 12 * b + 5 ? -1e9 : 0),
    maskAxes: [true, false, false, true],
  },
  {
    name: 'decoding, −∞ over the first block of keys',
    heads: 1,
    queries: 1,
    keys: 517,
    size: 8,
    mask: (_b, _h, _i, j) => (j < 513 ? -Infinity : 0),
    maskAxes: [false, false, false, true],
  },
  {
    name: 'rows and lines of −∞',
    heads: 1,
    queries: 20,
    keys: 135,
    size: 8,
    mask: (_b, _h, i, j) => (i % 3 === 0 || j < 129 ? -Infinity : 0),
    maskAxes: [false, false, true, true],
  },
  { name: 'mask per query', heads: 1, queries: 2, keys: 9, size: 8, mask: wave, maskAxes: [false, true, true, false] },
  { name: 'soft cap', heads: 2, queries: 17, keys: 30, size: 16, softcap: 0.7, causalOffset: 13 },
  {
    name: 'key lengths, decoding',
    batch: 3,
    heads: 1,
    queries: 3,
    keys: 9,
    size: 8,
    keyLengths: [9, 4, 0],
    causalOffset: 0,
  },
  { name: 'soft cap, decoding with a mask', heads: 2, queries: 1, keys: 30, size: 16, softcap: 0.7, mask: wave },
];

function strides(
  layout: Layout,
  heads: number,
  rows: number,
  size: number,
): [batch: number, head: number, row: number] {
  return layout === 'BTHD' ? [rows * heads * size, size, heads * size] : [heads * rows * size, rows * size, size];
}

for (const variant of variants) {
  const test = suite(`attention (${variant})`);

  for (const c of cases) {
    test(`${c.name}: relative L2 below 2e-6`, () => {
      const { batch = 1, heads, queries, keys, size, layout = 'BTHD', softcap = 0 } = c;
      const scale = 2 / Math.sqrt(size);
      const [kvHeads, valueSize] = [c.kvHeads ?? heads, c.valueSize ?? size];
      const engine = freshEngine(variant);
      const q = randomFloats(batch * heads * queries * size, 1);
      const k = randomFloats(batch * kvHeads * keys * size, 2);
      const v = randomFloats(batch * kvHeads * keys * valueSize, 3);
      const [qB, qH, qT] = strides(layout, heads, queries, size);
      const [kB, kH, kT] = strides(layout, kvHeads, keys, size);
      const [vB, vH, vT] = strides(layout, kvHeads, keys, valueSize);
      const [yB, yH, yT] = strides(layout, heads, queries, valueSize);

      const axes = c.maskAxes ?? [true, true, true, true];
      const extents = [batch, heads, queries, keys].map((n, axis) => (axes[axis] ? n : 1)) as [
        number,
        number,
        number,
        number,
      ];
      const mask = new Float32Array(c.mask ? extents.reduce((a, b) => a * b) : 0);
      const [mB, mH, mI, mJ] = extents;
      const maskAt = (b: number, h: number, i: number, j: number) =>
        (((axes[0] ? b : 0) * mH + (axes[1] ? h : 0)) * mI + (axes[2] ? i : 0)) * mJ + (axes[3] ? j : 0);
      for (let b = 0; b < mB; b++)
        for (let h = 0; h < mH; h++)
          for (let i = 0; i < mI; i++)
            for (let j = 0; j < mJ; j++) mask[maskAt(b, h, i, j)] = c.mask?.(b, h, i, j) ?? 0;

      const y = placeGuarded(engine, new Float32Array(batch * heads * queries * valueSize));
      const bytes = 4 * batch * heads * queries * valueSize;
      const params = {
        q: placeGuarded(engine, q),
        k: placeGuarded(engine, k),
        v: placeGuarded(engine, v),
        y,
        mask: c.mask ? placeGuarded(engine, mask) : 0,
        keyLengths: c.keyLengths ? placeGuarded(engine, Int32Array.from(c.keyLengths)) : 0,
        batch,
        heads,
        kvHeads,
        queryLength: queries,
        keyLength: keys,
        headSize: size,
        valueSize,
        qBatchStride: qB,
        qHeadStride: qH,
        qRowStride: qT,
        kBatchStride: kB,
        kHeadStride: kH,
        kRowStride: kT,
        vBatchStride: vB,
        vHeadStride: vH,
        vRowStride: vT,
        yBatchStride: yB,
        yHeadStride: yH,
        yRowStride: yT,
        maskBatchStride: axes[0] ? mH * mI * mJ : 0,
        maskHeadStride: axes[1] ? mI * mJ : 0,
        maskRowStride: axes[2] ? mJ : 0,
        maskColumnStride: axes[3] ? 1 : 0,
        causal: c.causalOffset === undefined ? 0 : 1,
        causalOffset: c.causalOffset ?? 0,
        scale,
        softcap,
      };
      const tiles = batch * heads * Math.ceil(queries / AttentionTile.QueryRows);
      runInSplits(engine, 'attention', params, tiles, { address: y, bytes });

      const expected = new Float64Array(bytes / 4);
      for (let b = 0; b < batch; b++) {
        const length = c.keyLengths?.[b] ?? keys;
        for (let h = 0; h < heads; h++) {
          const g = Math.floor(h / (heads / kvHeads));
          for (let i = 0; i < queries; i++) {
            const offset = c.keyLengths ? length - queries : (c.causalOffset ?? 0);
            const visible = Math.min(length, c.causalOffset === undefined ? keys : i + offset + 1);
            const scores: number[] = [];
            for (let j = 0; j < visible; j++) {
              let dot = 0;
              for (let d = 0; d < size; d++)
                dot += (q[b * qB + h * qH + i * qT + d] as number) * (k[b * kB + g * kH + j * kT + d] as number);
              const score = softcap ? softcap * Math.tanh((scale * dot) / softcap) : scale * dot;
              scores.push(score + (c.mask ? (mask[maskAt(b, h, i, j)] as number) : 0));
            }
            const top = Math.max(...scores);
            if (top === -Infinity) continue;
            const weights = scores.map((s) => Math.exp(s - top));
            const sum = weights.reduce((a, w) => a + w, 0);
            for (let d = 0; d < valueSize; d++) {
              const at = b * yB + h * yH + i * yT + d;
              expected[at] = weights.reduce((a, w, j) => a + w * (v[b * vB + g * vH + j * vT + d] as number), 0) / sum;
            }
          }
        }
      }
      const actual = engine.f32.subarray(y / 4, y / 4 + bytes / 4);
      assert.ok(
        actual.every((value, i) => expected[i] !== 0 || value === 0),
        'rows that see nothing are 0',
      );
      assert.ok(relativeL2(actual, expected) < 2e-6, `${relativeL2(actual, expected)}`);
      assert.ok(guardsIntact(engine, y, bytes));
    });
  }

  test.run();
}
