import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession, type SardonyxError } from '../../src/index.js';
import { numberOf, numbers } from './run-model.js';

const concurrency = suite('concurrent runs');

/** Many steps, of some milliseconds in all: products of square matrices, one after the other. */
function chainOfProducts(steps: number, size: number): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  let x = b.input('x', 'float32', [size, size]);
  const half = b.constant('half', numberOf(0.5));
  for (let i = 0; i < steps; i++) x = b.op('Mul', [b.op('MatMul', [x, x]), half]);
  b.output('y', x);
  return b.toBytes();
}

const one = numbers([1, 1], 0);
const feeds = (size: number) => ({ x: { ...one, dims: [size, size], data: new Float32Array(size * size).fill(0.01) } });

async function errorOf(run: Promise<unknown>): Promise<SardonyxError> {
  return run.then(
    () => assert.unreachable('the run should have been aborted') as never,
    (error) => error,
  );
}

concurrency('a signal stops a run between its steps, and the next run works', async () => {
  const session = await InferenceSession.create(chainOfProducts(400, 192));
  const expected = await session.run(feeds(192));
  const controller = new AbortController();
  const started = performance.now();
  let abortedAt = 0;
  setTimeout(() => {
    abortedAt = performance.now();
    controller.abort('changed my mind');
  }, 10);
  const error = await errorOf(session.run(feeds(192), { signal: controller.signal }));
  const [whole, late] = [performance.now() - started, performance.now() - abortedAt];
  assert.is(error.code, 'ABORTED');
  assert.is(error.name, 'AbortError');
  assert.is(error.cause, 'changed my mind');
  assert.ok(abortedAt > 0, `the abort came before the run ended (${whole} ms)`);
  assert.ok(late < 250, `stopped ${late} ms after the abort`);
  assert.equal(await session.run(feeds(192)), expected);
  await session.release();
});

concurrency('a run whose signal says nothing gives what a plain run gives', async () => {
  const session = await InferenceSession.create(chainOfProducts(100, 128));
  const { signal } = new AbortController();
  assert.equal(await session.run(feeds(128), { signal }), await session.run(feeds(128)));
  assert.equal(await session.run(feeds(128), ['y'], { signal }), await session.run(feeds(128)));
  await session.release();
});

concurrency('a signal that has fired already lets nothing run', async () => {
  const session = await InferenceSession.create(chainOfProducts(1, 8));
  const error = await errorOf(session.run(feeds(8), { signal: AbortSignal.abort() }));
  assert.is(error.code, 'ABORTED');
  await session.release();
});

concurrency('runs of one session end in the order of their calls, also behind one that pauses', async () => {
  const session = await InferenceSession.create(chainOfProducts(200, 128));
  const { signal } = new AbortController();
  const order: number[] = [];
  const note = (i: number) => () => order.push(i);
  const slow = session.run(feeds(128), { signal }).then(note(0));
  const others = [1, 2, 3].map((i) => session.run(feeds(128), i === 2 ? { signal } : {}).then(note(i)));
  await Promise.all([slow, ...others]);
  assert.equal(order, [0, 1, 2, 3]);
  await session.release();
});

concurrency('a run that waits is aborted without running', async () => {
  const session = await InferenceSession.create(chainOfProducts(200, 128));
  const slow = session.run(feeds(128), { signal: new AbortController().signal });
  const controller = new AbortController();
  const waiting = errorOf(session.run(feeds(128), { signal: controller.signal }));
  controller.abort();
  assert.is((await waiting).code, 'ABORTED');
  await slow;
  await session.release();
});

concurrency('release waits for the run that is going on, and refuses others', async () => {
  const session = await InferenceSession.create(chainOfProducts(200, 128));
  const events: string[] = [];
  const run = session.run(feeds(128), { signal: new AbortController().signal }).then(() => events.push('run'));
  const release = session.release().then(() => events.push('release'));
  const refused = await errorOf(session.run(feeds(128)));
  assert.is(refused.code, 'RELEASED');
  await Promise.all([run, release]);
  assert.equal(events, ['run', 'release']);
});

concurrency('independent sessions run side by side', async () => {
  const sessions = await Promise.all([0, 1].map(() => InferenceSession.create(chainOfProducts(300, 128))));
  const { signal } = new AbortController();
  let running = 0;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, running);
  });
  const runs = sessions.map(async (session) => {
    running++;
    await session.run(feeds(128), { signal });
    running--;
  });
  await Promise.all(runs);
  clearInterval(watch);
  assert.is(most, 2);
  for (const session of sessions) await session.release();
});

concurrency.run();
