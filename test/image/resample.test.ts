import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { imageTensor, type Pixels, placementOf } from '../../src/image/index.js';
import { randomFloats } from '../assembly/kernels.js';
import { bytesOf, worst } from './bytes.js';
import { CONTAINED, CROPPED, RANDOM, RESIZED } from './pictures.js';

const test = suite('resampling');

const random: Pixels = { data: bytesOf(RANDOM), width: 13, height: 9 };
const plain = { normalize: 'bytes', layout: 'NHWC' } as const;
const pixelsOf = async (source: Pixels, options: Parameters<typeof imageTensor>[1]) =>
  (await imageTensor(source, { ...plain, ...options })).data as Float32Array;

/**
 * What PyTorch's `interpolate(mode='bilinear', antialias=True)` and Pillow's BILINEAR compute, by their definition: along each axis, the
 * triangle 1 − |d| over sources at distance d, in target steps where these are longer than the source's, divided by its sum.
 */
function triangle(line: readonly number[], to: number): number[] {
  const step = line.length / to;
  const support = Math.max(step, 1);
  return Array.from({ length: to }, (_, i) => {
    const weights = line.map((_, j) => Math.max(0, 1 - Math.abs(j + 0.5 - (i + 0.5) * step) / support));
    const sum = weights.reduce((a, b) => a + b);
    return line.reduce((total, x, j) => total + (x * (weights[j] as number)) / sum, 0);
  });
}

/** The same for an image of one channel. */
function scaled(
  samples: ArrayLike<number>,
  width: number,
  height: number,
  toWidth: number,
  toHeight: number,
): number[] {
  const rows = Array.from({ length: height }, (_, y) =>
    triangle(
      Array.from({ length: width }, (_, x) => samples[y * width + x] as number),
      toWidth,
    ),
  );
  const columns = Array.from({ length: toWidth }, (_, x) =>
    triangle(
      rows.map((row) => row[x] as number),
      toHeight,
    ),
  );
  return Array.from(
    { length: toWidth * toHeight },
    (_, i) => columns[i % toWidth]?.[Math.floor(i / toWidth)] as number,
  );
}

const SIZES = [
  [1, 1, 1, 1],
  [1, 1, 5, 3],
  [7, 5, 7, 5],
  [7, 5, 13, 11],
  [64, 48, 17, 9],
  [31, 200, 8, 8],
  [5, 90, 40, 3],
  [224, 224, 223, 225],
] as const;

/** Of samples 0 … 255, whose sums are kept in float32: 3 · 10⁻⁷ of the largest. */
const BOUND = 255 * 3e-7;

for (const [width, height, toWidth, toHeight] of SIZES)
  test(`${width} by ${height} to ${toWidth} by ${toHeight}: a float64 loop within ${BOUND.toExponential(1)} of 255`, async () => {
    const data = Uint8Array.from(randomFloats(width * height, width), (x) => Math.round(Math.abs(x) * 255) % 256);
    const actual = await pixelsOf(
      { data, width, height },
      { channels: 'grey', size: [toHeight, toWidth], fit: 'stretch' },
    );
    assert.ok(worst(actual, scaled(data, width, height, toWidth, toHeight)) <= BOUND);
  });

/** Pillow rounds to whole samples twice, after the rows and after the columns: half a level each. */
const ROUNDED_TWICE = 1;

for (const [width, height, rgb] of RESIZED)
  test(`Pillow's BILINEAR to ${width} by ${height}, but for its rounding`, async () =>
    assert.ok(worst(await pixelsOf(random, { size: [height, width], fit: 'stretch' }), bytesOf(rgb)) <= ROUNDED_TWICE));

test('cover scales and cuts as Pillow does; crop keeps the middle of it', async () => {
  assert.ok(worst(await pixelsOf(random, { size: 6, crop: 0.75 }), bytesOf(CROPPED)) <= ROUNDED_TWICE);
  assert.equal(placementOf(random, { width: 6, height: 6 }, 'cover', 0.75), {
    left: -3,
    top: -1,
    width: 12,
    height: 8,
  });
  const cut = await pixelsOf(random, { size: [9, 5] });
  const expected = [...bytesOf(RANDOM)].filter((_, i) => Math.floor(i / 3) % 13 >= 4 && Math.floor(i / 3) % 13 < 9);
  assert.is(worst(cut, expected), 0, 'what needs no scaling is cut exactly');
});

test('contain lays the picture before the background', async () => {
  const options = { size: 10, fit: 'contain', background: [114, 20, 30] } as const;
  assert.ok(worst(await pixelsOf(random, options), bytesOf(CONTAINED)) <= ROUNDED_TWICE);
  assert.equal(placementOf(random, { width: 10, height: 10 }, 'contain'), { left: 0, top: 2, width: 10, height: 7 });
});

test('nothing is scaled where the size is the picture’s own', async () => {
  assert.is(worst(await pixelsOf(random, {}), bytesOf(RANDOM)), 0);
});

test.run();
