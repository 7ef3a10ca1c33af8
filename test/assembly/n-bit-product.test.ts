import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NBitPanel, NBitTile, ZeroPoints } from '../../build/quantized-kernels.js';
import { sampled } from '../tier.js';
import {
  allVariants,
  dotForms,
  freshEngine,
  guardsIntact,
  placeGuarded,
  randomFloats,
  runInSplits,
} from './kernels.js';

interface Case {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  /** Of B, and of A. */
  readonly block: number;
  readonly size?: number;
  readonly zeroPoints?: ZeroPoints;
  readonly narrow?: boolean;
  readonly bias?: boolean;
  /** B as [K, N], in signed codes. */
  readonly byRows?: boolean;
  /** Codes of 4 bits, the upper of a byte first, stand for numbers of a list. */
  readonly meanings?: boolean;
}

const CASES: Readonly<Record<string, Case>> = {
  'too deep to be unpacked': { m: 2, k: 131_104, n: 6, block: 32 },
  'one row': { m: 1, k: 64, n: 16, block: 32 },
  'ragged columns and rows of B': { m: 1, k: 75, n: 13, block: 32, bias: true },
  'rows beyond four': { m: 7, k: 96, n: 21, block: 32, bias: true },
  'rows beyond a tile': { m: NBitTile.Rows + 5, k: 32, n: 10, block: 16 },
  'long blocks in parts': { m: 5, k: 512, n: 9, block: 256, size: 64 },
  'zero points in bytes': { m: 5, k: 96, n: 19, block: 32, zeroPoints: ZeroPoints.Bytes },
  'zero points in floats': { m: 5, k: 96, n: 19, block: 32, zeroPoints: ZeroPoints.Floats, bias: true },
  'bytes of A': { m: 6, k: 160, n: 12, block: 32, narrow: true },
  'bytes of A, parts, zero points': {
    m: 5,
    k: 200,
    n: 12,
    block: 64,
    size: 32,
    narrow: true,
    zeroPoints: ZeroPoints.Bytes,
  },
  'other numbers, one row': { m: 1, k: 96, n: 13, block: 32, meanings: true },
  'other numbers in four rows and one, parts': {
    m: 5,
    k: 256,
    n: 21,
    block: 256,
    size: 128,
    meanings: true,
    bias: true,
  },
  'signed codes by rows': { m: 5, k: 70, n: 11, block: 32, byRows: true, zeroPoints: ZeroPoints.Bytes },
};

/** Of 16 codes, in 15 bits. */
const MEANINGS = Array.from({ length: 16 }, (_, i) => Math.round(32767 * Math.sin(i - 4)));
const MEANING_BYTES = Uint8Array.from([
  ...MEANINGS.map((x) => (x + 32768) >> 8),
  ...MEANINGS.map((x) => (x + 32768) & 255),
]);

/** Deterministic bytes. */
const randomBytes = (count: number, seed: number) => Uint8Array.from(randomFloats(count, seed), (x) => 128 + 127 * x);

const ceil = (a: number, b: number) => Math.ceil(a / b);

