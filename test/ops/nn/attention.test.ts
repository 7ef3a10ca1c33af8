import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { runNode } from '../one-node.js';

const test = suite('attention');

test('keys that a mask does not reach are hidden, though it has but one column', async () => {
  const q = tensor('float32', [1, 1, 2, 2], [1, 0, 0, 1]);
  const k = tensor('float32', [1, 1, 3, 2], [1, 2, 3, 4, 5, 6]);
  const v = tensor('float32', [1, 1, 3, 1], [7, 8, 9]);
  const mask = tensor('float32', [2, 1], [0, 0.5]);
  assert.equal(await runNode('Attention', { inputs: [q, k, v, mask], opset: 23 }), [
    tensor('float32', [1, 1, 2, 1], [7, 7]),
  ]);
});

test('RotaryEmbedding in double precision', async () => {
  const x = tensor('float64', [1, 1, 1, 4], [1, 2, 3, 4]);
  const [cos, sin] = [tensor('float64', [1, 1, 2], [0.6, 0.8]), tensor('float64', [1, 1, 2], [0.8, 0.6])];
  const [y] = (await runNode('RotaryEmbedding', { inputs: [x, cos, sin], opset: 23 })) as [TensorValue];
  const expected = [0.6 - 2.4, 1.6 - 2.4, 0.8 + 1.8, 1.2 + 3.2];
  assert.ok(expected.every((value, i) => Math.abs((y.data[i] as number) - value) < 1e-12));
});

test.run();
