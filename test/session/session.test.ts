import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { InferenceSession, Tensor } from '../../src/index.js';
import { expectRejection } from '../expect-error.js';

const test = suite('plain session');

/** y = a + b and z = y · 2 for float32[n,2]; b is 10, 20 if it is not fed. */
function sumModel(): Uint8Array {
  const b = modelBuilder({ opset: 21, metadata: { author: 'nobody' } });
  const left = b.input('a', 'float32', ['n', 2]);
  const right = b.input('b', 'float32', [1, 2], { default: tensor('float32', [1, 2], [10, 20]) });
  const y = b.op('Add', [left, right]);
  b.output('y', y, 'float32', ['n', 2]);
  b.output('z', b.op('Mul', [y, b.constant('two', tensor('float32', [], [2]))]), 'float32', ['n', 2]);
  return b.toBytes();
}

const f32 = (dims: readonly number[], ...values: number[]) => new Tensor('float32', values, dims);
const a = f32([1, 2], 1, 2);

test('the memory plan places every value apart from those that live at the same time', async () => {
  const session = await InferenceSession.create(sumModel(), { graphOptimizationLevel: 'disabled' });
  assert.is(session.memoryPlan, null);
  await session.run({ a });
  const plan = session.memoryPlan;
  assert.ok(plan && plan.lowerBound > 0 && plan.lowerBound <= plan.peak && plan.peak <= plan.linearMemory);
  for (const { offset, bytes, first, last } of plan?.values ?? []) {
    assert.ok(offset >= 0 && offset + bytes <= (plan?.peak ?? 0) && first <= last);
  }
  await session.run({ a: f32([1000, 2], ...new Array<number>(2000).fill(1)) });
  assert.ok((session.memoryPlan?.peak ?? 0) >= 2 * 8000);
  await session.release();
  assert.is(session.memoryPlan, null);
});

test('metadata of the model', async () => {
  const { model } = await InferenceSession.create(sumModel());
  assert.is(model.metadata.get('author'), 'nobody');
});

test('a model is bytes, a buffer or a path; what is none of these is refused', async () => {
  const bytes = sumModel();
  const buffer = bytes.slice().buffer;
  assert.equal((await InferenceSession.create(buffer)).inputNames, ['a', 'b']);
  await expectRejection('FILE_NOT_FOUND', /cannot read/, InferenceSession.create('absent.onnx'));
  await expectRejection('INVALID_ARGUMENT', /a model must be a/, InferenceSession.create(7 as never));
});

test.run();