for (const { variant, quads } of dotForms) {
  for (const bits of [2, 4, 8]) {
    const each = suite(`products of ${bits}-bit weights (${variant}${quads ? ', quads' : ''})`);
    const test = variant === allVariants.at(-1) ? sampled(each, { quick: 1 / 4 }) : each;
    for (const [name, c] of Object.entries(CASES)) {
      if (c.meanings && (bits !== 4 || quads)) continue;
      test(name, () => {
        const { m, k, n, block, size = block, zeroPoints = ZeroPoints.Same, narrow = false } = c;
        const blocks = ceil(k, block);
        const depth = blocks * block;
        const panels = ceil(n, NBitPanel.Columns);
        const half = 2 ** (bits - 1);
        const a = randomFloats(m * k, 1).map((x, i) => (i % 37 === 5 ? 20 * x : x));
        const [rowBits, columnBits] = c.byRows ? [n * bits, bits] : [bits, depth * bits];
        const codes = randomBytes(ceil((c.byRows ? k * n : n * depth) * bits, 8), 2);
        const scales = randomFloats(n * blocks, 3).map((x) => 0.02 + 0.01 * x);
        const zeroCodes = randomBytes(ceil(n * blocks * bits, 8), 4);
        const zeroFloats = randomFloats(n * blocks, 5).map((x) => half * (1 + x));
        const bias = randomFloats(n, 6);
        const sign = c.byRows ? half : 0;
        const turn = c.meanings ? 4 : 0;
        const codeAt = (bytes: Uint8Array, bit: number) =>
          ((((bytes[bit >> 3] as number) >> ((bit & 7) ^ turn)) & (2 ** bits - 1)) ^ sign) - sign;
        const zeroAt = {
          [ZeroPoints.Same]: () => half - sign,
          [ZeroPoints.Bytes]: (i: number) => codeAt(zeroCodes, i * bits),
          [ZeroPoints.Floats]: (i: number) => zeroFloats[i] as number,
        }[zeroPoints];

        const engine = freshEngine(variant);
        const isNarrow = narrow && bits < 8 && variant === 'relaxed';
        const room = (count: number) => placeGuarded(engine, new Uint8Array(count));
        const flip = sign && (0xffffffff / (2 ** bits - 1)) * half;
        const packed = { b: room(panels * depth * bits), scales: room(panels * blocks * 32), zeros: 0 };
        const stages = { n, blocks, flip };
        const launchPacking = (
          kernel: 'packNBitCodes' | 'packBlockFloats' | 'packBlockCodes',
          at: number,
          of: object,
        ) => runInSplits(engine, kernel, { packed: at, ...stages, ...of } as never, panels, { address: at, bytes: 32 });
        launchPacking('packNBitCodes', packed.b, {
          ...{ codes: placeGuarded(engine, codes), k, depth, bits, rowBits, columnBits, swap: Number(turn > 0) },
        });
        const strides = { blockStride: 1, columnStride: blocks, bits: 32 };
        launchPacking('packBlockFloats', packed.scales, { values: placeGuarded(engine, scales), ...strides });
        if (zeroPoints === ZeroPoints.Floats) {
          packed.zeros = room(panels * blocks * 32);
          launchPacking('packBlockFloats', packed.zeros, { values: placeGuarded(engine, zeroFloats), ...strides });
        }
        if (zeroPoints === ZeroPoints.Bytes) {
          packed.zeros = room(panels * blocks * 8);
          const places = { blockBits: bits, columnBits: blocks * bits, bits };
          launchPacking('packBlockCodes', packed.zeros, { codes: placeGuarded(engine, zeroCodes), ...places });
        }
        const ofA = depth / size;
        const integers = { q: room(2 * m * depth), sums: room(4 * m * ofA) };
        const aScales = room(4 * m * ofA);
        const x = placeGuarded(engine, a);
        const rounding = { columns: k, block: size, blocks: ofA, tileBlocks: 1, narrow: Number(narrow), quads, bits };
        engine.launch('quantizeBlocks', { x, ...integers, scales: aScales, ...rounding }, m * ofA);
        const y = room(4 * m * n);
        const sizes = {
          m,
          n,
          block: size,
          split: block / size,
          blocks,
          bits,
          narrow: Number(narrow),
          quads,
          tilePanels: 2,
        };
        const zeroPoint = half;
        const params = {
          ...{ ...integers, aScales, ...packed, ...sizes, zeroPoints, zeroPoint, y },
          bias: c.bias ? placeGuarded(engine, bias) : 0,
          ...(c.meanings
            ? { meanings: placeGuarded(engine, MEANING_BYTES), unit: 1 / 32768 }
            : { meanings: 0, unit: 0 }),
          ...{ choices: 0, perRow: 1, x, columns: k, isExact: 0 },
        };
        const tiles = ceil(m, NBitTile.Rows) * ceil(panels, 2);
        runInSplits(engine, 'nBitProduct', params, tiles, { address: y, bytes: 4 * m * n });

        const actual = engine.f32.slice(y / 4, y / 4 + m * n);
        const peaks = Array.from({ length: m * ofA }, (_, at) => {
          const row = Math.floor(at / ofA);
          const from = row * k + (at % ofA) * size;
          return a.subarray(from, Math.min(from + size, (row + 1) * k)).reduce((p, v) => Math.max(p, Math.abs(v)), 0);
        });
        const expected: number[] = [];
        let largest = 0;
        let error = 0;
        for (let row = 0; row < m; row++) {
          for (let column = 0; column < n; column++) {
            let sum = c.bias ? (bias[column] as number) : 0;
            let moved = 0;
            for (let i = 0; i < k; i++) {
              const of = column * blocks + Math.floor(i / block);
              const code = codeAt(codes, i * rowBits + column * columnBits);
              const value = c.meanings ? (MEANINGS[code] as number) / 32768 : code - zeroAt(of);
              const weight = (scales[of] as number) * value;
              const peak = peaks[row * ofA + Math.floor(i / size)] as number;
              sum += weight * (a[row * k + i] as number);
              moved += (Math.abs(weight) * peak) / 254;
            }
            expected.push(sum);
            const difference = Math.abs((actual[row * n + column] as number) - sum);
            const bound = isNarrow ? moved : c.meanings ? moved / 257 : Number.POSITIVE_INFINITY;
            assert.ok(difference <= bound, `${difference} at ${row}, ${column}; ${bound} at most`);
            largest = Math.max(largest, Math.abs(sum));
            error = Math.max(error, difference);
          }
        }
        if (!isNarrow && !c.meanings) assert.ok(error <= 1e-4 * largest, `off by ${error} of ${largest}`);
        assert.ok(guardsIntact(engine, y, 4 * m * n));
        assert.ok(guardsIntact(engine, packed.b, panels * depth * bits));
        engine.launch('nBitProduct', { ...params, isExact: 1, q: 0, aScales: 0, sums: 0 }, tiles);
        for (const [i, e] of expected.entries()) {
          const difference = Math.abs((engine.f32[y / 4 + i] as number) - e);
          assert.ok(difference <= 2 ** -23 * Math.sqrt(k) * largest, `in floats ${difference} off of ${largest}`);
        }
        const alone = placeGuarded(engine, new Float32Array(n));
        for (let row = 0; row < m; row++) {
          const own = {
            x: x + 4 * row * k,
            q: integers.q + row * depth * (isNarrow ? 1 : 2),
            aScales: aScales + 4 * row * ofA,
            sums: integers.sums + 4 * row * ofA,
          };
          engine.launch('nBitProduct', { ...params, ...own, m: 1, y: alone }, ceil(panels, 2));
          assert.equal(engine.f32.slice(alone / 4, alone / 4 + n), actual.slice(row * n, (row + 1) * n), 'a row alone');
        }
      });
    }
    test.run();
  }
}
