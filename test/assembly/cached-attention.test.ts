import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CachedAttentionPart, CachedAttentionTile, CacheStorage } from '../../build/quantized-kernels.js';
import { fromFloat16, toFloat16 } from '../../src/tensor/half.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

interface Case {
  batch?: number;
  /** Query heads that share a key head. */
  group: number;
  kvHeads?: number;
  queries?: number;
  keys: number;
  /** Rows from one head's keys to the next's. */
  pitch?: number;
  size: number;
  valueSize?: number;
  causal?: boolean;
  causalOffset?: number;
  keyLengths?: number[];
  window?: number;
  softcap?: number;
  sinks?: boolean;
  mask?: (j: number) => number;
}

const cases: Record<string, Case> = {
  'one head': { group: 1, keys: 5, size: 8 },
  'two that share a key head': { group: 2, kvHeads: 3, keys: 130, size: 16 },
  'three, with room behind the keys': { group: 3, kvHeads: 3, keys: 201, pitch: 256, size: 64 },
  'four, values of another size': { group: 4, kvHeads: 2, keys: 64, size: 128, valueSize: 24 },
  seven: { group: 7, kvHeads: 2, keys: 65, size: 64 },
  nine: { group: 9, keys: 20, size: 32 },
  'a single key': { group: 5, keys: 1, size: 8 },
  'lengths of sequences': { batch: 3, group: 2, keys: 90, size: 16, causal: true, keyLengths: [90, 17, 1] },
  'several queries': { group: 3, queries: 5, keys: 70, size: 16, causal: true, causalOffset: 65 },
  'queries that see nothing': { group: 2, queries: 4, keys: 9, size: 8, causal: true, causalOffset: -2 },
  'a window': { group: 3, keys: 300, size: 16, causal: true, causalOffset: 299, window: 70 },
  'a window over several queries': {
    batch: 2,
    group: 2,
    queries: 7,
    keys: 150,
    size: 8,
    causal: true,
    keyLengths: [150, 40],
    window: 5,
  },
  'a soft cap': { group: 3, keys: 40, size: 16, softcap: 0.7 },
  sinks: { group: 3, kvHeads: 2, keys: 40, size: 16, sinks: true, causal: true, keyLengths: [33] },
  'a mask': { group: 3, queries: 2, keys: 80, size: 16, mask: (j) => Math.sin(j) },
  'keys in three splits, of which sequences see one, two and all': {
    ...{ batch: 3, group: 3, kvHeads: 2, keys: 600, size: 64, causal: true, keyLengths: [600, 17, 257] },
  },
  'a window from the second split to the third': {
    ...{ group: 4, queries: 2, keys: 700, size: 16, causal: true, causalOffset: 698, window: 300 },
  },
  'splits, a soft cap, sinks and a mask': {
    ...{ group: 2, kvHeads: 2, keys: 513, size: 16, valueSize: 24, softcap: 0.7, sinks: true },
    mask: (j) => (j < 300 ? -Infinity : Math.sin(j)),
  },
  'sinks alone in a split': { group: 3, keys: 300, size: 16, sinks: true, causal: true, causalOffset: -1 },
  'a mask of −∞ over the first block': { group: 2, keys: 80, size: 8, mask: (j) => (j < 70 ? -Infinity : 0) },
};

/** How keys are stored, what they are then worth, and how far results may be off. */
interface Store {
  readonly storage: CacheStorage;
  readonly bound: number;
  store(rows: Float32Array, size: number): { bytes: ArrayBufferView; worth: ArrayLike<number> };
  /** Elements of a row as strides count them. */
  rowOf(size: number): number;
}

const stores: Record<string, Store> = {
  floats: {
    storage: CacheStorage.Float32,
    bound: 2e-6,
    store: (rows) => ({ bytes: rows, worth: rows }),
    rowOf: (size) => size,
  },
  halves: {
    storage: CacheStorage.Float16,
    bound: 2e-6,
    store(rows) {
      const bytes = Uint16Array.from(rows, toFloat16);
      return { bytes, worth: Float64Array.from(bytes, fromFloat16) };
    },
    rowOf: (size) => size,
  },
  bytes: { storage: CacheStorage.Int8, bound: 6e-5, store: storeBytes, rowOf: (size) => size + 4 },
};

function storeBytes(rows: Float32Array, size: number) {
  const count = rows.length / size;
  const bytes = new Int8Array(count * (size + 4));
  const scales = new DataView(bytes.buffer);
  const worth = new Float64Array(rows.length);
  for (let row = 0; row < count; row++) {
    const values = rows.subarray(row * size, (row + 1) * size);
    const scale = Math.fround(Math.max(...values.map(Math.abs)) / 127);
    for (let i = 0; i < size; i++) {
      const whole = Math.round((values[i] as number) / scale);
      bytes[row * (size + 4) + i] = whole;
      worth[row * size + i] = whole * scale;
    }
    scales.setFloat32(row * (size + 4) + size, scale, true);
  }
  return { bytes, worth };
}

