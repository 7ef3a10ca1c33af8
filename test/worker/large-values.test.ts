import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession as DirectSession, env, type Feeds, Tensor, type TensorValue } from '../../src/index.js';
import { InferenceSession } from '../../src/remote/worker/index.js';
import { expectRejection } from '../expect-error.js';
import { buildPackage } from './session-worker.js';
import { inEveryTurn, mebibytesOf, mostAlike } from './turns.js';

const large = suite('large feeds and results of a session worker');
const PIECE_MEBIBYTES = 4;
const MEBIBYTE_OF_FLOATS = 2 ** 18;

/** Of all tests: each finds it as good as new. */
let session: InferenceSession;
large.before(async () => {
  buildPackage();
  session = await InferenceSession.create(negation());
});
large.after(() => session.release());
large.after.each(() => {
  env.wasm.sessionWorkerUrl = undefined;
  delete process.env.DIES_OF;
});

function negation(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  b.output('y', b.op('Neg', [b.input('x', 'float32', ['n'])]));
  return b.toBytes();
}

const tensor = (data: Float32Array): TensorValue => ({ type: 'float32', dims: [data.length], data });
const mebibytes = (count: number) => new Float32Array(count * MEBIBYTE_OF_FLOATS).fill(1);
const floatsOf = (value: unknown) => (value as Tensor).data as Float32Array;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A run of which nothing has been copied yet: it sees that the last element becomes 7. */
function beginLarge(of = session) {
  const data = mebibytes(16);
  const run = of.run({ x: tensor(data) });
  data[data.length - 1] = 7;
  return run.then(({ y }) => floatsOf(y).at(-1));
}

large('feeds are copied a piece in each turn', async () => {
  const data = mebibytes(16);
  const marked = mebibytesOf(data);
  const { y } = await inEveryTurn(session.run({ x: tensor(data) }), (now) => {
    for (const at of marked) data[at] = now;
  });
  const turns = marked.map((at) => Math.abs(floatsOf(y)[at] as number));
  assert.equal(
    turns,
    [...turns].sort((a, b) => a - b),
  );
  assert.ok(mostAlike(turns) <= PIECE_MEBIBYTES, `copied in turns ${turns}`);
});

large('runs of other sessions take turns of their own', async () => {
  const second = await InferenceSession.create(negation());
  const arrays = [mebibytes(12), mebibytes(12)];
  const marked = mebibytesOf(arrays[0] as Float32Array);
  const runs = Promise.all(arrays.map((data, i) => (i ? second : session).run({ x: tensor(data) })));
  const results = await inEveryTurn(runs, (now) => {
    for (const data of arrays) for (const at of marked) data[at] = now;
  });
  const turns = results.flatMap(({ y }) => marked.map((at) => floatsOf(y)[at] as number));
  assert.ok(mostAlike(turns) <= PIECE_MEBIBYTES, `copied in turns ${turns}`);
  await second.release();
});

large('feeds of up to one piece are copied, or handed over, before run returns', async () => {
  const data = mebibytes(PIECE_MEBIBYTES);
  const run = session.run({ x: tensor(data) });
  data.fill(7);
  assert.is(floatsOf((await run).y).at(-1), -1);
  const handedOver = session.run({ x: tensor(data) }, { transfer: true });
  assert.is(data.length, 0);
  assert.is(floatsOf((await handedOver).y).at(-1), -7);
});

large('a small run does not overtake a large one, and is of what its feeds were', async () => {
  const order: string[] = [];
  const first = beginLarge().finally(() => order.push('large'));
  const data = Float32Array.of(1, 2, 3);
  const second = session.run({ x: tensor(data) }).finally(() => order.push('small'));
  const handed = Float32Array.of(4);
  const third = session.run({ x: tensor(handed) }, { transfer: true }).finally(() => order.push('handed over'));
  data.fill(0);
  assert.is(handed.length, 0);
  const fourth = beginLarge().finally(() => order.push('large again'));
  assert.is(await first, -7);
  assert.equal(floatsOf((await second).y), Float32Array.of(-1, -2, -3));
  assert.equal(floatsOf((await third).y), Float32Array.of(-4));
  assert.is(await fourth, -7);
  assert.equal(order, ['large', 'small', 'handed over', 'large again']);
});

large('other calls keep their place, too', async () => {
  const run = beginLarge();
  const profiling = session.startProfiling();
  assert.is(await run, -7);
  await profiling;
  assert.equal(await session.profile, []);
  const profiled = beginLarge();
  await session.endProfiling();
  assert.is(await profiled, -7);
  assert.ok((await session.profile).length > 0);
});

large('an abort stops the copying, and what has not been sent stays', async () => {
  const b = modelBuilder({ opset: 20 });
  b.output('sum', b.op('Add', [b.input('x', 'float32', ['n']), b.input('whole', 'float32', [1])]));
  const adder = await InferenceSession.create(b.toBytes());
  const whole = Float32Array.of(1);
  const feeds = { x: tensor(mebibytes(24).subarray(1)), whole: tensor(whole) };
  for (const turns of [0, 1, 3]) {
    const controller = new AbortController();
    const run = adder.run(feeds, { transfer: true, signal: controller.signal });
    const behind = adder.run({ ...feeds, x: tensor(Float32Array.of(1)) }, { signal: controller.signal });
    for (let i = 0; i < turns; i++) await turn();
    controller.abort('enough');
    for (const each of [run, behind]) {
      const error = await each.catch((reason) => reason);
      assert.equal([error.code, error.name, error.cause], ['ABORTED', 'AbortError', 'enough']);
    }
    await adder.idle;
    assert.is(whole.length, 1);
  }
  assert.is(floatsOf((await adder.run(feeds)).sum).at(-1), 2);
  await adder.release();
});

