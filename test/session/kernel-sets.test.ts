import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession } from '../../src/session/inference-session.js';
import { f32 } from '../values.js';

/** A model with kernels of its own, that are shared out among threads. */
function quantizing(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n', 512]);
  const [q, , zero] = b.node('DynamicQuantizeLinear', [x], {}, { outputs: 3 });
  const data = Int8Array.from({ length: 512 * 64 }, (_, i) => (i * 31) % 127);
  const w = b.constant('w', { type: 'int8', dims: [512, 64], data });
  b.output('y', b.op('MatMulInteger', [q ?? null, w, zero ?? null]));
  return b.toBytes();
}

const test = suite('sets of kernels');

test('threads that have joined get them too', async () => {
  const bytes = quantizing();
  const x = f32(
    [256, 512],
    Float32Array.from({ length: 256 * 512 }, (_, i) => Math.sin(i) * 3 + 3),
  );
  const results = [];
  for (const intraOpNumThreads of [1, 3]) {
    const session = await InferenceSession.create(bytes, { intraOpNumThreads });
    for (let run = 0; run < 3; run++) results.push(Array.from((await session.run({ x })).y?.data as Int32Array));
    assert.is(session.threads, intraOpNumThreads);
    await session.release();
  }
  for (const result of results) assert.equal(result, results[0]);
});

test('threads get them, however often memory is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collecting = setInterval(runInNewContext('gc'), 1);
  const session = await InferenceSession.create(quantizing(), { intraOpNumThreads: 3 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  clearInterval(collecting);
  // The second run waits for threads that are on their way.
  for (let run = 0; run < 2; run++) await session.run({ x: f32([1, 512], new Float32Array(512)) });
  assert.is(session.threads, 3);
  await session.release();
});

test('threads that have joined while nothing was heard of them get them after that', async () => {
  // The event loop is held up until they have, and then hears its timers first.
  const real = globalThis.setTimeout;
  const late = ((heard: () => void, ms: number) => {
    if (ms < 2000) return real(heard, ms);
    queueMicrotask(() => {
      for (const until = performance.now() + 150; performance.now() < until; );
      heard();
    });
    return real(() => {}, 0);
  }) as typeof setTimeout;
  for (let trial = 0; trial < 4; trial++) {
    globalThis.setTimeout = late;
    const creating = InferenceSession.create(quantizing(), { intraOpNumThreads: 4 });
    const session = await creating.finally(() => {
      globalThis.setTimeout = real;
    });
    for (let run = 0; run < 2; run++) await session.run({ x: f32([256, 512], new Float32Array(256 * 512)) });
    await session.release();
  }
});

test.run();
