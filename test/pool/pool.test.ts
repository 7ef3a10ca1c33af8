import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { cached } from '../../src/cache/index.js';
import {
  type DataSource,
  env,
  type Feeds,
  InferenceSession,
  type LoadProgress,
  type SardonyxError,
  type Tensor,
  type TensorValue,
} from '../../src/index.js';
import { createPool, type PoolOptions, type SessionPool } from '../../src/remote/pool/index.js';
import { expectRejection } from '../expect-error.js';
import { expected as expectedProduct, feeds as productFeeds, withExternalWeights } from '../loading/models.js';
import { inPieces, serve, whole } from '../loading/server.js';
import { buildPackage, chainOfProducts, floats } from '../worker/session-worker.js';
import { inEveryTurn, mebibytesOf, mostAlike } from '../worker/turns.js';

const pools = suite('session pool');

pools.before(buildPackage);
pools.after.each(() => {
  env.wasm.sessionWorkerUrl = undefined;
  delete process.env.DIES_OF;
});

/** Workers of the pool made now die when asked for `method`; their replacements do not. */
async function mortalPool(method: string, size: number, options: PoolOptions = {}): Promise<SessionPool> {
  env.wasm.sessionWorkerUrl = new URL('../worker/mortal-worker.mjs', import.meta.url);
  process.env.DIES_OF = method;
  const pool = await createPool(chainOfProducts(1, 8), { ...options, size });
  delete process.env.DIES_OF;
  return pool;
}

const short = chainOfProducts(2, 8);
const long = chainOfProducts(60, 512);
const inputs = (count: number): Feeds[] =>
  Array.from({ length: count }, (_, i) => ({ x: floats([1 + (i % 3), 8], i) }));

async function expectedOf(model: Uint8Array, all: readonly Feeds[]) {
  const session = await InferenceSession.create(model);
  const results = [];
  for (const feeds of all) results.push(await session.run(feeds));
  await session.release();
  return results;
}

pools('every call has its own result, the bits of a session', async () => {
  const pool = await createPool(short, { size: 2 });
  const all = inputs(20);
  assert.is(pool.size, 2);
  assert.equal(pool.inputNames, ['x']);
  assert.equal(await Promise.all(all.map((feeds) => pool.run(feeds))), await expectedOf(short, all));
  assert.equal(await pool.run(inputs(1)[0] as Feeds, ['y']), (await expectedOf(short, inputs(1)))[0]);
  await pool.release();
});

pools('runAll keeps the order and takes no more than it needs', async () => {
  const pool = await createPool(short, { size: 2 });
  const all = inputs(12);
  let taken = 0;
  async function* source() {
    for (const feeds of all) {
      taken++;
      yield feeds;
    }
  }
  const results = [];
  for await (const result of pool.runAll(source())) {
    results.push(result);
    assert.ok(taken <= results.length + 4, `${taken} taken for ${results.length} results`);
  }
  assert.equal(results, await expectedOf(short, all));
  for await (const _ of pool.runAll(all)) break;
  const wrong = [...inputs(2), { x: floats([1, 7]) }, ...inputs(2)];
  const heard = [];
  const listening = (async () => {
    for await (const result of pool.runAll(wrong)) heard.push(result);
  })();
  await expectRejection('INVALID_SHAPE', /"x"/, listening);
  assert.is(heard.length, 2);
  await pool.release();
});

pools('runBatch splits the first axis and joins the outputs in order', async () => {
  const pool = await createPool(short, { size: 2 });
  for (const rows of [0, 1, 5, 8]) {
    const feeds = { x: floats([rows, 8], rows + 1) };
    const [expected] = await expectedOf(short, [feeds]);
    assert.equal(await pool.runBatch(feeds), expected);
    assert.is(feeds.x.data.length, 8 * rows);
    if (rows > 3) assert.equal(await pool.runBatch(feeds, { parts: 3, fetches: ['y'] }), expected);
  }
  await expectRejection('INVALID_ARGUMENT', /2 rows.*3 parts/, pool.runBatch({ x: floats([2, 8]) }, { parts: 3 }));
  await expectRejection('INVALID_SHAPE', /expected dims/, pool.runBatch({ x: floats([4, 7]) }));
  await pool.release();
});

