import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession } from '../../src/session/inference-session.js';
import { f32 } from '../values.js';

/** A model with kernels of its own, beside others that are shared out among threads. */
function quantizing(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n', 512]);
  const [q] = b.node('QuantizeLinear', [x, b.constant('scale', f32([], [0.1]))], {}, { outputs: 1 });
  const [y] = b.node('DequantizeLinear', [q ?? null, b.constant('scale1', f32([], [0.1]))], {}, { outputs: 1 });
  b.output('y', b.op('Softmax', [y ?? null]));
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
    for (let run = 0; run < 3; run++) results.push(Array.from((await session.run({ x })).y?.data as Float32Array));
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

test.run();
