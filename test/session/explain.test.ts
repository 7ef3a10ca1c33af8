import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { numbers } from './run-model.js';

const test = suite('session.explain');

/** The example of docs/architecture.md. */
function pooled(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n', 8, 'h', 'w']);
  const y = b.op('Conv', [x, b.constant('w0', numbers([16, 8, 1, 1]))]);
  b.output('y', b.op('AveragePool', [y], { kernel_shape: [2, 2], strides: [2, 2] }));
  return b.toBytes();
}

const feeds = (...dims: number[]) => ({ x: numbers(dims) as TensorValue }) as never;

test('names the sizes and the guards of the last plan', async () => {
  const session = await InferenceSession.create(pooled());
  assert.is(await session.explain(), null);
  await session.run(feeds(2, 8, 9, 12));
  const plan = await session.explain();
  assert.equal(plan?.sizes, { n: 2, h: 9, w: 12 });
  const conditions = plan?.guards.map(({ condition, node }) => `${condition}${node ? ' of a node' : ''}`);
  assert.ok(conditions?.includes('32*h*n*w ≤ 6912'), String(conditions));
  assert.ok(conditions?.includes('⌊h/2⌋ ≠ 1 of a node'), String(conditions));
  assert.equal(plan?.repeated, []);
  await session.release();
  assert.is(await session.explain(), null);
});

test('is null where plans are not traced', async () => {
  for (const executionProviders of [['reference']] as const) {
    const session = await InferenceSession.create(pooled(), { executionProviders: [...executionProviders] });
    await session.run(feeds(2, 8, 9, 12));
    assert.is(await session.explain(), null);
    await session.release();
  }
});

test('says nothing of sizes that the model fixes', async () => {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Relu', [b.input('x', 'float32', [2, 3])]));
  const session = await InferenceSession.create(b.toBytes());
  await session.run(feeds(2, 3));
  assert.is(await session.explain(), null);
});

test.run();
