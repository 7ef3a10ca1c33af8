import { mkdirSync, writeFileSync } from 'node:fs';
import { encode } from 'fast-png';
import jpeg from 'jpeg-js';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { writeTensor } from '../../src/model/write-model.js';
import { writeNpy } from '../../src/tensor/npy.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { f32 } from '../values.js';

/** twice = 2x and positive = x > 0 for float32 x of the given dims. */
export function twiceModel(dims: readonly (number | string)[]): Uint8Array {
  const b = modelBuilder({ opset: 21, name: 'doubler', producer: 'a test', metadata: { license: 'none' } });
  const x = b.input('x', 'float32', dims);
  b.output('twice', b.op('Mul', [x, b.constant('two', f32([], [2]))]), 'float32', dims);
  b.output('positive', b.op('Greater', [x, b.constant('zero', f32([], [0]))]), 'bool', dims);
  return b.toBytes();
}

const twice = (x: TensorValue, error = 0): TensorValue[] => {
  const values = Array.from(x.data as Float32Array);
  return [
    f32(
      x.dims,
      values.map((v) => 2 * v + error),
    ),
    tensor(
      'bool',
      x.dims,
      values.map((v) => v > 0),
    ),
  ];
};

/** A folder in the Model Zoo's layout with two data sets; the expected values of the second are off by `error`. */
export function zooFolder(folder: string, error = 0): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/model.onnx`, twiceModel(['n', 2]));
  for (const [k, x] of [f32([1, 2], [1, -2]), f32([3, 2], [1, 2, 3, 4, 5, 6])].entries()) {
    const set = `${folder}/test_data_set_${k}`;
    mkdirSync(set);
    writeFileSync(`${set}/input_0.pb`, writeTensor(x, 'x'));
    for (const [i, output] of twice(x, k === 1 ? error : 0).entries())
      writeFileSync(`${set}/output_${i}.pb`, writeTensor(output));
  }
}

/** A folder laid out as ONNX's light models. */
export function lightFolder(folder: string): void {
  mkdirSync(folder);
  writeFileSync(`${folder}/light_twice.onnx`, twiceModel([1, 4]));
  for (const [i, output] of twice(f32([1, 4], [0, 0.25, 0.5, 0.75])).entries())
    writeFileSync(`${folder}/light_twice_output_${i}.pb`, writeTensor(output));
}

/** The mean of each colour of an image [1,3,h,w]. */
export function colorModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const image = b.input('image', 'float32', [1, 3, 'height', 'width']);
  b.output('means', b.op('Flatten', [b.op('GlobalAveragePool', [image])]), 'float32', [1, 3]);
  return b.toBytes();
}

/** An image 6 wide and 2 high: its middle third in one colour, black beside it. */
function pixels(channels: number, color: readonly number[]): Uint8Array {
  const image = new Uint8Array(6 * 2 * channels);
  for (let p = 0; p < 12; p++)
    for (let c = 0; c < channels; c++)
      image[p * channels + c] = c === 3 ? 255 : p % 6 === 2 || p % 6 === 3 ? (color[c] as number) : 0;
  return image;
}

export const png = (color: readonly number[]): Uint8Array =>
  encode({ width: 6, height: 2, channels: 3, data: pixels(3, color) });

/** 16 × 16 pixels of one colour. */
export const plainJpeg = (color: readonly number[]): Uint8Array =>
  jpeg.encode({ width: 16, height: 16, data: Uint8Array.from({ length: 1024 }, (_, i) => color[i % 4] ?? 255) }, 100)
    .data;

export const writeNumpy = (file: string, value: TensorValue): void => writeFileSync(file, writeNpy(value));
