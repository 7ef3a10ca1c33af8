import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

const cases = [
  { pixels: 13, channels: 64, size: 5, alpha: 1e-4, beta: 0.75, bias: 1 },
  { pixels: 7, channels: 19, size: 3, alpha: 2, beta: 0.75, bias: 2 },
  { pixels: 5, channels: 10, size: 4, alpha: 0.5, beta: 0.5, bias: 1 },
  { pixels: 3, channels: 6, size: 9, alpha: 1, beta: 1.25, bias: 0.5 },
  { pixels: 9, channels: 3, size: 1, alpha: 3, beta: 2, bias: 1 },
];

for (const variant of variants) {
  const test = suite(`local response normalization (${variant})`);
  for (const { pixels, channels, size, alpha, beta, bias } of cases) {
    test(`${channels} channels, window ${size}, beta ${beta}`, () => {
      const x = randomFloats(pixels * channels, 1).map((v) => 3 * v);
      const expected = Float64Array.from(x, (v, i) => {
        const c = i % channels;
        const [from, to] = [c - Math.floor((size - 1) / 2), c + Math.ceil((size - 1) / 2)];
        const window = x.slice(i - c, i - c + channels).filter((_, j) => j >= from && j <= to);
        const sum = window.reduce((total, w) => total + w * w, 0);
        return v / (bias + (alpha / size) * sum) ** beta;
      });
      const engine = freshEngine(variant);
      const y = placeGuarded(engine, new Float32Array(x.length));
      const tilePixels = 2;
      const params = { x: placeGuarded(engine, x), y, pixels, channels, size, alpha, beta, bias, tilePixels };
      const tiles = Math.ceil(pixels / tilePixels);
      runInSplits(engine, 'lrn', params, tiles, { address: y, bytes: x.byteLength });
      assert.ok(guardsIntact(engine, y, x.byteLength));
      const error = relativeL2(engine.f32.subarray(y / 4, y / 4 + x.length), expected);
      assert.ok(error < 5e-7, `relative L2 ${error}`);
    });
  }
  test.run();
}
