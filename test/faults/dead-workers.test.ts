import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession as DirectSession, type Results, SardonyxError } from '../../src/index.js';
import { createPool } from '../../src/remote/pool/index.js';
import { InferenceSession } from '../../src/remote/worker/index.js';
import { randomly } from '../session/run-model.js';
import { byTier } from '../tier.js';
import { buildPackage, chainOfProducts, floats } from '../worker/session-worker.js';
import { inTime } from './in-time.js';
import { type NodeWorker, withStartedWorkers } from './started-workers.js';

const dead = suite('session workers that die');

const SEED = 4711;
const CREATES = byTier({ quick: 4, ci: 4, all: 25 });
const RUNS = byTier({ quick: 4, ci: 4, all: 25 });
const ROUNDS = byTier({ quick: 3, ci: 3, all: 10 });
const LONGEST_MS_TO_KILL = 120;

const model = chainOfProducts(60, 192);
const feeds = { x: floats([16, 192], 2) };
const random = randomly(SEED);
const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
let expected: Results;

dead.before(async () => {
  buildPackage();
  process.on('unhandledRejection', note);
  const session = await DirectSession.create(model, { intraOpNumThreads: 1 });
  expected = await session.run(feeds);
  await session.release();
});

dead.after(() => {
  process.off('unhandledRejection', note);
});

const plain = (results: Results) => ({ ...(results.y as { dims: readonly number[]; data: unknown }) });

/** Whether a promise failed, which it may do only because the worker died; what it gave otherwise. */
async function outcome<T>(
  what: string,
  promise: Promise<T>,
): Promise<{ readonly value?: T; readonly failed: boolean }> {
  try {
    return { value: await inTime(what, promise), failed: false };
  } catch (error) {
    assert.instance(error, SardonyxError, String((error as Error)?.stack));
    assert.is((error as SardonyxError).code, 'WORKER_FAILED', String((error as Error).stack));
    return { failed: true };
  }
}

/** A run that did not fail is right; whether it failed. */
async function runFailed(run: Promise<Results>): Promise<boolean> {
  const { value, failed } = await outcome('the run', run);
  if (!failed) assert.equal(plain(value as Results), plain(expected));
  return failed;
}

/** Kills a worker after some milliseconds. */
async function killLater(worker: NodeWorker | undefined, milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  await worker?.terminate();
}

dead('killed while it is created, at any moment: create fails with a code, or the first run does', async () => {
  let failed = 0;
  for (let i = 0; i < CREATES; i++)
    await withStartedWorkers(async (workers) => {
      const creating = outcome('create', InferenceSession.create(model));
      while (workers.length === 0) await new Promise(setImmediate);
      await killLater(workers[0], random() * LONGEST_MS_TO_KILL);
      const { value: session, failed: hasFailed } = await creating;
      if (hasFailed) failed++;
      else assert.ok(await runFailed((session as InferenceSession).run(feeds)));
      if (session) await inTime('release', session.release());
    });
  console.log(`${CREATES} workers killed, ${failed} of them before create had settled (seed ${SEED})`);
  assert.ok(failed > 0);
});

dead('killed while it runs, at any moment: whatever waits fails with a code', async () => {
  let [failed, killed] = [0, 0];
  for (let i = 0; i < RUNS; i++)
    await withStartedWorkers(async (workers) => {
      const session = await InferenceSession.create(model);
      const { signal } = new AbortController();
      const runs = [session.run(feeds), session.run(feeds, { signal }), session.run(feeds, { y: null })];
      const others = [session.profile, session.threads, session.memoryPlan, session.warmUp({ rows: 2 })];
      const all = [
        ...runs.map(runFailed),
        ...others.map((other) => outcome<unknown>('the call', other).then((each) => each.failed)),
      ];
      await killLater(workers[0], random() * LONGEST_MS_TO_KILL);
      killed++;
      failed += (await Promise.all(all)).filter(Boolean).length;
      assert.ok(await runFailed(session.run(feeds)));
      await inTime('release', session.release());
    });
  console.log(`${killed} workers killed, over which ${failed} calls failed (seed ${SEED})`);
  assert.ok(failed > 0);
});

dead('killed in a pool, at any moment: others go on, and a new one comes', async () => {
  let [failed, killed] = [0, 0];
  await withStartedWorkers(async (workers) => {
    const pool = await createPool(model, { size: 2 });
    for (let round = 0; round < ROUNDS; round++) {
      const runs = Array.from({ length: 6 }, () => runFailed(pool.run(feeds)));
      const alive = workers.filter(({ threadId }) => threadId !== -1);
      await killLater(alive[Math.floor(random() * alive.length)], random() * LONGEST_MS_TO_KILL);
      killed++;
      failed += (await Promise.all(runs)).filter(Boolean).length;
      while (pool.size < 2) await runFailed(pool.run(feeds));
    }
    assert.is(await runFailed(pool.run(feeds)), false);
    await inTime('release', pool.release());
  });
  console.log(`${killed} workers of a pool killed, over which ${failed} calls failed (seed ${SEED})`);
  assert.ok(killed === ROUNDS);
});

dead('all of a pool killed again and again while it runs: calls end, and it works again', async () => {
  let killed = 0;
  await withStartedWorkers(async (workers) => {
    const pool = await createPool(model, { size: 2 });
    const runs = Array.from({ length: 8 }, () => runFailed(pool.run(feeds)));
    for (let round = 0; round < ROUNDS; round++) {
      await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_MS_TO_KILL));
      const alive = workers.filter(({ threadId }) => threadId !== -1);
      killed += alive.length;
      await Promise.all(alive.map((worker) => worker.terminate()));
    }
    await Promise.all(runs);
    while (pool.size < 2) await runFailed(pool.run(feeds));
    assert.is(await runFailed(pool.run(feeds)), false);
    await inTime('release', pool.release());
  });
  assert.ok(killed >= 2);
});

dead('killed while a pool has nothing to do: the next call does not fail', async () => {
  await withStartedWorkers(async (workers) => {
    const pool = await createPool(model, { size: 2 });
    for (let round = 0; round < 2; round++) {
      assert.is(await runFailed(pool.run(feeds)), false);
      const alive = workers.filter(({ threadId }) => threadId !== -1);
      await Promise.all(alive.map((worker) => worker.terminate()));
      assert.is(pool.size, 0);
    }
    assert.is(await runFailed(pool.run(feeds)), false);
    await inTime('release', pool.release());
  });
});

dead('a program whose workers were killed in the middle of their work ends by itself', () => {
  const program = fileURLToPath(new URL('program-with-dead-workers.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', program], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  assert.is(stdout, 'WORKER_FAILED WORKER_FAILED\n', stderr);
  assert.is(status, 0, stderr);
});

dead('no rejection was left unhandled', () => assert.equal(unhandled, []));

dead.run();
