import { execFileSync } from 'node:child_process';
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import type { KeptFile } from '../../src/cache/index.js';
import { InferenceSession as DirectSession, env, type Feeds, type LoadProgress, type Tensor } from '../../src/index.js';
import { InferenceSession } from '../../src/remote/worker/index.js';
import { expectRejection } from '../expect-error.js';
import { withStartedWorkers } from '../faults/started-workers.js';
import { expected as expectedProduct, feeds as productFeeds, withExternalWeights } from '../loading/models.js';
import { buildPackage, chainOfProducts, floats } from './session-worker.js';

const worker = suite('session worker');

worker.before(buildPackage);
worker.after.each(() => {
  env.wasm.sessionWorkerUrl = undefined;
  delete process.env.DIES_OF;
});

/** Dies when asked for `method`. */
function makeMortal(method: string): void {
  env.wasm.sessionWorkerUrl = new URL('mortal-worker.mjs', import.meta.url);
  process.env.DIES_OF = method;
}

/** A tensor, strings, a sequence and an absent optional go in and come out. */
function everyKind(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  const x = b.input('x', 'float32', ['n', 4]);
  b.output('sum', b.op('ReduceSum', [x]));
  b.output('pieces', b.op('SplitToSequence', [x], { axis: 0 }));
  b.output('words', b.op('Identity', [b.input('text', 'string', ['k'])]));
  b.output('constant', b.constant('c', { type: 'int64', dims: [2], data: BigInt64Array.of(7n, -8n) }));
  return b.toBytes();
}

worker('gives what the session itself gives, bit by bit, run after run', async () => {
  const models: [Uint8Array, Feeds][] = [
    [chainOfProducts(4, 96), { x: floats([5, 96]) }],
    [everyKind(), { x: floats([3, 4]), text: { type: 'string', dims: [2], data: ['ä', 'b'] } }],
  ];
  for (const [bytes, feeds] of models) {
    const direct = await DirectSession.create(bytes);
    const session = await InferenceSession.create(bytes);
    assert.equal(session.inputNames, direct.inputNames);
    assert.equal(session.outputMetadata, direct.outputMetadata);
    assert.equal(session.rewrites, direct.rewrites);
    const expected = await direct.run(feeds);
    for (let run = 0; run < 3; run++) assert.equal(await session.run(feeds), expected);
    await session.release();
    await direct.release();
  }
});

worker(
  'takes bytes, shared bytes, a Blob, a path and a URL; the bytes stay usable unless they are handed over',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
    const path = join(folder, 'model.onnx');
    const bytes = chainOfProducts(1, 8);
    writeFileSync(path, bytes);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const whole = bytes.slice();
    for (const source of [
      bytes,
      shared,
      new Blob([bytes as BlobPart]),
      await openAsBlob(path),
      path,
      new URL(`file://${path}`),
      whole.buffer,
    ]) {
      const session = await InferenceSession.create(source as Uint8Array, { transfer: source === whole.buffer });
      assert.equal(((await session.run({ x: floats([2, 8]) })).y as Tensor).dims, [2, 8]);
      await session.release();
    }
    assert.is.not(bytes.length, 0);
    assert.is(whole.length, 0);
    rmSync(folder, { recursive: true });
  },
);

worker('feeds are detached only on request, and only where they have a buffer to themselves', async () => {
  const session = await InferenceSession.create(chainOfProducts(1, 8));
  const x = floats([4, 8]);
  const { y } = await session.run({ x });
  assert.is(x.data.length, 32);
  const part = { ...x, dims: [2, 8], data: x.data.subarray(0, 16) };
  const half = await session.run({ x: part }, { transfer: true });
  assert.equal((half.y as Tensor).data, (y as Tensor).data.slice(0, 16));
  assert.is(x.data.length, 32);
  assert.equal(await session.run({ x }, undefined, { transfer: true }), { y });
  assert.is(x.data.length, 0);
  await session.release();
});

