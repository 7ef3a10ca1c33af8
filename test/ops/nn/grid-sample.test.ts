import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { runNode } from '../one-node.js';

const test = suite('GridSample');

const row = tensor('float32', [1, 1, 1, 5], [10, 20, 30, 40, 50]);

async function sample(places: readonly number[], attributes: Record<string, string>): Promise<number[]> {
  const grid = tensor(
    'float32',
    [1, 1, places.length, 2],
    places.flatMap((x) => [x, 0]),
  );
  const [y] = (await runNode('GridSample', { inputs: [row, grid], attributes, opset: 20 })) as [TensorValue];
  return Array.from(y.data as Float32Array);
}

/** 0.2 is halfway between two pixels in float32, as ONNX's reference, PyTorch and ONNX Runtime reckon. */
test('the nearest pixel is found in float32', async () => {
  assert.equal(await sample([0.2, -0.2, 0.6], { mode: 'nearest' }), [30, 30, 50]);
});

/** Weights of Keys' kernel at 0.25 with a = −0.75: −0.10546875, 0.87890625, 0.26171875, −0.03515625. */
test('a place on the outer half of a border pixel is left where it is', async () => {
  const [y] = await sample([-0.9], { mode: 'cubic', padding_mode: 'border' });
  const [a, b, c, d] = [-0.03515625, 0.26171875, 0.87890625, -0.10546875];
  assert.ok(Math.abs((y as number) - ((a + b + c) * 10 + d * 20)) < 1e-5);
});

test.run();