pools('runBatch: strings, inputs given whole, sizes that the model fixes, outputs without the batch', async () => {
  const b = modelBuilder({ opset: 20 });
  const [x, bias] = [b.input('x', 'float32', [2, 3]), b.input('bias', 'float32', [3])];
  b.output('y', b.op('Add', [x, bias]));
  b.output('words', b.op('Identity', [b.input('text', 'string', [2])]));
  b.output('sum', b.op('ReduceSum', [x], { keepdims: 0 }));
  const pool = await createPool(b.toBytes(), { size: 2 });
  const text = { type: 'string', dims: [6], data: ['a', 'b', 'c', 'd', 'e', 'f'] } as const;
  const feeds = { x: floats([6, 3]), bias: floats([3]), text };
  const options = { whole: ['bias'], fetches: ['y', 'words'] };
  const { y, words } = (await pool.runBatch(feeds, options)) as Record<string, Tensor>;
  assert.equal(words?.data, text.data);
  assert.equal(
    y?.data,
    feeds.x.data.map((value, i) => Math.fround(value + (feeds.bias.data[i % 3] as number))),
  );
  await expectRejection('INVALID_SHAPE', /"sum".*first axis/, pool.runBatch(feeds, { whole: ['bias'] }));
  await expectRejection('INVALID_SHAPE', /"bias": has 3 rows, but "x" has 6.*whole/, pool.runBatch(feeds));
  const odd = { ...feeds, x: floats([5, 3]), text: { ...text, dims: [5], data: text.data.slice(1) } };
  await expectRejection('INVALID_SHAPE', /a fixed batch size of 2: 5/, pool.runBatch(odd, options));
  await pool.release();
});

pools('runBatch refuses what would only look like a batch', async () => {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n', 1]);
  const max = b.op('ReduceMax', [x], { keepdims: 1 });
  b.output('small', b.op('Cast', [x], { to: 22 }));
  b.output('max', max, 'float32', [1, 1]);
  b.output('y', b.op('Add', [x, b.input('bias', 'float32', [1])]));
  const pool = await createPool(b.toBytes(), { size: 2 });
  const feeds = { x: floats([3, 1]), bias: floats([1]) };
  const run = (...fetches: string[]) => pool.runBatch(feeds, { whole: ['bias'], fetches });
  assert.equal(((await run('y')).y as Tensor).dims, [3, 1]);
  await expectRejection('INVALID_TYPE', /"small".*1 int4 elements do not begin at byte boundaries/, run('small'));
  await expectRejection('INVALID_SHAPE', /"max".*its shape is \[1,1\]/, run('max'));
  await expectRejection('INVALID_ARGUMENT', /feeds must be an object/, pool.runBatch(null as unknown as Feeds));
  await expectRejection('INVALID_ARGUMENT', /iterable/, pool.runAll(null as never).next());
  await pool.release();
});

/** Of rows of 1 MiB. */
function large(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  b.output('y', b.op('Abs', [b.input('x', 'float32', ['n', 2 ** 18])]));
  return b.toBytes();
}

const rowsOf = (count: number) => ({
  type: 'float32',
  dims: [count, 2 ** 18],
  data: new Float32Array(count * 2 ** 18),
});

pools('large batches and feeds are copied a piece in each turn, whichever worker they are for', async () => {
  const pool = await createPool(large(), { size: 4 });
  for (const rows of [15, 24]) {
    const x = rowsOf(rows) as TensorValue & { data: Float32Array };
    const marked = mebibytesOf(x.data);
    const { y } = await inEveryTurn(pool.runBatch({ x }), (now) => {
      for (const at of marked) x.data[at] = now;
    });
    const turns = marked.map((at) => (y as Tensor).data[at] as number);
    assert.equal((y as Tensor).dims, x.dims);
    assert.ok(turns.every((now) => now > 0) && mostAlike(turns) <= 4, `copied in turns ${turns}`);
  }
  await pool.release();
});

pools('a model given as bytes is copied a piece in each turn', async () => {
  const weights = new Uint8Array(24 * 2 ** 20).fill(0xee);
  const b = modelBuilder({ opset: 20 });
  b.output('y', b.op('Identity', [b.constant('w', { type: 'uint8', dims: [weights.length], data: weights })]));
  const model = b.toBytes();
  const begin = Buffer.from(model.buffer).indexOf(Buffer.alloc(1000, 0xee)) - model.byteOffset;
  const marked = Array.from({ length: 24 }, (_, i) => i * 2 ** 20);
  const pool = await inEveryTurn(createPool(model, { size: 1 }), (now) => {
    for (const at of marked) model[begin + at] = Math.min(now, 255);
  });
  const { y } = await pool.run({});
  const turns = marked.map((at) => (y as Tensor).data[at] as number);
  assert.ok(mostAlike(turns) <= 5 && Math.max(...turns) < 255, `copied in turns ${turns}`);
  await pool.release();
});

pools('calls with large feeds keep their order, and release waits for them', async () => {
  const pool = await createPool(large(), { size: 1 });
  const order: (number | string)[] = [];
  const runs = [8, 1, 6, 2].map((rows) => pool.run({ x: rowsOf(rows) as TensorValue }).then(() => order.push(rows)));
  const controller = new AbortController();
  const { signal } = controller;
  const batch = pool.runBatch({ x: rowsOf(8) as TensorValue }, { signal }).catch(({ code }) => order.push(code));
  const released = pool.release();
  await runs[0];
  controller.abort();
  await released;
  await Promise.all([...runs, batch]);
  assert.equal(order, [8, 'ABORTED', 1, 6, 2]);
});

