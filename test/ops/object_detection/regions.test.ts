import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import { runNode } from '../one-node.js';

const test = suite('regions of images');

const image = (values: readonly number[]) => tensor('float32', [1, 1, 4, 4], values);
const ascending = image(Array.from({ length: 16 }, (_, i) => i));
const descending = image(Array.from({ length: 16 }, (_, i) => 15 - i));

test('RoiAlign of a region turned inside out is 0', async () => {
  const inputs = [ascending, tensor('float32', [1, 4], [3, 3, 1, 1]), tensor('int64', [1], [0])];
  for (const mode of ['avg', 'max'])
    assert.equal(await runNode('RoiAlign', { inputs, attributes: { mode }, opset: 16 }), [
      tensor('float32', [1, 1, 1, 1], [0]),
    ]);
});

/** From 0.2 to 2.2 it is 2 pixels in float32, and a trace more in double precision: 2 samples, not 3. */
test('RoiAlign counts its samples in float32', async () => {
  const corner = image([1, ...new Array<number>(15).fill(0)]);
  const inputs = [corner, tensor('float32', [1, 4], [0.2, 0.2, 2.2, 2.2]), tensor('int64', [1], [0])];
  const [y] = await runNode('RoiAlign', { inputs, opset: 16 });
  assert.ok(Math.abs((y?.data[0] as number) - 0.4 * 0.4) < 1e-6);
});

/** One sample across and two down, at rows 0.0295 and 0.5805 of column 0.0545: means of four pixels each, by their distances. */
test('RoiAlign of float64 is as exact as its type', async () => {
  const rows = [
    [3, 0],
    [0, 0],
  ] as const;
  const pixels = [...rows[0], -1, 2, ...rows[1], 3, 3, 2, 3, -3, -1, -1, -3, 0, 3];
  const roi = tensor('float64', [1, 4], [0.345, 0.254, 0.764, 1.356]);
  const inputs = [tensor('float64', [1, 1, 4, 4], pixels), roi, tensor('int64', [1], [0])];
  const [y] = await runNode('RoiAlign', { inputs, opset: 22 });
  const column = (0.345 + 0.764) / 2 - 0.5;
  const [top, height] = [0.254 - 0.5, 1.356 - 0.254];
  const at = (row: number) => (1 - row) * ((1 - column) * rows[0][0] + column * rows[0][1]);
  const expected = (at(top + height / 4) + at(top + (3 * height) / 4)) / 2;
  assert.ok(Math.abs((y?.data[0] as number) - expected) < 1e-14);
});

test('MaxRoiPool rounds halves away from zero', async () => {
  const inputs = [descending, tensor('float32', [1, 5], [0, -3, -3, 3, 3])];
  const attributes = { pooled_shape: [2, 2], spatial_scale: 0.5 };
  assert.equal(await runNode('MaxRoiPool', { inputs, attributes }), [
    tensor('float32', [1, 1, 2, 2], [15, 15, 15, 15]),
  ]);
});

/** In float32 these boxes share exactly half of their union; in double precision a trace more. */
test('NonMaxSuppression keeps a box that overlaps by the threshold', async () => {
  const boxes = tensor('float32', [1, 2, 4], [0, 0.1, 1, 0.7, 0, 0.1, 1, 1.3]);
  const scores = tensor('float32', [1, 1, 2], [0.9, 0.8]);
  const inputs = [boxes, scores, tensor('int64', [1], [2]), tensor('float32', [1], [0.5])];
  assert.equal(await runNode('NonMaxSuppression', { inputs }), [tensor('int64', [2, 3], [0, 0, 0, 0, 0, 1])]);
});

test.run();