worker('feeds whose buffers are gone are refused, and the worker goes on', async () => {
  const session = await InferenceSession.create(chainOfProducts(1, 8));
  const x = floats([4, 8]);
  await session.run({ x }, { transfer: true });
  for (const transfer of [true, false])
    await expectRejection('INVALID_SHAPE', /"x".*the data has 0/, session.run({ x }, { transfer }));
  await session.run({ x: floats([4, 8]) });
  await session.release();
});

worker('part of a buffer', async () => {
  const bytes = chainOfProducts(1, 8);
  const buffer = new ArrayBuffer(bytes.length + 9);
  new Uint8Array(buffer, 7).set(bytes);
  const session = await InferenceSession.create(buffer, 7, bytes.length, { maxRewrites: 0 });
  assert.equal(session.outputNames, ['y']);
  await session.release();
  await expectRejection('INVALID_ARGUMENT', /are outside a buffer/, InferenceSession.create(buffer, 70, bytes.length));
  for (const response of [new Response(), Response.error()])
    await expectRejection('INVALID_ARGUMENT', /was already read/, InferenceSession.create(response));
});

/** A loop of 2 ** 62 trips. */
function endless(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  const body = b.subgraph('body', (inner) => {
    inner.input('i', 'int64', []);
    inner.output('goesOn', inner.op('Identity', [inner.input('going', 'bool', [])]));
    const carried = inner.input('carried', 'float32', ['rows', 8]);
    inner.output('next', inner.op('Neg', [carried]));
  });
  const trips = b.constant('trips', { type: 'int64', dims: [], data: BigInt64Array.of(2n ** 62n) });
  b.output('y', b.op('Loop', [trips, null, b.input('x', 'float32', ['rows', 8])], { body }));
  return b.toBytes();
}

