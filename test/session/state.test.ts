import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession, type SardonyxError, type SessionState, type Tensor } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { draw } from '../contrib/case.js';

const [HEADS, SIZE] = [2, 8];
const { floats } = draw(5);

/** Attention with a cache, and beside it a sum that goes on from run to run. */
function decoder(names: readonly [string, string] = ['past_key_values.0.', 'present.0.'], withSum = false): Uint8Array {
  const b = modelBuilder({ opset: 23 });
  const x = (name: string, rows: string) => b.input(name, 'float32', ['batch', HEADS, rows, SIZE]);
  const qkv = [x('q', 'rows'), x('k', 'rows'), x('v', 'rows')];
  const past = ['key', 'value'].map((part) => x(`${names[0]}${part}`, 'past'));
  const outputs = b.node('Attention', [...qkv, null, ...past], { is_causal: 1 }, { outputs: 3 });
  for (const [i, name] of ['y', `${names[1]}key`, `${names[1]}value`].entries())
    b.output(name, outputs[i] as (typeof outputs)[number]);
  if (withSum) {
    const before = b.input('past_sum', 'float32', ['batch', HEADS]);
    const [first] = qkv as [(typeof qkv)[number]];
    const axes = b.constant('axes', { type: 'int64', dims: [2], data: BigInt64Array.of(2n, 3n) });
    b.output('present_sum', b.op('Add', [before, b.op('ReduceSum', [first, axes], { keepdims: 0 })]));
  }
  return b.toBytes();
}

type Feeds = Record<string, TensorValue>;
const step = (rows: number, batch = 1): Feeds =>
  Object.fromEntries(['q', 'k', 'v'].map((name) => [name, floats([batch, HEADS, rows, SIZE])]));

/** The same rows all at once, which no cache is needed for. */
function joined(steps: readonly Feeds[]): Feeds {
  const rowsOf = (feeds: Feeds) => (feeds.q as TensorValue).dims[2] as number;
  const total = steps.reduce((n, feeds) => n + rowsOf(feeds), 0);
  return Object.fromEntries(
    ['q', 'k', 'v'].map((name) => {
      const data = new Float32Array(HEADS * total * SIZE);
      let at = 0;
      for (const feeds of steps) {
        const rows = rowsOf(feeds);
        for (let h = 0; h < HEADS; h++)
          data.set(
            ((feeds[name] as TensorValue).data as Float32Array).subarray(h * rows * SIZE, (h + 1) * rows * SIZE),
            (h * total + at) * SIZE,
          );
        at += rows;
      }
      return [name, { type: 'float32', dims: [1, HEADS, total, SIZE], data }];
    }),
  );
}

const lastRow = (y: TensorValue): number[] => {
  const rows = y.dims[2] as number;
  const data = y.data as Float32Array;
  return Array.from({ length: HEADS }, (_, h) => [
    ...data.subarray((h * rows + rows - 1) * SIZE, (h + 1) * rows * SIZE),
  ]).flat();
};

/** The last row of what attention makes of all these steps, computed at once. */
async function expected(session: InferenceSession, steps: readonly Feeds[]): Promise<number[]> {
  const { y } = await session.run(joined(steps), { state: session.createState() });
  return lastRow(y as TensorValue);
}

const close = (a: readonly number[], b: readonly number[]) => {
  for (const [i, x] of b.entries()) assert.ok(Math.abs((a[i] as number) - x) < 1e-5, `${a[i]} for ${x} at ${i}`);
};

const go = async (session: InferenceSession, state: SessionState, feeds: Feeds): Promise<number[]> =>
  lastRow((await session.run(feeds, { state })).y as TensorValue);

const refused = (work: () => unknown): Promise<string> =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'nothing',
      (error: SardonyxError) => error.code,
    );

const test = suite('states of a session');

test('a state goes on from run to run; its outputs are its own unless asked for', async () => {
  const session = await InferenceSession.create(decoder());
  const state = session.createState({ capacity: 100 });
  const steps = [step(6), step(1), step(3), step(1)];
  assert.is(state.length, 0);
  for (const [i, feeds] of steps.entries()) {
    close(await go(session, state, feeds), await expected(session, steps.slice(0, i + 1)));
    assert.is(state.length, [6, 7, 10, 11][i]);
  }
  const all = await session.run(step(1), { state, fetches: ['y', 'present.0.key'] });
  assert.equal(Object.keys(all), ['y', 'present.0.key']);
  assert.equal(Object.keys(await session.run(step(1), { state })), ['y']);
  await session.release();
});

test('truncate goes back; what was cut off is overwritten', async () => {
  const session = await InferenceSession.create(decoder());
  const state = session.createState();
  const [prompt, a, b] = [step(5), step(2), step(1)];
  await go(session, state, prompt);
  await go(session, state, a);
  state.truncate(5);
  assert.is(state.length, 5);
  close(await go(session, state, b), await expected(session, [prompt, b]));
  state.truncate(0);
  close(await go(session, state, a), await expected(session, [a]));
  assert.is(await refused(() => state.truncate(3)), 'INVALID_ARGUMENT');
  assert.is(await refused(() => state.truncate(-1)), 'INVALID_ARGUMENT');
  await session.release();
});