interface Operands {
  q: Float32Array;
  k: ArrayLike<number>;
  v: ArrayLike<number>;
  sinks: Float32Array;
}

/** In double precision, [batch, heads, queries, valueSize]. */
function attended(c: Case, { q, k, v, sinks }: Operands, scale: number): Float64Array {
  const { batch = 1, group, kvHeads = 1, queries = 1, keys, pitch = keys, size, valueSize = size, softcap = 0 } = c;
  const heads = group * kvHeads;
  const y = new Float64Array(batch * heads * queries * valueSize);
  for (let n = 0; n < batch * heads * queries; n++) {
    const [i, h, b] = [n % queries, Math.floor(n / queries) % heads, Math.floor(n / queries / heads)];
    const shared = (b * kvHeads + Math.floor(h / group)) * pitch;
    const length = c.keyLengths?.[b] ?? keys;
    const last = i + (c.keyLengths ? length - queries : (c.causalOffset ?? 0));
    const isSeen = (j: number) => j < length && (!c.causal || (j <= last && (!c.window || j > last - c.window)));
    const seen = Array.from({ length: keys }, (_, j) => j).filter(isSeen);
    const scores = seen.map((j) => {
      let dot = 0;
      for (let d = 0; d < size; d++) dot += (q[n * size + d] as number) * (k[(shared + j) * size + d] as number);
      const score = softcap ? softcap * Math.tanh((scale * dot) / softcap) : scale * dot;
      return score + (c.mask?.(j) ?? 0);
    });
    const weights = scores.map(Math.exp);
    const sum = weights.reduce((a, w) => a + w, c.sinks ? Math.exp(sinks[h] as number) : 0);
    if (sum === 0) continue;
    for (let d = 0; d < valueSize; d++)
      y[n * valueSize + d] =
        seen.reduce((a, j, s) => a + (weights[s] as number) * (v[(shared + j) * valueSize + d] as number), 0) / sum;
  }
  return y;
}

