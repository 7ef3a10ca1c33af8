import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ByteArithmetic, ByteOperation, ByteTable, DynamicQuantization } from '../../build/quantized-kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, runInSplits, variants } from './kernels.js';

const { fround } = Math;

const bytesOf = (count: number, seed: number) => Uint8Array.from(randomFloats(count, seed), (x) => 128 + 150 * x);

const roundHalfEven = (x: number) => {
  const low = Math.floor(x);
  return x - low === 0.5 ? low + (Math.abs(low) % 2) : Math.round(x);
};

/** [length, stride of a, stride of b] of each dimension. */
type Dims = readonly (readonly [number, number, number])[];

const SPACES: Readonly<Record<string, Dims>> = {
  'side by side, several tiles and a rest': [[2 * ByteArithmetic.Tile + 21, 1, 1]],
  'one of each row': [
    [700, 53, 1],
    [53, 1, 0],
  ],
  'a row for all rows': [
    [900, 0, 40],
    [40, 1, 1],
  ],
  'channels of each image': [
    [3, 24 * 50, 24],
    [50, 24, 0],
    [24, 1, 1],
  ],
  'less than a vector': [[3, 1, 0]],
};

const sizeOf = (dims: Dims, operand: 1 | 2) => dims.reduce((n, d) => n + (d[0] - 1) * d[operand], 1);

function placesOf(dims: Dims, at: number): readonly [number, number] {
  let [rest, a, b] = [at, 0, 0];
  for (const [size, ofA, ofB] of dims.toReversed()) {
    a += (rest % size) * ofA;
    b += (rest % size) * ofB;
    rest = Math.floor(rest / size);
  }
  return [a, b];
}

