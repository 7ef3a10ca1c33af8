import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInputs, tensor } from '../../../src/builder/index.js';
import { numbersOf, tensorOf } from '../../../src/tensor/numbers.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { runNode } from '../one-node.js';

const test = suite('CenterCropPad, AffineGrid, TensorScatter, Col2Im');

const counted = (...dims: number[]) => {
  const count = dims.reduce((a, b) => a * b);
  return tensor(
    'float32',
    dims,
    Float32Array.from({ length: count }, (_, i) => i + 1),
  );
};
const sizes = (...list: number[]) => tensor('int64', [list.length], list);

function assertNear(y: TensorValue | undefined, dims: readonly number[], expected: readonly number[], bound = 0): void {
  assert.equal(y?.dims, dims);
  Array.from(numbersOf(y as TensorValue)).forEach((value, i) => {
    assert.ok(Math.abs(value - (expected[i] as number)) <= bound, `${value} instead of ${expected[i]} at ${i}`);
  });
}

const crops: readonly [x: TensorValue, shape: TensorValue, attributes: AttributeInputs, dims: number[], y: number[]][] =
  [
    [counted(3, 4), sizes(4, 1), {}, [4, 1], [2, 6, 10, 0]],
    [counted(3, 4), sizes(2), { axes: [-1] }, [3, 2], [2, 3, 6, 7, 10, 11]],
    [counted(1, 2), sizes(5), { axes: [1] }, [1, 5], [0, 1, 2, 0, 0]],
    [counted(2, 3), sizes(0), { axes: [0] }, [0, 3], []],
  ];

for (const [x, shape, attributes, dims, y] of crops)
  test(`CenterCropPad of [${x.dims}] to [${shape.data}]`, async () =>
    assertNear((await runNode('CenterCropPad', { inputs: [x, shape], attributes }))[0], dims, y));

const THETA = [1, 0.5, -0.25, -0.5, 2, 0.125];
const THETA_3 = [1, 0.5, -0.25, 0.1, -0.5, 2, 0.125, 0.2, 0.3, 0.4, 1, -0.5];
const THIRD = 1 / 6;

/** torch.nn.functional.affine_grid. */
const grids: readonly [theta: TensorValue, size: TensorValue, align: number, dims: number[], y: number[]][] = [
  [
    tensor('float32', [1, 2, 3], THETA),
    sizes(1, 1, 2, 3),
    0,
    [1, 2, 3, 2],
    [-1 - THIRD, -0.5416667, -0.5, -0.875, THIRD, -1.2083333, -4 * THIRD, 1.4583333, 0, 1.125, 4 * THIRD, 0.7916667],
  ],
  [
    tensor('float32', [1, 2, 3], THETA),
    sizes(1, 1, 2, 3),
    1,
    [1, 2, 3, 2],
    [-1.75, -1.375, -0.75, -1.875, 0.25, -2.375, -0.75, 2.625, 0.25, 2.125, 1.25, 1.625],
  ],
  [
    tensor('float32', [1, 3, 4], THETA_3),
    sizes(1, 1, 2, 1, 2),
    0,
    [1, 2, 1, 2, 3],
    [-0.275, 0.3875, -1.15, 0.725, -0.1125, -0.85, -0.525, 0.5125, -0.15, 0.475, 0.0125, 0.15],
  ],
];

for (const [theta, size, align, dims, y] of grids)
  for (const type of ['float32', 'float64', 'float16'] as const)
    test(`AffineGrid of [${size.data}], align_corners ${align}, ${type}`, async () => {
      const inputs = [tensorOf(type, theta.dims, numbersOf(theta)), size];
      const [grid] = await runNode('AffineGrid', { inputs, attributes: { align_corners: align } });
      assertNear(grid, dims, y, type === 'float16' ? 2e-3 : 1e-6);
    });

test('AffineGrid: one pixel lies in the middle', async () => {
  const inputs = [tensor('float32', [1, 2, 3], THETA), sizes(1, 1, 1, 1)];
  for (const align of [0, 1]) {
    const [grid] = await runNode('AffineGrid', { inputs, attributes: { align_corners: align } });
    assertNear(grid, [1, 1, 1, 2], [-0.25, 0.125]);
  }
});

