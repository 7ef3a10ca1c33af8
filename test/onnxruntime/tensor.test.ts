import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Tensor as OwnTensor } from '../../src/index.js';
import { Tensor } from '../../src/onnxruntime/index.js';

const test = suite('tensors of sardonyx/onnxruntime');

test('dims can be replaced, and data are gone once disposed of', () => {
  const x = new Tensor('float32', [1, 2], [2]);
  assert.instance(x, OwnTensor);
  (x as { dims: readonly number[] }).dims = [1, 2];
  x.dispose();
  assert.is(x.location, 'none');
  assert.throws(() => x.data, /disposed/);
  const own = new OwnTensor('float16', [1, -2]);
  assert.equal(own.data, Uint16Array.of(0x3c00, 0xc000));
  own.dispose();
  assert.throws(() => own.data, /disposed/);
});

test('a tensor is called one, and numbers are no halves', () => {
  assert.is(new Tensor('float32', [1]).constructor.name, 'Tensor');
  assert.throws(() => new Tensor('float16', new Float32Array(1) as never), /Uint16Array/);
});

test('tensors on a GPU are refused', () => {
  assert.throws(() => Tensor.fromGpuBuffer({} as never, {} as never), /CPU/);
  assert.throws(() => new Tensor({ location: 'texture', type: 'float32', dims: [1] } as never), /CPU/);
});

test('a picture becomes a tensor and comes back', async () => {
  const pixels = Uint8ClampedArray.of(255, 0, 51, 255, 0, 102, 255, 255);
  const image = { data: pixels, width: 2, height: 1 } as unknown as ImageData;
  const rgb = await Tensor.fromImage(image);
  assert.equal(rgb.dims, [1, 3, 1, 2]);
  assert.equal(rgb.data, Float32Array.of(1, 0, 0, 0.4, 0.2, 1));
  const norm = { mean: 1, bias: [-1, -2, -3] } as const;
  const bgr = await Tensor.fromImage(image, { tensorFormat: 'BGR', tensorLayout: 'NHWC', norm });
  assert.equal(bgr.dims, [1, 1, 2, 3]);
  assert.equal(bgr.data, Float32Array.of(48, -2, 254, 252, 100, -1));
  const global = globalThis as { ImageData?: unknown };
  global.ImageData = class {
    constructor(readonly data: Uint8ClampedArray) {}
  };
  assert.equal(rgb.toImageData().data, pixels);
  const opaque = new Tensor('float32', [...rgb.data, 0, 0], [1, 4, 1, 2]);
  assert.equal(opaque.toImageData().data, pixels, 'a fourth channel is left out');
  delete global.ImageData;
  assert.throws(() => rgb.toImageData({ format: 'RGBA' }), /4 channels/);
});

test.run();