for (const variant of variants) {
  const test = suite(`bytes (${variant})`);
  for (const [name, dims] of Object.entries(SPACES)) {
    for (const operation of [ByteOperation.Sum, ByteOperation.Product]) {
      test(`${operation === ByteOperation.Sum ? 'sums' : 'products'}: ${name}`, () => {
        const engine = freshEngine(variant);
        const count = dims.reduce((n, [size]) => n * size, 1);
        const [a, b] = [bytesOf(sizeOf(dims, 1), 1), Int8Array.from(bytesOf(sizeOf(dims, 2), 2))];
        const [aScale, bScale, step, factor, offset] = [0.031, -0.017, 0.013, 0.4, 0.125].map(fround) as number[] as [
          number,
          number,
          number,
          number,
          number,
        ];
        const expected = Array.from({ length: count }, (_, i) => {
          const [atA, atB] = placesOf(dims, i);
          const x = fround(((a[atA] as number) - 99) * aScale);
          const y = fround(((b[atB] as number) + 5) * bScale);
          const sum = fround(fround(x + offset) + y);
          const product = fround(fround(fround(x * y) * factor) + offset);
          const quotient = fround((operation === ByteOperation.Sum ? sum : product) / step);
          return Math.min(Math.max(roundHalfEven(quotient) + 7, 2), 255);
        });
        const y = placeGuarded(engine, new Uint8Array(count));
        const params = {
          ...{ a: placeGuarded(engine, a), b: placeGuarded(engine, new Uint8Array(b.buffer)), y },
          ...{ table: placeGuarded(engine, Int32Array.from(dims.flat())), rank: dims.length, count, operation },
          ...{
            aSigned: 0,
            bSigned: 1,
            ySigned: 0,
            aZero: 99,
            bZero: -5,
            zero: 7,
            aScale,
            bScale,
            offset,
            factor,
            step,
          },
          ...{ low: 2, high: 255 },
        };
        runInSplits(engine, 'byteArithmetic', params, Math.ceil(count / ByteArithmetic.Tile), {
          address: y,
          bytes: count,
        });
        assert.ok(guardsIntact(engine, y, count));
        assert.equal([...engine.u8.subarray(y, y + count)], expected);
      });
    }
  }

  for (const [count, least, largest] of [
    [5, -1, 1],
    [2 * DynamicQuantization.Tile + 21, 0.5, 4],
    [DynamicQuantization.Tile + 3, -3, -1],
    [19, 0, 0],
  ] as const) {
    test(`${count} floats from ${least} to ${largest} in 256 steps`, () => {
      const engine = freshEngine(variant);
      const x = randomFloats(count, 5).map((v) => least + (0.5 + v / 2) * (largest - least));
      const [low, high] = [Math.min(0, ...x), Math.max(0, ...x)];
      const scale = high === low ? 1 : fround(fround(high - low) / 255);
      const zero = roundHalfEven(Math.min(Math.max(-fround(low / scale), 0), 255));
      const tiles = Math.ceil(count / DynamicQuantization.Tile);
      const ranges = placeGuarded(engine, new Float32Array(2 * tiles));
      const y = placeGuarded(engine, new Uint8Array(count));
      const own = { x: placeGuarded(engine, x), ranges, count };
      runInSplits(engine, 'byteRange', own, tiles, { address: ranges, bytes: 8 * tiles });
      const told = { scale: placeGuarded(engine, new Float32Array(1)), zero: placeGuarded(engine, new Uint8Array(1)) };
      runInSplits(engine, 'dynamicBytes', { ...own, ...told, y, tiles }, tiles, { address: y, bytes: count });
      assert.ok(guardsIntact(engine, y, count) && guardsIntact(engine, ranges, 8 * tiles));
      assert.equal([engine.f32[told.scale / 4], engine.u8[told.zero]], [scale, zero]);
      const expected = [...x].map((v) => Math.min(Math.max(roundHalfEven(fround(v / scale)) + zero, 0), 255));
      assert.equal([...engine.u8.subarray(y, y + count)], expected);
    });
  }

  for (const signed of [false, true]) {
    test(`the largest ${signed ? 'int8' : 'uint8'} of windows`, () => {
      const engine = freshEngine(variant);
      const [batch, height, width, channels, outHeight, outWidth, tilePixels] = [2, 5, 6, 21, 4, 5, 3];
      const window = {
        kernelHeight: 3,
        kernelWidth: 2,
        strideHeight: 2,
        strideWidth: 1,
        dilationHeight: 1,
        dilationWidth: 3,
      };
      const [padTop, padLeft] = [2, 1];
      const raw = bytesOf(batch * height * width * channels, 6);
      const x = signed ? new Int8Array(raw.buffer) : raw;
      const pixels = batch * outHeight * outWidth;
      const expected = Array.from({ length: pixels * channels }, (_, i) => {
        const [c, pixel] = [i % channels, Math.floor(i / channels)];
        const [ox, oy] = [pixel % outWidth, Math.floor(pixel / outWidth) % outHeight];
        const image = Math.floor(pixel / outWidth / outHeight);
        let most = signed ? -128 : 0;
        for (let ky = 0; ky < 3; ky++) {
          for (let kx = 0; kx < 2; kx++) {
            const [row, column] = [oy * 2 - padTop + ky, ox - padLeft + 3 * kx];
            if (row < 0 || column < 0 || row >= height || column >= width) continue;
            most = Math.max(most, x[((image * height + row) * width + column) * channels + c] as number);
          }
        }
        return most;
      });
      const y = placeGuarded(engine, new Uint8Array(expected.length));
      const sizes = { batch, channels, height, width, outHeight, outWidth, padTop, padLeft, tilePixels };
      const params = { x: placeGuarded(engine, raw), y, signed: Number(signed), ...sizes, ...window };
      const bytes = expected.length;
      runInSplits(engine, 'byteMaxPool', params, Math.ceil(pixels / tilePixels), { address: y, bytes });
      assert.ok(guardsIntact(engine, y, bytes));
      const made = new (signed ? Int8Array : Uint8Array)(engine.memory.buffer, y, bytes);
      assert.equal([...made], expected);
    });
  }

  for (const count of [5, ByteTable.Tile + 30]) {
    for (const flip of [0, 128]) {
      test(`a table of ${flip ? 'int8' : 'uint8'}, ${count} times`, () => {
        const engine = freshEngine(variant);
        const [x, table] = [bytesOf(count, 3), bytesOf(256, 4)];
        const y = placeGuarded(engine, new Uint8Array(count));
        const params = { x: placeGuarded(engine, x), table: placeGuarded(engine, table), y, count, flip };
        runInSplits(engine, 'byteTable', params, Math.ceil(count / ByteTable.Tile), { address: y, bytes: count });
        assert.ok(guardsIntact(engine, y, count));
        assert.equal(
          [...engine.u8.subarray(y, y + count)],
          [...x].map((byte) => table[(byte + flip) % 256] as number),
        );
      });
    }
  }
  test.run();
}
