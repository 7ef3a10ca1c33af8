import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';
import { gapsIntact, gatherPixels, spreadPixels } from './pixels.js';

interface Case {
  outer?: number;
  input: [height: number, width: number];
  output: [height: number, width: number];
  taps: [rows: number, columns: number];
  channels: number;
  constants?: boolean;
  gap?: number;
}

const cases: Record<string, Case> = {
  'one tap': { outer: 2, input: [5, 7], output: [8, 9], taps: [1, 1], channels: 11 },
  'one tap, one channel': { input: [5, 7], output: [3, 4], taps: [1, 1], channels: 1 },
  '2 × 2 taps': { outer: 2, input: [5, 7], output: [8, 9], taps: [2, 2], channels: 18 },
  '2 × 2 taps, 3 channels': { input: [9, 7], output: [5, 6], taps: [2, 2], channels: 3 },
  '2 × 2 taps into a slice': { input: [4, 4], output: [7, 8], taps: [2, 2], channels: 8, gap: 5 },
  '4 × 4 taps': { input: [6, 5], output: [7, 11], taps: [4, 4], channels: 22 },
  'one axis': { outer: 3, input: [1, 9], output: [1, 13], taps: [1, 2], channels: 5 },
  'many taps, constants': { input: [9, 8], output: [4, 3], taps: [6, 5], channels: 7, constants: true },
  'one tap, constants': { input: [4, 5], output: [6, 5], taps: [1, 1], channels: 4, constants: true },
};

function randomTable(input: number, output: number, taps: number, constants: boolean, seed: number) {
  const positions = randomFloats(output * taps, seed).map((v) => ((v + 1) / 2) * input);
  return {
    indices: Int32Array.from(positions, Math.floor),
    weights: randomFloats(output * taps, seed + 1),
    constants: constants ? randomFloats(output, seed + 2) : null,
  };
}

for (const variant of variants) {
  const test = suite(`resize (${variant})`);
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const { outer = 1, channels, constants = false, gap = 0 } = c;
      const [[height, width], [outHeight, outWidth], [rowTaps, columnTaps]] = [c.input, c.output, c.taps];
      const pixel = channels + gap;
      const x = randomFloats(outer * height * width * pixel, 1);
      const rows = randomTable(height, outHeight, rowTaps, constants, 2);
      const columns = randomTable(width, outWidth, columnTaps, constants, 12);

      const outputs = outer * outHeight * outWidth;
      const expected = new Float64Array(outputs * channels);
      for (let o = 0; o < outputs; o++) {
        const ox = o % outWidth;
        const oy = Math.floor(o / outWidth) % outHeight;
        const image = Math.floor(o / outWidth / outHeight);
        for (let channel = 0; channel < channels; channel++) {
          let sum = rows.constants?.[oy] ?? 0;
          for (let i = oy * rowTaps; i < (oy + 1) * rowTaps; i++) {
            let inRow = columns.constants?.[ox] ?? 0;
            for (let j = ox * columnTaps; j < (ox + 1) * columnTaps; j++) {
              const at = (image * height + (rows.indices[i] as number)) * width + (columns.indices[j] as number);
              inRow += (columns.weights[j] as number) * (x[at * pixel + channel] as number);
            }
            sum += (rows.weights[i] as number) * inRow;
          }
          expected[o * channels + channel] = sum;
        }
      }

      const engine = freshEngine(variant);
      const blank = spreadPixels(new Float32Array(expected.length), channels, pixel);
      const y = placeGuarded(engine, blank);
      const tilePixels = 5;
      const params = {
        x: placeGuarded(engine, x),
        y,
        rowIndices: placeGuarded(engine, rows.indices),
        rowWeights: placeGuarded(engine, Float32Array.from(rows.weights)),
        rowConstants: rows.constants ? placeGuarded(engine, rows.constants) : 0,
        columnIndices: placeGuarded(engine, columns.indices),
        columnWeights: placeGuarded(engine, Float32Array.from(columns.weights)),
        columnConstants: columns.constants ? placeGuarded(engine, columns.constants) : 0,
        rowTaps,
        columnTaps,
        outer,
        height,
        width,
        channels,
        xPixelStride: pixel,
        yPixelStride: pixel,
        outHeight,
        outWidth,
        tilePixels,
      };
      const tiles = Math.ceil(outputs / tilePixels);
      engine.launch('resize', params, tiles);
      const actual = engine.f32.slice(y / 4, y / 4 + blank.length);
      const error = relativeL2(gatherPixels(actual, channels, pixel), expected);
      assert.ok(error < 3e-7, `relative L2 ${error}`);
      assert.ok(gapsIntact(actual, channels, pixel));
      if (gap === 0) runInSplits(engine, 'resize', params, tiles, { address: y, bytes: expected.length * 4 });
      assert.ok(guardsIntact(engine, y, blank.byteLength));
    });
  }
  test.run();
}