test('TensorScatter writes where each batch says', async () => {
  const inputs = [counted(2, 4, 2), tensor('float32', [2, 2, 2], [-1, -2, -3, -4, -5, -6, -7, -8]), sizes(1, 2)];
  const [y] = await runNode('TensorScatter', { inputs, opset: 24 });
  assertNear(y, [2, 4, 2], [1, 2, -1, -2, -3, -4, 7, 8, 9, 10, 11, 12, -5, -6, -7, -8]);
});

test('TensorScatter in a circle, heads between batch and time', async () => {
  const inputs = [counted(1, 2, 3, 1), tensor('float32', [1, 2, 2, 1], [-1, -2, -3, -4]), sizes(2)];
  const [y] = await runNode('TensorScatter', { inputs, attributes: { mode: 'circular' }, opset: 24 });
  assertNear(y, [1, 2, 3, 1], [-2, 2, -1, -4, 5, -3]);
});

test('TensorScatter without places starts at 0, and refuses what does not fit', async () => {
  const update = (length: number) => tensor('float32', [1, length, 1], new Float32Array(length).fill(-1));
  const [y] = await runNode('TensorScatter', { inputs: [counted(1, 3, 1), update(2)], opset: 24 });
  assertNear(y, [1, 3, 1], [-1, -1, 3]);
  const long = runNode('TensorScatter', { inputs: [counted(1, 3, 1), update(4)], opset: 24 });
  await expectRejection('INVALID_SHAPE', /does not fit into cache/, long);
});

/** torch.nn.functional.fold. */
test('Col2Im sums overlapping blocks', async () => {
  const strided = { strides: [2, 2], pads: [1, 0, 1, 0] };
  const [y] = await runNode('Col2Im', { inputs: [counted(1, 8, 6), sizes(4, 5), sizes(2, 2)], attributes: strided });
  assertNear(
    y,
    [1, 2, 4, 5],
    [
      13, 19, 14, 20, 0, 3, 9, 4, 10, 0, 15, 21, 16, 22, 0, 5, 11, 6, 12, 0, 37, 43, 38, 44, 0, 27, 33, 28, 34, 0, 39,
      45, 40, 46, 0, 29, 35, 30, 36, 0,
    ],
  );
  const x = numbersOf(counted(1, 8, 6));
  const columns = tensor(
    'float32',
    [1, 8, 4],
    Array.from({ length: 32 }, (_, i) => x[Math.floor(i / 4) * 6 + (i % 4)] as number),
  );
  const [dilated] = await runNode('Col2Im', {
    inputs: [columns, sizes(3, 4), sizes(2, 2)],
    attributes: { dilations: [1, 2] },
  });
  assertNear(
    dilated,
    [1, 2, 3, 4],
    [1, 2, 7, 8, 16, 18, 28, 30, 15, 16, 21, 22, 25, 26, 31, 32, 64, 66, 76, 78, 39, 40, 45, 46],
  );
});

test('Col2Im joins strings, and leaves out of nothing the empty one', async () => {
  const columns = (rows: number, ...list: string[]) => tensor('string', [1, rows, list.length / rows], list);
  const overlapping = columns(4, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  const [y] = await runNode('Col2Im', { inputs: [overlapping, sizes(2, 3), sizes(2, 2)] });
  assert.equal(
    [y?.dims, y?.data],
    [
      [1, 1, 2, 3],
      ['a', 'bc', 'd', 'e', 'fg', 'h'],
    ],
  );
  const apart = columns(2, 'a', 'b', 'c', 'd');
  const attributes = { strides: [1, 2] };
  const [gaps] = await runNode('Col2Im', { inputs: [apart, sizes(2, 4), sizes(2, 1)], attributes });
  assert.equal(
    [gaps?.dims, gaps?.data],
    [
      [1, 1, 2, 4],
      ['a', '', 'b', '', 'c', '', 'd', ''],
    ],
  );
});

test.run();
