import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

interface Case {
  batch?: number;
  map: readonly [height: number, width: number];
  channels: number;
  out: readonly [height: number, width: number];
  regions?: number;
  sampling?: number;
  maximum?: boolean;
  half?: boolean;
}

const cases: Record<string, Case> = {
  'two samples a side': { batch: 3, map: [13, 11], channels: 21, out: [3, 2], regions: 6, sampling: 2, half: true },
  'as many samples as pixels': { map: [16, 18], channels: 5, out: [2, 3], regions: 9, half: true },
  'corners, at least one pixel wide': { batch: 2, map: [7, 9], channels: 16, out: [2, 2], regions: 5, sampling: 1 },
  maximum: { map: [12, 10], channels: 18, out: [3, 3], regions: 7, sampling: 3, maximum: true, half: true },
  'one bin of one channel': { map: [9, 9], channels: 1, out: [1, 1], regions: 4 },
};

/** Pixels and shares of the samples along a side; an empty list for a sample outside. */
function samples(c: Case, from: number, to: number, o: number, out: number, size: number, scale: number) {
  const length = (to - from) * scale;
  const bin = (c.half ? length : Math.max(length, 1)) / out;
  const start = from * scale - (c.half ? 0.5 : 0);
  const count = c.sampling ?? Math.max(0, Math.ceil(bin));
  return Array.from({ length: count }, (_, i) => {
    const at = start + bin * (o + (i + 0.5) / count);
    if (at < -1 || at > size) return [];
    const inside = Math.min(Math.max(at, 0), size - 1);
    const low = Math.floor(inside);
    return [
      [low, low + 1 - inside],
      [Math.min(low + 1, size - 1), inside - low],
    ] as [number, number][];
  });
}

for (const variant of variants) {
  const test = suite(`RoI align (${variant})`);
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const { batch = 1, map, channels, out, regions = 1, sampling = 0, maximum = false, half = false } = c;
      const [[height, width], [outHeight, outWidth]] = [map, out];
      const scale = 0.5;
      const x = randomFloats(batch * height * width * channels, 1);
      const rois = randomFloats(regions * 4, 2).map((v, i) => (i % 4 < 2 ? 12 * v : 20 + 9 * v));
      const images = BigInt64Array.from({ length: regions }, (_, i) => BigInt((i * 5) % batch));
      const expected: number[] = [];
      for (let bin = 0; bin < regions * outHeight * outWidth; bin++) {
        const region = Math.floor(bin / outHeight / outWidth);
        const [x1, y1, x2, y2] = rois.subarray(4 * region) as unknown as [number, number, number, number];
        const rows = samples(c, y1, y2, Math.floor(bin / outWidth) % outHeight, outHeight, height, scale);
        const columns = samples(c, x1, x2, bin % outWidth, outWidth, width, scale);
        for (let channel = 0; channel < channels; channel++) {
          const parts = rows.flatMap((row) =>
            columns.flatMap((column) => {
              const products = row.flatMap(([i, a]) =>
                column.map(([j, b]) => {
                  const pixel = (Number(images[region]) * height + i) * width + j;
                  return a * b * (x[pixel * channels + channel] as number);
                }),
              );
              return products.length > 0 ? products : [0];
            }),
          );
          const mean = parts.reduce((a, b) => a + b, 0) / Math.max(rows.length * columns.length, 1);
          expected.push(maximum ? Math.max(...parts) : mean);
        }
      }

      const engine = freshEngine(variant);
      const y = placeGuarded(engine, new Float32Array(expected.length));
      const flag = placeGuarded(engine, new Int32Array(1));
      const tileBins = 2;
      const list = placeGuarded(engine, images);
      const params = {
        x: placeGuarded(engine, x),
        rois: placeGuarded(engine, rois),
        images: list,
        y,
        flag,
        batch,
        height,
        width,
        channels,
        regions,
        outHeight,
        outWidth,
        sampling,
        maximum: Number(maximum),
        scale,
        shift: half ? -0.5 : 0,
        least: half ? Number.NEGATIVE_INFINITY : 1,
        tileBins,
      };
      const tiles = Math.ceil((regions * outHeight * outWidth) / tileBins);
      engine.launch('roiAlign', params, tiles);
      // Coordinates of some 15 pixels in single precision.
      const error = relativeL2(engine.f32.slice(y / 4, y / 4 + expected.length), expected);
      assert.ok(error < 3e-6, `relative L2 ${error}`);
      runInSplits(engine, 'roiAlign', params, tiles, { address: y, bytes: expected.length * 4 });
      assert.ok(guardsIntact(engine, y, expected.length * 4));
      assert.is(engine.i32[flag / 4], 0);
      engine.view.setBigInt64(list, BigInt(batch), true);
      engine.launch('roiAlign', params, tiles);
      assert.is(engine.i32[flag / 4], 1);
    });
  }
  test.run();
}
