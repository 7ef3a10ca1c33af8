import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

/** [outer, length, inner], grain */
const spaces = [
  [3, 1, 1, 1],
  [5, 7, 1, 2],
  [4, 197, 1, 3],
  [1, 50_257, 1, 1],
  [2, 10, 7, 3],
  [3, 33, 4, 4],
] as const;

function softmaxOf(x: Float32Array, length: number, inner: number, logarithm: boolean): Float64Array {
  const y = new Float64Array(x.length);
  for (let start = 0; start < x.length; start += length * inner) {
    for (let j = start; j < start + inner; j++) {
      let top = -Infinity;
      let total = 0;
      for (let i = 0; i < length; i++) top = Math.max(top, x[j + i * inner] as number);
      for (let i = 0; i < length; i++) total += Math.exp((x[j + i * inner] as number) - top);
      for (let i = 0; i < length; i++) {
        const d = (x[j + i * inner] as number) - top;
        y[j + i * inner] = logarithm ? d - Math.log(total) : Math.exp(d) / total;
      }
    }
  }
  return y;
}

for (const variant of variants) {
  const test = suite(`softmax (${variant})`);

  for (const logarithm of [0, 1]) {
    test(`${logarithm ? 'log ' : ''}softmax: relative L2 below 1e-6`, () => {
      for (const [outer, length, inner, grain] of spaces) {
        const engine = freshEngine(variant);
        const x = randomFloats(outer * length * inner, 3).map((v) => 8 * v);
        const y = placeGuarded(engine, x);
        const params = { x: placeGuarded(engine, x), y, outer, length, inner, logarithm, grain };
        runInSplits(engine, 'softmax', params, Math.ceil((outer * inner) / grain), { address: y, bytes: 4 * x.length });
        const actual = engine.f32.slice(y / 4, y / 4 + x.length);
        assert.ok(relativeL2(actual, softmaxOf(x, length, inner, logarithm === 1)) < 1e-6, `${length}·${inner}`);
        if (!logarithm) assert.ok(actual.every((v) => v >= 0 && v <= 1));
        assert.ok(guardsIntact(engine, y, 4 * x.length));

        const place = placeGuarded(engine, x);
        engine.launch('softmax', { ...params, x: place, y: place }, Math.ceil((outer * inner) / grain));
        assert.equal(engine.f32.slice(place / 4, place / 4 + x.length), actual, 'in place');
      }
    });
  }

  const rows: [name: string, x: number[], probabilities: number[]][] = [
    ['−∞ has no share', [0, -Infinity, 0], [0.5, 0, 0.5]],
    ['nothing but −∞', [-Infinity, -Infinity, -Infinity], [Number.NaN, Number.NaN, Number.NaN]],
    ['+∞', [1, Infinity, 2], [Number.NaN, Number.NaN, Number.NaN]],
    ['NaN', [1, Number.NaN, 2], [Number.NaN, Number.NaN, Number.NaN]],
    ['far from 0', [1e30, 1e30, -1e30], [0.5, 0.5, 0]],
  ];
  for (const [name, values, expected] of rows) {
    test(name, () => {
      for (const inner of [1, 2]) {
        const engine = freshEngine(variant);
        const x = Float32Array.from(values.flatMap((v) => Array(inner).fill(v)));
        const place = placeGuarded(engine, x);
        engine.launch('softmax', { x: place, y: place, outer: 1, length: 3, inner, logarithm: 0, grain: 4 }, 1);
        const actual = [...engine.f32.subarray(place / 4, place / 4 + x.length)];
        if (name !== '+∞')
          assert.equal(
            actual,
            expected.flatMap((v) => Array(inner).fill(v)),
          );
        else assert.ok(Number.isNaN(actual[inner]));
      }
    });
  }

  test.run();
}
