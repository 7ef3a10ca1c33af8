import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import { tensorOf } from '../../../src/tensor/numbers.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { randomFloats, relativeL2 } from '../../assembly/kernels.js';
import { runNode } from '../one-node.js';

const test = suite('moving windows');

const SIZES = [3, 4, 3, 4];
const KERNEL = [2, 2, 2, 2];
const OUT = SIZES.map((size) => size - 1);

/** Every place in `dims`, row by row. */
const places = (dims: readonly number[]): number[][] =>
  dims.reduce<number[][]>((all, size) => all.flatMap((at) => Array.from({ length: size }, (_, i) => [...at, i])), [[]]);

const offset = (at: readonly number[], dims: readonly number[]) =>
  at.reduce((sum, i, axis) => sum * (dims[axis] as number) + i, 0);

const count = SIZES.reduce((a, b) => a * b);
const x = tensor('float32', [1, 1, ...SIZES], randomFloats(count, 3));
const weights = tensor('float32', [1, 1, ...KERNEL], randomFloats(16, 4));

/** What lies under the window at each of its places. */
const windows = places(OUT).map((from) =>
  places(KERNEL).map(
    (tap) =>
      x.data[
        offset(
          from.map((i, axis) => i + (tap[axis] as number)),
          SIZES,
        )
      ] as number,
  ),
);

async function check(op: string, inputs: TensorValue[], attributes: object, expected: number[]): Promise<void> {
  const [y] = (await runNode(op, { inputs, attributes: attributes as never, opset: 22 })) as [TensorValue];
  assert.equal(y.dims, [1, 1, ...OUT]);
  const error = relativeL2(y.data as Float32Array, expected);
  assert.ok(error < 1e-6, `${op}: relative L2 ${error}`);
}

test('four spatial axes', async () => {
  const attributes = { kernel_shape: KERNEL };
  const sum = (values: number[]) => values.reduce((a, b) => a + b);
  await check(
    'Conv',
    [x, weights],
    {},
    windows.map((w) => sum(w.map((v, i) => v * (weights.data[i] as number)))),
  );
  await check(
    'MaxPool',
    [x],
    attributes,
    windows.map((w) => Math.max(...w)),
  );
  await check(
    'AveragePool',
    [x],
    attributes,
    windows.map((w) => sum(w) / 16),
  );
  await check(
    'LpPool',
    [x],
    attributes,
    windows.map((w) => Math.hypot(...w)),
  );
});

test('a transposed convolution over four spatial axes undoes no size', async () => {
  const expected = new Array<number>(4 * 5 * 4 * 5).fill(0);
  for (const from of places(SIZES))
    for (const tap of places(KERNEL)) {
      const to = offset(
        from.map((i, axis) => i + (tap[axis] as number)),
        [4, 5, 4, 5],
      );
      expected[to] =
        (expected[to] as number) +
        (x.data[offset(from, SIZES)] as number) * (weights.data[offset(tap, KERNEL)] as number);
    }
  const [y] = (await runNode('ConvTranspose', { inputs: [x, weights], opset: 22 })) as [TensorValue];
  assert.equal(y.dims, [1, 1, 4, 5, 4, 5]);
  assert.ok(relativeL2(y.data as Float32Array, expected) < 1e-6);
});

test('the first LpPool takes fractional orders, and any float', async () => {
  const run = async (type: 'float32' | 'float16', p: number) => {
    const inputs = [tensorOf(type, [1, 1, 4], [1, -4, 9, 0])];
    const attributes = { kernel_shape: [2], p: { type: 'float', value: p } as const };
    const [y] = (await runNode('LpPool', { inputs, attributes, opset: 1 })) as [TensorValue];
    return y;
  };
  const { data } = await run('float32', 0.5);
  assert.ok(relativeL2(data as Float32Array, [9, 25, 9]) < 1e-6);
  assert.equal(await run('float16', 1), tensorOf('float16', [1, 1, 3], [5, 13, 9]));
});

test('weights of symbolic shape', async () => {
  const plane = tensor('float32', [1, 2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8]);
  const kernel = tensor('float32', [2, 2, 1, 1], [1, 2, 3, 4]);
  const inputs = [plane, kernel];
  assert.equal(await runNode('Conv', { inputs, symbolic: true }), [
    tensor('float32', [1, 2, 2, 2], [11, 14, 17, 20, 23, 30, 37, 44]),
  ]);
  assert.equal(await runNode('ConvTranspose', { inputs, symbolic: true }), [
    tensor('float32', [1, 2, 2, 2], [16, 20, 24, 28, 22, 28, 34, 40]),
  ]);
});

test('Col2Im of an empty batch', async () => {
  const sizes = [tensor('int64', [2], [3, 3]), tensor('int64', [2], [2, 2])];
  const inputs = [tensor('float32', [0, 4, 4], []), ...sizes];
  assert.equal(await runNode('Col2Im', { inputs }), [tensor('float32', [0, 1, 3, 3], [])]);
});

const PLANES = { batch: 2, channels: 16, depth: 3, height: 9, width: 10 } as const;

/** 3×3 taps on each plane of a volume, padded by one. */
function convolvedPlanes(values: Float32Array, taps: Float32Array, group: number): number[] {
  const { batch, channels, depth, height, width } = PLANES;
  const own = channels / group;
  const dims = [batch, channels, depth, height, width];
  return places(dims).map(([n = 0, channel = 0, d = 0, y = 0, x = 0]) => {
    let sum = 0;
    for (const [c = 0, ky = 0, kx = 0] of places([own, 3, 3])) {
      const [row, column] = [y + ky - 1, x + kx - 1];
      if (row < 0 || row >= height || column < 0 || column >= width) continue;
      const source = Math.floor(channel / own) * own + c;
      const value = values[offset([n, source, d, row, column], dims)] as number;
      sum += value * (taps[offset([channel, c, ky, kx], [channels, own, 3, 3])] as number);
    }
    return sum;
  });
}

for (const [name, group] of [
  ['all channels', 1],
  ['four groups', 4],
  ['each channel', PLANES.channels],
] as const) {
  test(`planes of a volume, ${name}`, async () => {
    const { batch, channels, depth, height, width } = PLANES;
    const values = randomFloats(batch * channels * depth * height * width, 5);
    const taps = randomFloats((channels * channels * 9) / group, 6);
    const inputs = [
      tensor('float32', [batch, channels, depth, height, width], values),
      tensor('float32', [channels, channels / group, 1, 3, 3], taps),
    ];
    const attributes = { pads: [0, 1, 1, 0, 1, 1], group };
    const [y] = (await runNode('Conv', { inputs, attributes, opset: 22 })) as [TensorValue];
    assert.equal(y.dims, [batch, channels, depth, height, width]);
    const error = relativeL2(y.data as Float32Array, convolvedPlanes(values, taps, group));
    // The bound of test/assembly/winograd.test.ts, which all channels together go through.
    assert.ok(error < (group === 1 ? 1e-5 : 1e-6), `relative L2 ${error}`);
  });
}

test.run();