worker('a run without end leaves the calling thread free, and an abort of one behind it is heard', async () => {
  await withStartedWorkers(async (started) => {
    const session = await InferenceSession.create(endless());
    const feeds = { x: floats([4, 8]) };
    const run = session.run(feeds);
    const controller = new AbortController();
    const waiting = session.run(feeds, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expectRejection('ABORTED', /aborted/, waiting);
    const direct = await DirectSession.create(chainOfProducts(1, 8));
    assert.equal(((await direct.run(feeds)).y as Tensor).dims, [4, 8]);
    await direct.release();
    await started[0]?.terminate();
    await expectRejection('WORKER_FAILED', /failed/, run);
    await session.release();
  });
});

worker('progress is heard before create settles and not after', async () => {
  const bytes = chainOfProducts(1, 64);
  const seen: number[] = [];
  let settled = false;
  const onProgress = ({ loaded }: LoadProgress) => {
    assert.not(settled);
    seen.push(loaded);
  };
  const session = await InferenceSession.create(new Blob([bytes as BlobPart]), { onProgress });
  settled = true;
  assert.is(seen.at(-1), bytes.length);
  await session.release();
});

worker('the external files of a kept model are found', async () => {
  const { model, weights } = withExternalWeights();
  const file = (data: Uint8Array): KeptFile => ({
    url: 'https://example.org/model.onnx',
    open: async () => new Response(data.slice()),
    beside: async (path) => (path === 'weights.bin' ? file(weights) : undefined),
  });
  const session = await InferenceSession.create(file(model));
  assert.equal(((await session.run(productFeeds)).y as Tensor).data, expectedProduct);
  await session.release();
});

worker('profiling, memory plan and threads', async () => {
  const session = await InferenceSession.create(chainOfProducts(2, 64), {
    intraOpNumThreads: 2,
    enableProfiling: true,
  });
  await session.warmUp({ rows: 3 });
  const plan = await session.memoryPlan;
  assert.ok((plan?.peak ?? 0) > 0);
  assert.equal(await session.profile, []);
  for (let run = 0; run < 3; run++) await session.run({ x: floats([3, 64]) });
  assert.equal(await session.memoryPlan, plan, 'runs have allocated nothing');
  assert.is(await session.threads, 2);
  session.startProfiling();
  await session.run({ x: floats([3, 64]) });
  await session.endProfiling();
  assert.ok((await session.profile).length > 0);
  await session.release();
});

worker('settings and session options go along', async () => {
  const { variant } = env.wasm;
  env.wasm.variant = 'simd';
  env.wasm.source = new Uint8Array(8);
  await expectRejection('INVALID_ARGUMENT', /kernels cannot be loaded/, InferenceSession.create(chainOfProducts(1, 8)));
  const response = new Response('kernels');
  await response.text();
  env.wasm.source = response;
  await expectRejection('INVALID_ARGUMENT', /was already read/, InferenceSession.create(chainOfProducts(1, 8)));
  env.wasm.source = undefined;
  const session = await InferenceSession.create(chainOfProducts(1, 8), { maxRewrites: 0 });
  assert.is(session.rewrites.limit, 0);
  await session.release();
  env.wasm.variant = variant;
});

worker('functions go along: what finds the kernels, and options', async () => {
  const files: string[] = [];
  env.wasm.source = async (file) => {
    files.push(file);
    return new URL(`../../build/${file}`, import.meta.url);
  };
  const session = await InferenceSession.create(chainOfProducts(1, 8), { onProgress() {} } as object);
  assert.equal((await session.run({ x: floats([2, 8]) })).y, (await session.run({ x: floats([2, 8]) })).y);
  assert.is(files.length, 1);
  await session.release();
  env.wasm.source = () => {
    throw new Error('nowhere');
  };
  await expectRejection('INVALID_ARGUMENT', /nowhere/, InferenceSession.create(chainOfProducts(1, 8)));
  env.wasm.source = new Response(await readFile(new URL('../../build/sardonyx.simd.wasm', import.meta.url)));
  for (let i = 0; i < 2; i++) await (await InferenceSession.create(chainOfProducts(1, 8))).release();
  env.wasm.source = undefined;
});

worker('release waits for the runs that are going on, and refuses others', async () => {
  const session = await InferenceSession.create(chainOfProducts(50, 256));
  const x = floats([64, 256]);
  const runs = [session.run({ x }), session.run({ x }, { signal: new AbortController().signal }), session.run({ x })];
  const released = session.release();
  await expectRejection('RELEASED', /released/, session.run({ x }));
  await released;
  for (const run of runs) assert.equal(((await run).y as Tensor).dims, [64, 256]);
  await session.release();
  await expectRejection('RELEASED', /released/, session.startProfiling());
});

worker('a worker that cannot start, or dies, fails all calls', async () => {
  env.wasm.sessionWorkerUrl = new URL('absent.js', import.meta.url);
  await expectRejection('WORKER_FAILED', /absent\.js/, InferenceSession.create(chainOfProducts(1, 8)));
  makeMortal('create');
  await expectRejection('WORKER_FAILED', /code 3/, InferenceSession.create(chainOfProducts(1, 8)));
  makeMortal('run');
  const session = await InferenceSession.create(chainOfProducts(1, 8));
  const runs = [1, 2].map(() => session.run({ x: floats([1, 8]) }));
  for (const run of runs) await expectRejection('WORKER_FAILED', /the session worker failed.*code 3/, run);
  await expectRejection('WORKER_FAILED', /code 3/, session.run({ x: floats([1, 8]) }));
  await session.release();
});

worker('keeps a process alive during a call and no longer', () => {
  const script = `
    import { InferenceSession } from ${JSON.stringify(new URL('../../dist/worker.js', import.meta.url).href)};
    const session = await InferenceSession.create(new Uint8Array(${JSON.stringify([...chainOfProducts(1, 4)])}));
    const { y } = await session.run({ x: { type: 'float32', dims: [1, 4], data: new Float32Array(4) } });
    console.log(y.dims.join());`;
  const args = ['--input-type', 'module', '--eval', script];
  assert.is(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 }).trim(), '1,4');
});

worker.run();
