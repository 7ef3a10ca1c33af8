import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, runInSplits, variants } from './kernels.js';

/** [outer, length, inner], grain: rows by four and alone, strips, every tail, more than one block of addends. */
const SPACES = [
  [9, 7, 1, 6],
  [3, 1000, 1, 1],
  [2, 33, 2, 1],
  [3, 5, 3, 2],
  [2, 64, 16, 16],
  [2, 101, 37, 16],
  [1, 300, 70, 48],
  [4, 0, 5, 4],
] as const;

type Numbers = { [index: number]: number | bigint; readonly length: number };

/** Running sums of every line, and of the sizes of its elements. */
function running(x: ArrayLike<number>, [outer, length, inner]: readonly number[], exclusive: number, reverse: number) {
  const [n, l] = [inner as number, length as number];
  const sums = new Float64Array(x.length);
  const sizes = new Float64Array(x.length);
  for (let line = 0; line < (outer as number) * n; line++) {
    let [sum, size] = [0, 0];
    for (let i = 0; i < l; i++) {
      const at = Math.floor(line / n) * l * n + (line % n) + (reverse ? l - 1 - i : i) * n;
      const before = sum;
      sum += x[at] as number;
      size += Math.abs(x[at] as number);
      sums[at] = exclusive ? before : sum;
      sizes[at] = size;
    }
  }
  return { sums, sizes };
}

const KERNELS = [
  ['cumSum', (x: Float32Array) => x],
  ['cumSumI32', (x: Float32Array) => Int32Array.from(x, (v) => Math.round(1000 * v))],
  ['cumSumI64', (x: Float32Array) => BigInt64Array.from(x, (v) => BigInt(Math.round(1e6 * v)))],
] as const;

for (const variant of variants) {
  const test = suite(`cumSum (${variant})`);

  for (const [kernel, from] of KERNELS) {
    test(`${kernel}: ${kernel === 'cumSum' ? '34·2⁻²⁴ of the sum of sizes, whatever the length' : 'exact'}`, () => {
      for (const space of SPACES) {
        for (const [exclusive, reverse] of [
          [0, 0],
          [1, 0],
          [0, 1],
          [1, 1],
        ] as const) {
          const [outer, length, inner, grain] = space;
          const engine = freshEngine(variant);
          const data = from(randomFloats(outer * length * inner, 3));
          const x = placeGuarded(engine, data);
          const y = placeGuarded(engine, data.slice());
          const params = { x, y, outer, length, inner, exclusive, reverse, grain };
          const tiles = Math.ceil((outer * inner) / grain);
          runInSplits(engine, kernel, params, tiles, { address: y, bytes: data.byteLength });
          assert.ok(guardsIntact(engine, y, data.byteLength));
          engine.launch(kernel, { ...params, y: x }, tiles);
          const bytes = (at: number) => engine.u8.slice(at, at + data.byteLength);
          assert.equal(bytes(x), bytes(y), 'in place');
          const array = data.constructor as new (buffer: ArrayBufferLike, at: number, length: number) => Numbers;
          const actual = new array(engine.memory.buffer, y, data.length);
          const { sums, sizes } = running(Array.from(data as never, Number), space, exclusive, reverse);
          const bound = kernel === 'cumSum' ? 34 * 2 ** -24 : 0;
          for (const [i, sum] of sums.entries())
            assert.ok(Math.abs(Number(actual[i]) - sum) <= bound * (sizes[i] as number), `${space} ${i}`);
        }
      }
    });
  }

  test('an infinity stays, and NaN is where infinities meet', () => {
    for (const inner of [1, 3, 16]) {
      const engine = freshEngine(variant);
      const lines = [1, Infinity, ...Array<number>(40).fill(2), -Infinity, 1].flatMap((v) => Array(inner).fill(v));
      const x = placeGuarded(engine, Float32Array.from(lines));
      const params = { x, y: x, outer: 1, length: 44, inner, exclusive: 0, reverse: 0, grain: inner };
      engine.launch('cumSum', params, 1);
      const at = (row: number) => engine.f32[x / 4 + row * inner + inner - 1];
      assert.equal([at(0), at(1), at(41), at(42), at(43)], [1, Infinity, Infinity, NaN, NaN]);
    }
  });

  test.run();
}
