import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type GraphBuilder, modelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { InferenceSession, type SardonyxError } from '../../src/index.js';
import { numberOf } from '../values.js';
import { inEveryTurn } from '../worker/turns.js';
import { numbers } from './run-model.js';

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

/** A loop of `times` steps over `x`, in the graph of `b`. */
function loopIn(
  name: string,
  b: GraphBuilder,
  x: Value,
  times: number,
  step: (body: GraphBuilder, x: Value) => Value,
): Value {
  const limit = b.constant(`${name}/limit`, { type: 'int64', dims: [], data: BigInt64Array.of(BigInt(times)) });
  const body = b.subgraph(name, (inner) => {
    inner.input(`${name}/i`, 'int64', []);
    const goesOn = inner.input(`${name}/goesOn`, 'bool', []);
    const carried = inner.input(`${name}/carried`, 'float32', ['n', 'n']);
    inner.output(`${name}/goesOnStill`, inner.op('Identity', [goesOn]));
    inner.output(`${name}/next`, step(inner, carried));
  });
  return b.op('Loop', [limit, null, x], { body });
}

function loopOf(step: (body: GraphBuilder, x: Value) => Value): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  b.output('y', loopIn('loop', b, b.input('x', 'float32', ['n', 'n']), 2 ** 50, step));
  return b.toBytes();
}

/** A square matrix multiplied by itself once per row. */
function scanOfProducts(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  const x = b.input('x', 'float32', ['n', 'n']);
  const body = b.subgraph('body', (inner) => {
    const state = inner.input('state', 'float32', ['n', 'n']);
    inner.input('row', 'float32', ['n']);
    inner.output('next', inner.op('MatMul', [state, state]));
  });
  b.output('y', b.op('Scan', [x, x], { body, num_scan_inputs: 1 }));
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

/** Runs of which each is one thing that lasts for many turns of the event loop, or for ever. */
const LONG: Record<string, () => Uint8Array> = {
  'many steps': () => chainOfProducts(200, 192),
  'one step': () => chainOfProducts(1, 1536),
  'a loop without end': () =>
    loopOf((b, x) => b.op('Mul', [b.op('MatMul', [x, x]), b.constant('half', numberOf(0.5))])),
  'a loop without kernels': () => loopOf((b, x) => b.op('Identity', [x])),
  'a loop in a loop': () => loopOf((b, x) => loopIn('inner', b, x, 2 ** 40, (inner, y) => inner.op('Neg', [y]))),
  'a scan': scanOfProducts,
};
const SIDES: Record<string, number> = { 'one step': 1536 };

/** The turn of the event loop in which a run is aborted. */
const ABORTED_IN = 3;

for (const [what, build] of Object.entries(LONG)) {
  for (const threads of [1, 2]) {
    concurrency(`a signal stops ${what} on ${threads} threads, and the next run works`, async () => {
      const session = await InferenceSession.create(build(), { intraOpNumThreads: threads });
      const fed = feeds(SIDES[what] ?? 192);
      for (let round = 0; round < 2; round++) {
        const controller = new AbortController();
        let last = 0;
        const run = errorOf(session.run(fed, { signal: controller.signal }));
        const error = await inEveryTurn(run, (turn) => {
          last = turn;
          if (turn === ABORTED_IN) controller.abort('changed my mind');
        });
        assert.is(error.code, 'ABORTED');
        assert.is(error.name, 'AbortError');
        assert.is(error.cause, 'changed my mind');
        assert.ok(last <= ABORTED_IN + 2, `stopped in turn ${last}`);
      }
      await session.release();
    });
  }
}

concurrency('a run that pauses, or follows one that is stopped, gives what a plain run gives', async () => {
  const session = await InferenceSession.create(chainOfProducts(100, 192));
  const expected = await session.run(feeds(192));
  assert.equal(await session.run(feeds(192), { signal: new AbortController().signal }), expected);
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  await errorOf(session.run(feeds(192), { signal: controller.signal }));
  assert.equal(await session.run(feeds(192)), expected);
  await session.release();
});

concurrency('runs of one session end in the order of their calls, also behind one that pauses', async () => {
  const session = await InferenceSession.create(chainOfProducts(50, 128));
  const { signal } = new AbortController();
  const order: number[] = [];
  const note = (i: number) => () => order.push(i);
  const slow = session.run(feeds(128), { signal }).then(note(0));
  const others = [1, 2, 3].map((i) => session.run(feeds(128), i === 2 ? { signal } : {}).then(note(i)));
  await Promise.all([slow, ...others]);
  assert.equal(order, [0, 1, 2, 3]);
  await session.release();
});

concurrency('independent sessions run side by side', async () => {
  const sessions = await Promise.all([0, 1].map(() => InferenceSession.create(chainOfProducts(100, 128))));
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
