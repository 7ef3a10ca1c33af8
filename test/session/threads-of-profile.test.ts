import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession, type StepTiming } from '../../src/index.js';
import { InferenceSession as WorkerSession } from '../../src/remote/worker/index.js';
import { randomFloats } from '../assembly/kernels.js';
import { buildPackage } from '../worker/session-worker.js';

const test = suite('threads of a profile');

test.before(buildPackage);

/** Convolutions of some milliseconds, a step of one tile, one of the host, and a loop around a product. */
function network(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const weights = (name: string, ...dims: number[]) => {
    const data = randomFloats(
      dims.reduce((p, d) => p * d, 1),
      dims.length,
    );
    return b.constant(name, { type: 'float32', dims, data });
  };
  let x = b.input('x', 'float32', [1, 32, 64, 64]);
  for (let i = 0; i < 3; i++)
    x = b.op('Relu', [b.op('Conv', [x, weights(`w${i}`, 32, 32, 5, 5)], { pads: [2, 2, 2, 2] })]);
  const rows = b.op('Flatten', [b.op('GlobalAveragePool', [x])]);
  b.output('y', b.op('MatMul', [rows, weights('m', 32, 10)]));
  b.output('unique', b.op('Unique', [b.op('Sign', [rows])]));
  const [count, go, start] = [
    b.constant('count', { type: 'int64', dims: [], data: BigInt64Array.of(3n) }),
    b.constant('go', { type: 'bool', dims: [], data: Uint8Array.of(1) }),
    b.op('Reshape', [x, b.constant('shape', { type: 'int64', dims: [2], data: BigInt64Array.of(256n, 512n) })]),
  ];
  const square = weights('square', 512, 512);
  const body = b.subgraph('body', (g) => {
    g.input('i', 'int64', []);
    const on = g.input('on', 'bool', []);
    const before = g.input('before', 'float32', [256, 512]);
    g.output('still', g.op('Identity', [on]));
    g.output('after', g.op('MatMul', [before, square]));
  });
  b.output('looped', b.op('Loop', [count, go, start], { body }));
  return b.toBytes();
}

const feeds = { x: { type: 'float32', dims: [1, 32, 64, 64], data: randomFloats(32 * 64 * 64, 7) } } as const;

const MOST_RUNS = 200;

/** Rounding of sums of clocks. */
const CLOSE = 1e-6;

function checkShares(profile: readonly StepTiming[], most: number): void {
  assert.ok(profile.length > 0);
  for (const { operator, kernel, start, milliseconds, tiles, threads } of profile) {
    const what = `${operator}, ${kernel}`;
    assert.is(
      threads.reduce((sum, share) => sum + share.tiles, 0),
      tiles,
      `${what}: each tile is done once`,
    );
    const numbers = threads.map(({ thread }) => thread);
    assert.equal(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
      what,
    );
    for (const share of threads) {
      assert.ok(share.thread >= 0 && share.thread < most, what);
      assert.ok(share.start >= start - CLOSE && share.milliseconds >= 0, what);
      assert.ok(share.start + share.milliseconds <= start + milliseconds + CLOSE, `${what}: within its step`);
    }
  }
}

/** Milliseconds that each thread worked, of the longest steps. */
const workedIn = (profile: readonly StepTiming[]): Map<number, number> => {
  const worked = new Map<number, number>();
  for (const { threads } of profile)
    for (const { thread, milliseconds } of threads) worked.set(thread, (worked.get(thread) ?? 0) + milliseconds);
  return worked;
};

for (const count of [1, 2, 3])
  test(`${count}: who did how many tiles of each step, and when; the results are those without a profile`, async () => {
    await using session = await InferenceSession.create(network(), { intraOpNumThreads: count });
    const expected = await session.run(feeds);
    await session.run(feeds);
    session.startProfiling();
    // A busy machine may have no core for a thread for some runs.
    for (let i = 0; i < 3 || (workedIn(session.profile).size < count && i < MOST_RUNS); i++)
      assert.equal(await session.run(feeds), expected);
    const { profile } = session;
    checkShares(profile, count);
    const worked = workedIn(profile);
    assert.equal(
      [...worked.keys()].sort(),
      Array.from({ length: count }, (_, i) => i),
      'all have worked',
    );
    const convolutions = profile.filter(({ operator }) => operator.includes('Conv'));
    const sum = convolutions.reduce((ms, step) => ms + step.milliseconds, 0);
    const within = [...workedIn(convolutions).values()].reduce((a, b) => a + b, 0);
    assert.ok(within <= count * sum + CLOSE && within > 0.5 * sum, `${within} of ${count} · ${sum} ms`);
    session.endProfiling();
    assert.equal(await session.run(feeds), expected);
    assert.is(session.profile.length, profile.length);
  });

test('a session that is profiled from the first run on, and one in a worker', async () => {
  const options = { intraOpNumThreads: 2, enableProfiling: true };
  await using here = await InferenceSession.create(network(), options);
  const results = await here.run(feeds);
  checkShares(here.profile, 2);
  await using there = await WorkerSession.create(network(), options);
  assert.equal((await there.run(feeds)).y, results.y);
  checkShares(await there.profile, 2);
});

test('of other backends the caller alone works', async () => {
  const small = modelBuilder({ opset: 21 });
  small.output('y', small.op('Relu', [small.input('x', 'float32', [2])]));
  await using reference = await InferenceSession.create(small.toBytes(), {
    executionProviders: ['reference'],
    enableProfiling: true,
  });
  await reference.run({ x: { type: 'float32', dims: [2], data: Float32Array.of(1, -1) } });
  const [{ threads, start, milliseconds }] = reference.profile as [StepTiming];
  assert.equal(threads, [{ thread: 0, start, milliseconds, tiles: 1 }]);
});

test.run();