large('an abort of an earlier run does not wait for a later one to be copied', async () => {
  const controller = new AbortController();
  const aborted = session.run({ x: tensor(mebibytes(4)) }, { signal: controller.signal });
  const run = beginLarge();
  controller.abort();
  await expectRejection('ABORTED', /aborted/, aborted);
  assert.is(await run, -7);
});

large('release waits for what is being copied, and refuses others', async () => {
  const own = await InferenceSession.create(negation());
  const run = beginLarge(own);
  const target = new Tensor('float32', mebibytes(12));
  const written = own.run({ x: tensor(mebibytes(12)) }, { y: target });
  const released = own.release();
  await expectRejection('RELEASED', /released/, own.run({ x: tensor(mebibytes(8)) }));
  await released;
  assert.is(floatsOf(target).at(-1), -1);
  assert.is(await run, -7);
  assert.is((await written).y, target);
});

large('errors are what they are for small feeds, and later runs go on', async () => {
  const x = tensor(mebibytes(8));
  const wrong = { ...x, dims: [3] };
  const target = new Tensor('float32', [0]);
  const refused = [
    expectRejection('UNKNOWN_FEED', /"z"/, session.run({ x, z: x })),
    expectRejection('MISSING_FEED', /"x"/, session.run({})),
    expectRejection('INVALID_TYPE', /value "x": cannot be sent/, session.run({ x: (() => 0) as unknown as Tensor })),
    expectRejection('INVALID_SHAPE', /"x"/, session.run({ x: wrong })),
    expectRejection(
      'INVALID_SHAPE',
      /"y".*does not fit into the given float32\[1\]/,
      session.run({ x }, { y: target }),
    ),
  ];
  const last = beginLarge();
  await Promise.all(refused);
  assert.is(await last, -7);
});

large('a buffer that goes away while it is copied fails its run only', async () => {
  const data = mebibytes(24);
  const run = session.run({ x: tensor(data) });
  const next = beginLarge();
  for (let i = 0; i < 3; i++) await turn();
  structuredClone(data, { transfer: [data.buffer] });
  await expectRejection('INVALID_ARGUMENT', /was transferred or shrunk/, run);
  assert.is(await next, -7);
});

large('a worker that dies meanwhile fails the run', async () => {
  env.wasm.sessionWorkerUrl = new URL('mortal-worker.mjs', import.meta.url);
  process.env.DIES_OF = 'threads';
  const mortal = await InferenceSession.create(negation());
  const threads = mortal.threads;
  const run = mortal.run({ x: tensor(mebibytes(24)) });
  await expectRejection('WORKER_FAILED', /code 3/, threads);
  await expectRejection('WORKER_FAILED', /code 3/, run);
  await mortal.release();
});

large('results are written into given tensors a piece in each turn, in order', async () => {
  const target = new Tensor('float32', new Float32Array(mebibytes(16).length));
  const marked = mebibytesOf(floatsOf(target));
  const writtenIn = marked.map(() => 0);
  const x = tensor(mebibytes(16));
  const order: string[] = [];
  const runs = Promise.all([
    session.run({ x }, { y: target }).finally(() => order.push('large')),
    session.run({ x: tensor(Float32Array.of(1)) }).finally(() => order.push('small')),
  ]);
  const [{ y }] = await inEveryTurn(runs, (now) => {
    for (const [i, at] of marked.entries()) if (floatsOf(target)[at] !== 0) writtenIn[i] ||= now;
  });
  assert.is(y, target);
  assert.equal(order, ['large', 'small']);
  assert.ok(floatsOf(target).every((value) => value === -1));
  assert.ok(mostAlike(writtenIn) <= PIECE_MEBIBYTES, `written in turns ${writtenIn}`);
});

large('all kinds of feeds give what they give without a worker', async () => {
  const b = modelBuilder({ opset: 20 });
  const kinds = ['float32', 'int64', 'uint8', 'float16', 'string'] as const;
  for (const kind of kinds) b.output(`${kind} out`, b.op('Identity', [b.input(kind, kind, [`${kind}s`])]));
  const odd = PIECE_MEBIBYTES * 2 ** 20 + 3;
  const bytes = Uint8Array.from({ length: odd + 1 }, (_, i) => i % 251);
  const shared = new Uint16Array(new SharedArrayBuffer(2 * 300_001)).map((_, i) => i);
  const of = (type: (typeof kinds)[number], data: TensorValue['data']) => ({ type, dims: [data.length], data });
  const feeds: Feeds = {
    float32: of('float32', Float32Array.from({ length: 700_001 }, (_, i) => i).subarray(3, 600_000)),
    int64: of(
      'int64',
      BigInt64Array.from({ length: 600_001 }, (_, i) => BigInt(i) << 33n),
    ),
    uint8: of('uint8', bytes.subarray(1)),
    float16: of('float16', shared),
    string: of('string', ['ä', '', 'b']),
  };
  const direct = await DirectSession.create(b.toBytes());
  const there = await InferenceSession.create(b.toBytes());
  const run = there.run(feeds);
  bytes[odd] = 255;
  const results = await run;
  const expected = await direct.run(feeds);
  for (const kind of kinds) {
    const [wanted, got] = [expected, results].map((all) => all[`${kind} out`] as Tensor) as [Tensor, Tensor];
    assert.equal([got.type, got.dims, got.data.constructor], [wanted.type, wanted.dims, wanted.data.constructor]);
    const all = wanted.data;
    assert.ok(got.data.every((value, i) => value === all[i]));
  }
  await there.release();
  await direct.release();
});

large.run();
