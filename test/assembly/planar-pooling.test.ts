import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PlanarPool } from '../../build/kernels.js';
import { MAX_PLANAR_WIDTH } from '../../src/primitives/pool.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, runInSplits, variants } from './kernels.js';

interface Case {
  planes?: number;
  input: readonly [height: number, width: number];
  kernel: readonly [height: number, width: number];
  strides?: readonly [height: number, width: number];
  pads?: readonly [top: number, left: number, bottom: number, right: number];
}

const cases: Record<string, Case> = {
  '3 × 3 / 2, padded': { planes: 5, input: [13, 22], kernel: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] },
  '2 × 2 / 2': { planes: 3, input: [9, 41], kernel: [2, 2], strides: [2, 2] },
  '5 × 5, same': { planes: 2, input: [20, 20], kernel: [5, 5], pads: [2, 2, 2, 2] },
  'one column': { planes: 4, input: [7, 1], kernel: [3, 1], strides: [3, 1] },
  'one row apart, two columns': { input: [6, 19], kernel: [1, 4], strides: [1, 2], pads: [0, 3, 0, 2] },
  'wider than a block of columns': { input: [3, 2101], kernel: [2, 7], pads: [0, 3, 0, 3] },
  'wider than a block, every second': { input: [2, 4200], kernel: [2, 5], strides: [1, 2] },
  'windows outside': { input: [3, 3], kernel: [2, 2], strides: [1, 1], pads: [3, 4, 3, 2] },
};

for (const variant of variants) {
  const test = suite(`planar pooling (${variant})`);
  test('the widest window is the one that rewrites rely on', () => {
    assert.is(PlanarPool.KERNEL, MAX_PLANAR_WIDTH);
  });
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const { planes = 1, strides = [1, 1], pads = [0, 0, 0, 0] } = c;
      const [[height, width], [kernelHeight, kernelWidth]] = [c.input, c.kernel];
      const outHeight = Math.floor((height + pads[0] + pads[2] - kernelHeight) / strides[0]) + 1;
      const outWidth = Math.floor((width + pads[1] + pads[3] - kernelWidth) / strides[1]) + 1;
      const x = randomFloats(planes * height * width, 1);
      x[Math.floor(x.length / 2)] = Number.NaN;
      const expected: number[] = [];
      for (let plane = 0; plane < planes; plane++) {
        for (let oy = 0; oy < outHeight; oy++) {
          for (let ox = 0; ox < outWidth; ox++) {
            let largest = Number.NEGATIVE_INFINITY;
            for (let i = 0; i < kernelHeight; i++) {
              for (let j = 0; j < kernelWidth; j++) {
                const [row, column] = [oy * strides[0] - pads[0] + i, ox * strides[1] - pads[1] + j];
                if (row < 0 || row >= height || column < 0 || column >= width) continue;
                largest = Math.max(largest, x[(plane * height + row) * width + column] as number);
              }
            }
            expected.push(largest);
          }
        }
      }

      const engine = freshEngine(variant);
      const y = placeGuarded(engine, new Float32Array(expected.length));
      const tileLines = 3;
      const params = {
        x: placeGuarded(engine, x),
        y,
        planes,
        height,
        width,
        outHeight,
        outWidth,
        kernelHeight,
        kernelWidth,
        strideHeight: strides[0],
        strideWidth: strides[1],
        padTop: pads[0],
        padLeft: pads[1],
        tileLines,
      };
      const tiles = Math.ceil((planes * outHeight) / tileLines);
      engine.launch('planarMaxPool', params, tiles);
      assert.equal([...engine.f32.slice(y / 4, y / 4 + expected.length)], expected);
      runInSplits(engine, 'planarMaxPool', params, tiles, { address: y, bytes: expected.length * 4 });
      assert.ok(guardsIntact(engine, y, expected.length * 4));
    });
  }
  test.run();
}