pools('a signal drops what waits at once and stops what runs', async () => {
  const pool = await createPool(long, { size: 1 });
  const x = floats([64, 512]);
  const running = pool.run({ x });
  const controller = new AbortController();
  const waiting = pool.run({ x }, { signal: controller.signal });
  assert.is(pool.queued, 1);
  controller.abort('enough');
  const error = (await waiting.catch((reason) => reason)) as SardonyxError;
  assert.equal([error.code, error.name, error.cause, pool.queued], ['ABORTED', 'AbortError', 'enough', 0]);
  await running;
  const second = new AbortController();
  setTimeout(() => second.abort(), 20);
  await expectRejection('ABORTED', /aborted/, pool.run({ x }, { signal: second.signal }));
  await expectRejection('ABORTED', /aborted/, pool.runBatch({ x }, { signal: second.signal }));
  await pool.run({ x });
  await pool.release();
});

pools('a worker that dies is replaced, and its call done again', async () => {
  const pool = await mortalPool('run', 2);
  const all = inputs(6);
  assert.equal(await Promise.all(all.map((feeds) => pool.run(feeds))), await expectedOf(chainOfProducts(1, 8), all));
  await pool.release();
});

pools('a call is not done again where its feeds are gone, nor for ever', async () => {
  const pool = await mortalPool('run', 1);
  await expectRejection('WORKER_FAILED', /code 3/, pool.run({ x: floats([1, 8]) }, { transfer: true }));
  process.env.DIES_OF = 'run';
  await pool.release();
  const doomed = await createPool(short, { size: 1 });
  await expectRejection('WORKER_FAILED', /code 3/, doomed.run({ x: floats([1, 8]) }));
  process.env.DIES_OF = 'create';
  await expectRejection('WORKER_FAILED', /code 3/, doomed.run({ x: floats([1, 8]) }));
  await expectRejection('WORKER_FAILED', /code 3/, doomed.run({ x: floats([1, 8]) }));
  await doomed.release();
});

pools('a model and its external files come once, from anywhere, with progress', async () => {
  const { model, weights } = withExternalWeights();
  const server = await serve({ '/model.onnx': whole(model), '/weights.bin': inPieces(weights, 30011) });
  const [address, data] = [`${server.url}/model.onnx`, new Response(weights).body as ReadableStream<Uint8Array>];
  const sources: [DataSource, PoolOptions][] = [
    [address, {}],
    [await fetch(address), {}],
    [model, { externalData: [{ path: './weights.bin', data }] }],
    [
      new Response(model.slice(), { headers: { 'content-length': '100' } }),
      { externalData: [{ path: 'weights.bin', data: weights }] },
    ],
    [await cached(address, { folder: mkdtempSync(join(tmpdir(), 'sardonyx-')) }), {}],
  ];
  server.requests.length = 0;
  for (const [source, options] of sources) {
    const seen: LoadProgress[] = [];
    const pool = await createPool(source, { ...options, size: 2, onProgress: (now) => seen.push(now) });
    const results = await Promise.all([0, 1].map(() => pool.run(productFeeds)));
    for (const { y } of results) assert.equal((y as Tensor).data, expectedProduct);
    const total = model.length + weights.length;
    assert.equal(seen.at(-1)?.all, { loaded: total, total });
    await pool.release();
  }
  assert.equal(server.requests.map(({ path }) => path).sort(), [
    '/model.onnx',
    '/weights.bin',
    '/weights.bin',
    '/weights.bin',
  ]);
  await server.close();
});

pools('loading is stopped by a signal, which concerns nothing later', async () => {
  const server = await serve({
    '/slow.onnx': (_, response) => void response.writeHead(200, { 'content-length': 1e6 }).write(short.subarray(0, 40)),
    '/page.onnx': whole(Buffer.from('<!doctype html><title>x'), { 'content-type': 'text/html' }),
  });
  const stop = new AbortController();
  const onProgress = ({ loaded }: LoadProgress) => void (loaded > 0 && stop.abort('enough'));
  const slow = createPool(`${server.url}/slow.onnx`, { size: 2, signal: stop.signal, onProgress });
  const error = (await slow.catch((reason) => reason)) as SardonyxError;
  assert.equal([error.code, error.name, error.cause], ['ABORTED', 'AbortError', 'enough']);
  await expectRejection('INVALID_MODEL', /page.onnx is not an ONNX.*"<!doctype/, createPool(`${server.url}/page.onnx`));
  await expectRejection('DOWNLOAD', /404/, createPool(`${server.url}/none.onnx`));
  await server.close();
  const controller = new AbortController();
  const pool = await mortalPool('run', 1, { signal: controller.signal });
  controller.abort();
  assert.equal(
    await pool.run({ x: floats([1, 8]) }),
    (await expectedOf(chainOfProducts(1, 8), [{ x: floats([1, 8]) }]))[0],
  );
  await pool.release();
});

pools('what cannot be a pool is refused', async () => {
  for (const size of [0, -1, 1.5, Number.NaN, 1000])
    await expectRejection('INVALID_ARGUMENT', /size must be/, createPool(short, { size }));
});

pools.run();
