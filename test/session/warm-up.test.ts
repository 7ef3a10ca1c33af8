import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession, type SessionOptions, Tensor } from '../../src/index.js';
import { createPool } from '../../src/remote/pool/index.js';
import { InferenceSession as WorkerSession } from '../../src/remote/worker/index.js';
import { expectError, expectRejection } from '../expect-error.js';
import { buildPackage, chainOfProducts, floats } from '../worker/session-worker.js';

const test = suite('warmUp and using');

test.before(buildPackage);

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
  await session.warmUp({ x });
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

test('what is open or unknown is named', async () => {
  await using session = await open(model);
  await expectRejection(
    'INVALID_ARGUMENT',
    /"x" float32\[rows,16\] is open: .*warmUp\(\{ "rows": 1 \}\)/,
    session.warmUp(),
  );
  await expectRejection(
    'INVALID_ARGUMENT',
    /no input and no open dimension is called "row"/,
    session.warmUp({ row: 1 }),
  );
  await expectRejection('INVALID_ARGUMENT', /size of "rows" is a whole number, not -1/, session.warmUp({ rows: -1 }));
  await expectRejection('INVALID_SHAPE', /must have dims/, session.warmUp({ x: [3, 15] }));
  await using list = await open(sequenceModel());
  await expectRejection('INVALID_ARGUMENT', /"list" seq.* no tensor: give a feed/, list.warmUp());
  await list.warmUp({ list: [new Tensor([1, 2])] });
  await session.run({ x });
});

test('a session in a worker, and a pool', async () => {
  await using session = await WorkerSession.create(model, { enableProfiling: true });
  await session.warmUp({ rows: 3 });
  const plan = await session.memoryPlan;
  assert.is.not(plan, null);
  assert.is((await session.profile).length, 0);
  await session.run({ x });
  assert.equal(await session.memoryPlan, plan);
  await session.warmUp({ x });
  assert.is(x.data.length, 48, 'what is given stays');
  await expectRejection('INVALID_ARGUMENT', /is open/, session.warmUp());

  await using pool = await createPool(model, { size: 2 });
  await pool.warmUp({ rows: 3 });
  await expectRejection('INVALID_ARGUMENT', /is open/, pool.warmUp());
  assert.is(pool.size, 2);
  await pool.run({ x });
});

test('at the end of its block a session is released, a tensor disposed of', async () => {
  const sessions: { run(feeds: object): Promise<unknown>; warmUp(): Promise<void> }[] = [];
  {
    await using direct = await open(model);
    await using worker = await WorkerSession.create(model);
    await using pool = await createPool(model, { size: 1 });
    sessions.push(direct, worker, pool);
  }
  for (const session of sessions) {
    await expectRejection('RELEASED', /released/, session.run({ x }));
    await expectRejection('RELEASED', /released/, session.warmUp());
  }
  let kept: Tensor;
  {
    using tensor = new Tensor([1]);
    kept = tensor;
  }
  expectError('RELEASED', /disposed/, () => kept.data);
});

test.run();
