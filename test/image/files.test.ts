import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { imageTensor } from '../../src/image/index.js';
import { expectRejection } from '../expect-error.js';
import { bytesOf, worst } from './bytes.js';
import { held } from './held.js';
import { DEEP, FILES, TRANSPARENT } from './pictures.js';

const test = suite('picture files');

/** Four inks are read by another decoder than Pillow's, whose transform rounds differently. */
const OTHER_DECODER = 1;

const plain = { normalize: 'bytes', layout: 'NHWC' } as const;
const pixelsOf = async (file: Uint8Array) => (await imageTensor(file, plain)).data as Float32Array;

for (const [name, { file, rgb }] of Object.entries(FILES))
  test(`${name}: the pixels of Pillow`, async () =>
    assert.ok(worst(await pixelsOf(bytesOf(file)), bytesOf(rgb)) <= (name === 'cmyk' ? OTHER_DECODER : 0)));

test('no decoder leaves anything behind in the program', () => assert.not('ImageData' in globalThis));

/** Where the pixel at (x, y) of what is shown lies in the file, of a file `w` wide and `h` high. */
const TURNS: readonly ((x: number, y: number, w: number, h: number) => readonly [number, number])[] = [
  (x, y) => [x, y],
  (x, y, w) => [w - 1 - x, y],
  (x, y, w, h) => [w - 1 - x, h - 1 - y],
  (x, y, _, h) => [x, h - 1 - y],
  (x, y) => [y, x],
  (x, y, _, h) => [y, h - 1 - x],
  (x, y, w, h) => [w - 1 - y, h - 1 - x],
  (x, y, w) => [w - 1 - y, x],
];

TURNS.forEach((place, i) => {
  test(`a photo held as ${i + 1} says stands upright`, async () => {
    const jpeg = bytesOf(FILES.jpeg.file);
    const flat = await pixelsOf(jpeg);
    const [w, h] = [16, 8];
    for (const bigEndian of [true, false]) {
      const { dims, data } = await imageTensor(held(jpeg, i + 1, bigEndian), plain);
      const [height, width] = i < 4 ? [h, w] : [w, h];
      assert.equal(dims, [1, height, width, 3]);
      const expected = Array.from({ length: w * h }, (_, p) => {
        const [x, y] = place(p % width, Math.floor(p / width), w, h);
        return [...flat.subarray((y * w + x) * 3, (y * w + x) * 3 + 3)];
      });
      assert.equal([...(data as Float32Array)], expected.flat());
    }
  });
});

test('16 bits keep what 8 would lose', async () => {
  const { data } = await imageTensor(bytesOf(DEEP.file), { channels: 'grey' });
  assert.equal(
    data,
    Float32Array.from(DEEP.samples, (sample) => sample / 65535),
  );
});

test('what is transparent lies before a background, or transparency is dropped or kept', async () => {
  const file = bytesOf(TRANSPARENT.file);
  const rgba = bytesOf(TRANSPARENT.rgba);
  const over = (background: readonly number[]) =>
    Float32Array.from({ length: (rgba.length / 4) * 3 }, (_, i) => {
      const [at, c] = [Math.floor(i / 3) * 4, i % 3];
      const alpha = (rgba[at + 3] as number) / 255;
      return alpha * (rgba[at + c] as number) + (1 - alpha) * (background[c] as number);
    });
  assert.ok(worst(await pixelsOf(file), over([0, 0, 0])) < 1e-4);
  const green = [10, 200, 30] as const;
  assert.ok(worst((await imageTensor(file, { ...plain, background: green })).data as Float32Array, over(green)) < 1e-4);
  const kept = await imageTensor(file, { ...plain, channels: 'RGBA' });
  assert.is(worst(kept.data as Float32Array, rgba), 0);
  const dropped = await imageTensor(file, { ...plain, background: 'none' });
  assert.is(
    worst(
      dropped.data as Float32Array,
      rgba.filter((_, i) => i % 4 < 3),
    ),
    0,
  );
});

test('a file comes as bytes, buffer, Blob, Response, stream, URL or path', async () => {
  const jpeg = bytesOf(FILES.jpeg.file);
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
  const path = join(folder, 'photo.jpg');
  writeFileSync(path, jpeg);
  const expected = await pixelsOf(jpeg);
  const sources = [
    jpeg.slice().buffer,
    new Blob([jpeg]),
    new Response(jpeg),
    new Blob([jpeg]).stream(),
    new URL(`file://${path}`),
    `data:image/jpeg;base64,${FILES.jpeg.file}`,
    path,
  ];
  for (const source of sources) assert.equal((await imageTensor(source, plain)).data, expected);
  rmSync(folder, { recursive: true });
});

test('what is no picture is refused, and named', async () => {
  const jpeg = bytesOf(FILES.jpeg.file);
  await expectRejection(
    'INVALID_VALUE',
    /the picture: unsupported image format\. Supported: BMP, .*JPEG/,
    imageTensor(Uint8Array.of(1, 2, 3)),
  );
  await expectRejection('INVALID_VALUE', /not a complete JPEG file/, imageTensor(jpeg.subarray(0, 40)));
  await expectRejection('INVALID_VALUE', /not a complete PNG file/, imageTensor(bytesOf(DEEP.file).subarray(0, 50)));
  await expectRejection('FILE_NOT_FOUND', /cannot read the picture "none.jpg"/, imageTensor('none.jpg'));
  await expectRejection(
    'INVALID_ARGUMENT',
    /a picture is ImageData .*this is undefined/,
    imageTensor(undefined as never),
  );
  await expectRejection('INVALID_ARGUMENT', /a picture is/, imageTensor({} as never));
  await expectRejection('ABORTED', /./, imageTensor(new Blob([jpeg]), { signal: AbortSignal.abort() }));
});

test.run();
