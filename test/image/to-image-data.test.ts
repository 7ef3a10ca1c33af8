import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Channels,
  imageTensor,
  type Layout,
  type Normalization,
  type Pixels,
  toImageData,
} from '../../src/image/index.js';
import { Tensor } from '../../src/index.js';
import { expectError } from '../expect-error.js';
import { bytesOf } from './bytes.js';
import { RANDOM, TRANSPARENT } from './pictures.js';

const test = suite('toImageData');

const rgba: Pixels = { data: bytesOf(TRANSPARENT.rgba), width: 13, height: 9 };
const rgb: Pixels = { data: bytesOf(RANDOM), width: 13, height: 9 };
const opaque = Uint8ClampedArray.from({ length: 13 * 9 * 4 }, (_, i) =>
  i % 4 === 3 ? 255 : (rgb.data[Math.floor(i / 4) * 3 + (i % 4)] as number),
);

for (const layout of ['NCHW', 'NHWC'] as Layout[])
  for (const normalize of ['unit', 'signed', 'imagenet', 'clip', 'bytes'] as Normalization[])
    for (const channels of ['RGB', 'BGR', 'RGBA', 'BGRA'] as Channels[])
      test(`a picture comes back from ${layout}, ${normalize}, ${channels}`, async () => {
        const options = { layout, normalize, channels };
        const { data, width, height } = toImageData(await imageTensor(rgb, options), options);
        assert.equal([width, height], [13, 9]);
        assert.equal(data, opaque);
      });

test('alpha comes back, and other types', async () => {
  const kept = await imageTensor(rgba, { channels: 'RGBA', type: 'uint8' });
  assert.equal([...toImageData(kept).data], [...rgba.data]);
  for (const type of ['float16', 'float64', 'int32', 'uint8'] as const) {
    const { data } = toImageData(await imageTensor(rgb, { type, normalize: type === 'float16' ? 'signed' : 'unit' }), {
      normalize: type === 'float16' ? 'signed' : 'unit',
    });
    assert.equal(data, opaque, type);
  }
});

test('form follows from the dims, what is beyond white is clipped', () => {
  const pixels = (dims: number[], values: number[], options = {}) => [
    ...toImageData(new Tensor('float32', values, dims), options).data,
  ];
  assert.equal(pixels([1, 2], [0, 2]), [0, 0, 0, 255, 255, 255, 255, 255]);
  assert.equal(pixels([3, 1, 1], [-1, 0.2, 1]), [0, 51, 255, 255]);
  assert.equal(
    pixels([1, 1, 3], [0, 0.2, 1]),
    [0, 0, 0, 255, 51, 51, 51, 255, 255, 255, 255, 255],
    'channels come first',
  );
  assert.equal(pixels([1, 1, 3], [0, 0.2, 1], { layout: 'NHWC' }), [0, 51, 255, 255]);
  assert.equal(
    pixels([2, 5, 1, 1], [0, 0, 0, 0, 0, 1, 0.2, 0, 1, 1], { channels: 'RGB', index: 1 }),
    [255, 51, 0, 255],
  );
  const { width, height, colorSpace } = toImageData(new Tensor('float32', [0, 0], [1, 1, 1, 2]));
  assert.equal([width, height, colorSpace], [2, 1, 'srgb']);
});

test('a palette colours class numbers', () => {
  const palette = [
    [0, 0, 0],
    [255, 0, 0],
    [0, 0, 255, 128],
  ];
  const classes = new Tensor('int64', [0n, 1n, 2n, 1n], [2, 1, 2]);
  assert.equal([...toImageData(classes, { palette, index: 1 }).data], [0, 0, 255, 128, 255, 0, 0, 255]);
  expectError('INVALID_ARGUMENT', /the palette has 1 colors, none for class 1/, () =>
    toImageData(classes, { palette: [[0, 0, 0]] }),
  );
});

test('tensor.toImageData is the same, also by the names of onnxruntime-common', async () => {
  const tensor = await imageTensor(rgb, { channels: 'BGR', layout: 'NHWC', normalize: 'bytes' });
  const { data } = await tensor.toImageData({ format: 'BGR', tensorLayout: 'NHWC', norm: { mean: 1 } });
  assert.equal(data, opaque);
  const shifted = new Tensor('float32', [10, 20, 30], [1, 3, 1, 1]);
  assert.equal([...(await shifted.toImageData({ norm: { mean: [1, 2, 3], bias: [4, 5, 6] } })).data], [6, 30, 72, 255]);
});

test('a tensor that is no picture is refused', () => {
  const refused = (code: 'INVALID_SHAPE' | 'INVALID_ARGUMENT', message: RegExp, dims: number[], options = {}) => {
    const tensor = new Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b, 1)), dims);
    expectError(code, message, () => toImageData(tensor, options));
  };
  refused('INVALID_SHAPE', /dims \[5\] is no picture/, [5]);
  refused('INVALID_SHAPE', /dims \[1,2,3,5\] is no picture of 1, 3 or 4 channels/, [1, 2, 3, 5]);
  refused('INVALID_SHAPE', /is no picture of 4 channels \(RGBA\)/, [1, 3, 2, 2], { channels: 'RGBA' });
  refused('INVALID_ARGUMENT', /index 2: the tensor has 2 pictures/, [2, 3, 2, 2], { index: 2 });
});

test.run();
