import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession, type SessionOptions, Tensor } from '../../src/index.js';
import { expectError, expectRejection } from '../expect-error.js';
import { chainOfProducts, floats } from '../worker/session-worker.js';

const test = suite('warmUp and using');

const model = chainOfProducts(2, 16, 'rows');
const x = floats([3, 16], 5);

/** Strings, a symbol in two inputs, and one that has a default. */
function severalInputs(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const a = b.input('a', 'float32', ['batch', 2]);
  const names = b.input('names', 'string', ['batch']);
  b.output('sum', b.op('ReduceSum', [a]));
  b.output('same', b.op('Equal', [names, names]));
  return b.toBytes();
}

function sequenceModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const list = b.input('list', { kind: 'sequence', of: { kind: 'tensor', element: 'float32', dims: ['n'] } } as never);
  b.output('y', b.op('ConcatFromSequence', [list], { axis: 0 }));
  return b.toBytes();
}

const open = (bytes: Uint8Array, options?: SessionOptions) => InferenceSession.create(bytes, options);

test('the first run finds its plan and its weights', async () => {
  await using warm = await open(model);
  await using cold = await open(model);
  assert.is(warm.memoryPlan, null);
  await warm.warmUp({ rows: 3 });
  const plan = warm.memoryPlan;
  const [{ y: first }, { y: other }] = [await warm.run({ x }), await cold.run({ x })];
  assert.equal(warm.memoryPlan, plan, 'the run has allocated nothing');
  assert.is(plan?.linearMemory, cold.memoryPlan?.linearMemory);
  assert.equal((first as Tensor).data, (other as Tensor).data);
});

test('sizes come from symbols, shapes, feeds and freeDimensionOverrides', async () => {
  await using session = await open(model);
  await session.warmUp({ x: [5, 16] });
  await using fixed = await open(model, { freeDimensionOverrides: { rows: 2 } });
  await fixed.warmUp();
  assert.is.not(fixed.memoryPlan, null);
  await using several = await open(severalInputs());
  await several.warmUp({ batch: 2 });
  await several.warmUp({ batch: 0 });
});

test('no step of it is in the profile', async () => {
  await using session = await open(model, { enableProfiling: true });
  await session.warmUp({ rows: 3 });
  assert.is(session.profile.length, 0);
  await session.run({ x });
  assert.ok(session.profile.length > 0);
});

test('it waits for runs before it, and runs after it wait', async () => {
  await using session = await open(model);
  const { signal } = new AbortController();
  const [before, , after] = await Promise.all([
    session.run({ x }, { signal }),
    session.warmUp({ rows: 7 }),
    session.run({ x }),
  ]);
  assert.equal((before.y as Tensor).data, (after.y as Tensor).data);
});

test('an input that is no tensor is given a feed', async () => {
  await using list = await open(sequenceModel());
  await expectRejection('INVALID_ARGUMENT', /"list" seq.* not a tensor: pass a feed/, list.warmUp());
  await list.warmUp({ list: [new Tensor([1, 2])] });
});

test('a tensor is disposed of at the end of its block', () => {
  let kept: Tensor;
  {
    using tensor = new Tensor([1]);
    kept = tensor;
  }
  expectError('RELEASED', /disposed/, () => kept.data);
});

test.run();