for (const variant of variants) {
  const test = suite(`cached attention (${variant})`);

  const attend = (
    c: Case,
    { storage, store, rowOf }: Store,
    spoil?: (k: ArrayBufferView, v: ArrayBufferView) => void,
  ) => {
    const { batch = 1, group, kvHeads = 1, queries = 1, keys, pitch = keys, size, valueSize = size } = c;
    const engine = freshEngine(variant);
    const heads = group * kvHeads;
    const scale = 2 / Math.sqrt(size);
    const q = randomFloats(batch * heads * queries * size, 1);
    const k = store(randomFloats(batch * kvHeads * pitch * size, 2), size);
    const v = store(randomFloats(batch * kvHeads * pitch * valueSize, 3), valueSize);
    spoil?.(k.bytes, v.bytes);
    const sinks = randomFloats(heads, 4);
    const mask = Float32Array.from({ length: keys }, (_, j) => c.mask?.(j) ?? 0);
    const bytes = 4 * batch * heads * queries * valueSize;
    const y = placeGuarded(engine, new Uint8Array(bytes));
    const params = {
      q: placeGuarded(engine, q),
      k: placeGuarded(engine, k.bytes),
      v: placeGuarded(engine, v.bytes),
      y,
      mask: c.mask ? placeGuarded(engine, mask) : 0,
      keyLengths: c.keyLengths ? placeGuarded(engine, Int32Array.from(c.keyLengths)) : 0,
      sinks: c.sinks ? placeGuarded(engine, sinks) : 0,
      ...{ storage, batch, heads, kvHeads, queryLength: queries, keyLength: keys, headSize: size, valueSize },
      ...{ qBatchStride: heads * queries * size, qHeadStride: queries * size, qRowStride: size },
      ...{ kBatchStride: kvHeads * pitch * rowOf(size), kHeadStride: pitch * rowOf(size), kRowStride: rowOf(size) },
      vBatchStride: kvHeads * pitch * rowOf(valueSize),
      vHeadStride: pitch * rowOf(valueSize),
      vRowStride: rowOf(valueSize),
      ...{ yBatchStride: heads * queries * valueSize, yHeadStride: queries * valueSize, yRowStride: valueSize },
      ...{ maskBatchStride: 0, maskHeadStride: 0, maskRowStride: 0, maskColumnStride: 1 },
      ...{ causal: c.causal ? 1 : 0, causalOffset: c.causalOffset ?? 0, window: c.window ?? 0 },
      ...{ scale, softcap: c.softcap ?? 0 },
    };
    const members = group * queries;
    const tiles = batch * kvHeads * Math.ceil(members / CachedAttentionTile.Members);
    const splits = tiles > batch * kvHeads ? 1 : Math.ceil(keys / CachedAttentionTile.Keys);
    if (splits === 1)
      runInSplits(engine, 'cachedAttention', { ...params, parts: 0, splits }, tiles, { address: y, bytes });
    else {
      const partBytes = tiles * splits * members * (CachedAttentionPart.Values + 4 * valueSize);
      const parts = placeGuarded(engine, new Uint8Array(partBytes));
      const split = { ...params, parts, splits };
      runInSplits(engine, 'cachedAttention', split, tiles * splits, { address: parts, bytes: partBytes });
      assert.ok(guardsIntact(engine, parts, partBytes));
      runInSplits(engine, 'joinParts', split, tiles, { address: y, bytes });
    }
    assert.ok(guardsIntact(engine, y, bytes));
    const actual = engine.f32.slice(y / 4, (y + bytes) / 4);
    return { actual, expected: attended(c, { q, k: k.worth, v: v.worth, sinks }, scale) };
  };

  for (const [kind, store] of Object.entries(stores))
    for (const [name, c] of Object.entries(cases))
      test(`${name}, of ${kind}: relative L2 below ${store.bound}`, () => {
        const { actual, expected } = attend(c, store);
        const nothing = actual.every((value, i) => expected[i] !== 0 || value === 0);
        assert.ok(nothing, 'rows that see nothing are 0');
        assert.ok(relativeL2(actual, expected) < store.bound, `${relativeL2(actual, expected)}`);
      });

  const HALVES = { keys: 70, group: 3, kvHeads: 2, size: 16 };

  test('halves that are ∞ or NaN are not taken for numbers', () => {
    const infinite = attend(HALVES, stores.halves as Store, (_, v) => {
      (v as Uint16Array)[67 * 16 + 3] = 0x7c00;
    });
    infinite.actual.forEach((value, i) => {
      const isMet = i < 3 * 16 && i % 16 === 3;
      assert.is(value === Infinity || !Number.isFinite(value), isMet, `${i}: ${value}`);
      if (!isMet) assert.ok(Math.abs(value - (infinite.expected[i] as number)) < 1e-5);
    });
    const { actual } = attend(HALVES, stores.halves as Store, (k) => {
      (k as Uint16Array)[2 * 16] = 0xfe00;
    });
    assert.ok(actual.subarray(0, 48).every(Number.isNaN));
    assert.ok(actual.subarray(48).every(Number.isFinite));
  });

  test('halves from the least to the largest', () => {
    const { actual, expected } = attend(
      { group: 3, keys: 40, size: 8 },
      {
        ...(stores.halves as Store),
        store(rows, size) {
          const scaled = rows.map((x, i) => (Math.floor(i / size) % 2 ? x * 1e-6 : x * 10));
          return (stores.halves as Store).store(scaled, size);
        },
      },
    );
    assert.ok(relativeL2(actual, expected) < 2e-6);
  });

  test('rows as integers of 8 bits, each with its scale', () => {
    const engine = freshEngine(variant);
    const [rows, size] = [7, 20];
    const x = randomFloats(rows * size, 5).map((value, i) => value * 10 ** (Math.floor(i / size) - 3));
    x.fill(0, size, 2 * size);
    x[2 * size + 1] = Number.NaN;
    x[3 * size + 1] = -Infinity;
    const bytes = rows * (size + 4);
    const y = placeGuarded(engine, new Uint8Array(bytes));
    const params = { x: placeGuarded(engine, x), y, rows, size, tileRows: 2 };
    runInSplits(engine, 'narrowRows', params, Math.ceil(rows / 2), { address: y, bytes });
    assert.ok(guardsIntact(engine, y, bytes));
    const view = new DataView(engine.u8.slice(y, y + bytes).buffer);
    for (let row = 0; row < rows; row++) {
      const values = x.subarray(row * size, (row + 1) * size);
      const scale = view.getFloat32(row * (size + 4) + size, true);
      if (!values.every(Number.isFinite)) assert.ok(Number.isNaN(scale));
      else assert.is(scale, Math.fround(Math.max(...values.map(Math.abs)) / 127));
      if (!(scale > 0)) continue;
      values.forEach((value, i) => {
        const off = Math.abs(view.getInt8(row * (size + 4) + i) * scale - value);
        assert.ok(off <= scale * 0.50001);
      });
    }
  });

  test.run();
}