test('clones go on by themselves', async () => {
  const session = await InferenceSession.create(decoder());
  const state = session.createState();
  const prompt = step(5);
  await go(session, state, prompt);
  const twin = state.clone();
  const third = twin.clone();
  third.truncate(2);
  const [a, b] = [
    [step(1), step(2)],
    [step(2), step(1)],
  ] as [Feeds[], Feeds[]];
  for (let i = 0; i < 2; i++) {
    close(await go(session, state, a[i] as Feeds), await expected(session, [prompt, ...a.slice(0, i + 1)]));
    close(await go(session, twin, b[i] as Feeds), await expected(session, [prompt, ...b.slice(0, i + 1)]));
  }
  state.release();
  close(await go(session, twin, a[0] as Feeds), await expected(session, [prompt, ...b, a[0] as Feeds]));
  assert.is(third.length, 2);
  await session.release();
});

test('saved and loaded, also by another session', async () => {
  const [one, two] = await Promise.all([InferenceSession.create(decoder()), InferenceSession.create(decoder())]);
  const state = one.createState();
  const [prompt, next] = [step(5), step(1)];
  await go(one, state, prompt);
  const file = state.save();
  const loaded = two.createState();
  loaded.load(file);
  assert.is(loaded.length, 5);
  const there = await go(two, loaded, next);
  close(there, await expected(one, [prompt, next]));
  assert.equal(await go(one, state, next), there);
  for (const damaged of [new Uint8Array(3), file.subarray(0, 40), file.subarray(0, file.length - 4)])
    assert.is(await refused(() => loaded.load(damaged)), 'INVALID_VALUE');
  assert.is(loaded.length, 6, 'a refused file changes nothing');
  await Promise.all([one.release(), two.release()]);
});

test('states of one size beside caches', async () => {
  const session = await InferenceSession.create(decoder(['past_', 'present_'], true));
  const state = session.createState();
  let sum = 0;
  for (const rows of [4, 1, 2]) {
    const feeds = step(rows);
    sum += ((feeds.q as TensorValue).data as Float32Array).subarray(0, rows * SIZE).reduce((a, b) => a + b, 0);
    const { present_sum } = await session.run(feeds, { state, fetches: ['y', 'present_sum'] });
    assert.ok(Math.abs((((present_sum as Tensor).data as Float32Array)[0] as number) - sum) < 1e-4);
  }
  assert.is(state.length, 7);
  assert.is(await refused(() => state.truncate(3)), 'INVALID_ARGUMENT');
  state.truncate(0);
  assert.is(state.length, 0);
  await session.release();
});

test('runs of one state that are not awaited follow each other', async () => {
  const session = await InferenceSession.create(decoder());
  const state = session.createState();
  const steps = [step(4), step(1), step(1)];
  const results = await Promise.all(steps.map((feeds) => go(session, state, feeds)));
  close(results[2] as number[], await expected(session, steps));
  await session.release();
});

test('a state that is released while a run goes on', async () => {
  const session = await InferenceSession.create(decoder());
  const state = session.createState();
  const other = session.createState();
  await go(session, state, step(4));
  const running = refused(() => session.run(step(1), { state, signal: new AbortController().signal }));
  await Promise.resolve();
  state.release();
  assert.is(await running, 'RELEASED');
  const steps = [step(5), step(1)];
  await go(session, other, steps[0] as Feeds);
  close(await go(session, other, steps[1] as Feeds), await expected(session, steps));
  await session.release();
});

test('wrong uses', async () => {
  const [one, two] = await Promise.all([InferenceSession.create(decoder()), InferenceSession.create(decoder())]);
  const state = one.createState();
  assert.is(await refused(() => two.run(step(1), { state })), 'INVALID_ARGUMENT');
  assert.is(await refused(() => one.createState({ pairs: { q: 'nothing' } })), 'INVALID_ARGUMENT');
  assert.is(await refused(() => one.createState({ capacity: -1 })), 'INVALID_ARGUMENT');
  state.release();
  assert.is(await refused(() => one.run(step(1), { state })), 'RELEASED');
  assert.is(await refused(() => state.clone()), 'RELEASED');
  await Promise.all([one.release(), two.release()]);
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Relu', [b.input('x', 'float32', [2])]));
  const plain = await InferenceSession.create(b.toBytes());
  assert.is(await refused(() => plain.createState()), 'INVALID_ARGUMENT');
  await plain.release();
});

test('other names are paired by the caller', async () => {
  const session = await InferenceSession.create(decoder(['cache_in_', 'cache_out_']));
  assert.is(await refused(() => session.createState()), 'INVALID_ARGUMENT');
  const state = session.createState({ pairs: { cache_in_key: 'cache_out_key', cache_in_value: 'cache_out_value' } });
  const steps = [step(3), step(1)];
  await go(session, state, steps[0] as Feeds);
  close(await go(session, state, steps[1] as Feeds), await expectedOf(session, steps));
  await session.release();
});

const expectedOf = async (session: InferenceSession, steps: readonly Feeds[]) => {
  const state = session.createState({ pairs: { cache_in_key: 'cache_out_key', cache_in_value: 'cache_out_value' } });
  return go(session, state, joined(steps));
};

test.run();
