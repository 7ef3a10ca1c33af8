import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession, type SardonyxError, type SessionState } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { sampled } from '../tier.js';
import { check, expected, grouped, HEADS, masked, rowsOf, SHARED, SIZE, type Step, step } from './grouped-queries.js';

const test = sampled(suite('caches that are said to be larger than they are'), { quick: 1 / 2 });

for (const intraOpNumThreads of [1, 3])
  test(`prompts, tokens and further prompts, beyond the room there was at first: ${intraOpNumThreads} threads`, async () => {
    const session = await InferenceSession.create(grouped(), { intraOpNumThreads });
    const state = session.createState();
    const steps: Step[] = [];
    for (let i = 0; i < 150; i++) {
      steps.push(step(i === 0 ? 20 : i % 25 === 24 ? 2 + (i % 7) : 1));
      await check(session, state, steps);
    }
    assert.is(
      state.length,
      steps.reduce((n, s) => n + rowsOf(s), 0),
    );
    await session.release();
  });

for (const intraOpNumThreads of [1, 3])
  test(`tokens behind so many keys that these are split: ${intraOpNumThreads} threads`, async () => {
    const session = await InferenceSession.create(grouped(), { intraOpNumThreads });
    const state = session.createState({ capacity: 1000 });
    const steps: Step[] = [];
    for (const rows of [250, 1, 3, 1, 1, 1, 250, ...new Array<number>(8).fill(1)]) {
      steps.push(step(rows));
      await check(session, state, steps);
    }
    await session.release();
  });

test('a token is not planned for once another has been', async () => {
  const session = await InferenceSession.create(grouped(), { intraOpNumThreads: 1 });
  const state = session.createState({ capacity: 100 });
  const steps = [step(5), step(1)];
  await check(session, state, steps.slice(0, 1));
  await check(session, state, steps);
  const plan = session.memoryPlan?.values.map(({ offset, bytes }) => [offset, bytes]);
  const memory = session.memoryPlan?.linearMemory;
  for (let i = 0; i < 80; i++) {
    steps.push(step(1));
    await check(session, state, steps);
  }
  assert.equal(
    session.memoryPlan?.values.map(({ offset, bytes }) => [offset, bytes]),
    plan,
  );
  assert.is(session.memoryPlan?.linearMemory, memory, 'no plan has taken memory');
  await session.release();
});

test('conversations in turn, clones and steps back', async () => {
  const session = await InferenceSession.create(grouped());
  const states = [0, 1, 2].map(() => session.createState());
  const steps: Step[][] = [[], [], []];
  for (let i = 0; i < 60; i++) {
    const of = (i * 5) % 3;
    (steps[of] as Step[]).push(step(1 + (i % 4)));
    await check(session, states[of] as SessionState, steps[of] as Step[]);
  }
  const [first, state] = [steps[0] as Step[], states[0] as SessionState];
  const twin = state.clone();
  await check(session, twin, [...first, step(2)]);
  state.truncate(state.length - rowsOf(first.pop() as Step));
  await check(session, state, [...first, step(1)]);
  await session.release();
});

test('outputs that are fed back without a state, and read in between', async () => {
  const session = await InferenceSession.create(grouped());
  const steps: Step[] = [];
  const none = { type: 'float32', dims: [1, SHARED, 0, SIZE], data: new Float32Array(0) } as TensorValue;
  const names = [0, 1].flatMap((layer) => ['key', 'value'].map((part) => `${layer}.${part}`));
  let past = Object.fromEntries(names.map((name) => [`past_key_values.${name}`, none]));
  for (let i = 0; i < 30; i++) {
    steps.push(step(i === 0 ? 3 : 1));
    const results = await session.run({ ...(steps.at(-1) as Step), attention_mask: masked(steps), ...past });
    const got = [...((results.y1 as TensorValue).data as Float32Array)].slice(-HEADS * SIZE);
    for (const [k, x] of expected(steps).entries()) assert.ok(Math.abs((got[k] as number) - x) < 1e-5);
    past = Object.fromEntries(
      names.map((name) => [`past_key_values.${name}`, results[`present.${name}`] as TensorValue]),
    );
    const keys = past['past_key_values.0.key'] as TensorValue;
    assert.equal(keys.dims, [1, SHARED, i + 3, SIZE]);
    if (i % 7 === 6) assert.is(keys.data.length, SHARED * (i + 3) * SIZE);
  }
  await session.release();
});

test('a mask that hides some of what there is is told so', async () => {
  const session = await InferenceSession.create(grouped());
  const state = session.createState();
  const first = step(4);
  await check(session, state, [first]);
  const mask = masked([first, step(1)]);
  (mask.data as BigInt64Array)[0] = 0n;
  const refusal = await session.run({ ...step(1), attention_mask: mask }, { state }).catch((error) => error);
  assert.is((refusal as SardonyxError).code, 'INVALID_VALUE');
  await check(session, state, [first, step(1)]);
  await session.release();
});

test('a mask longer than what is cached and what is new is told so', async () => {
  const session = await InferenceSession.create(grouped());
  const state = session.createState();
  const first = step(4);
  await check(session, state, [first]);
  for (const rows of [2, 30]) {
    const feeds = { ...step(1), attention_mask: masked([first, step(rows)]) };
    const refusal = await session.run(feeds, { state }).catch((error) => error);
    assert.is((refusal as SardonyxError).code, 'INVALID_VALUE');
  }
  await check(session, state, [first, step(1)]);
  await session.release();
});

test('windows and sinks: one plan, whatever lies before what is seen', async () => {
  const kind = { window: 7, sinks: [0.5, -1, 2, 0] };
  const session = await InferenceSession.create(grouped(kind), { intraOpNumThreads: 1 });
  const state = session.createState({ capacity: 100 });
  const steps = [step(12), step(1)];
  await check(session, state, steps.slice(0, 1), kind);
  await check(session, state, steps, kind);
  const memory = session.memoryPlan?.linearMemory;
  const plan = session.memoryPlan?.values;
  for (let i = 0; i < 60; i++) {
    steps.push(step(i % 20 === 19 ? 3 : 1));
    await check(session, state, steps, kind);
    if (i % 20 < 19) assert.equal(session.memoryPlan?.values, plan);
  }
  assert.is(session.memoryPlan?.linearMemory, memory);
  await session.release();
});

test('several sequences of one length: one plan', async () => {
  const session = await InferenceSession.create(grouped(), { intraOpNumThreads: 1 });
  const state = session.createState({ capacity: 60 });
  const steps = [step(9, 3), step(1, 3)];
  await check(session, state, steps.slice(0, 1));
  await check(session, state, steps);
  const plan = session.memoryPlan?.values;
  for (let i = 0; i < 30; i++) {
    steps.push(step(1, 3));
    await check(session, state, steps);
    assert.equal(session.memoryPlan?.values, plan);
  }
  await session.release();
});

test('tokens of sequences of several lengths go behind each', async () => {
  const session = await InferenceSession.create(grouped(), { intraOpNumThreads: 1 });
  const state = session.createState({ capacity: 60 });
  const first = step(6, 2);
  const mask = masked([first]);
  (mask.data as BigInt64Array).fill(0n, 10);
  await session.run({ ...first, attention_mask: mask }, { state });
  // The second sequence has four tokens; whatever stands behind them is overwritten.
  const shorter = Object.fromEntries(
    Object.entries(first).map(([name, { dims, data }]) => {
      const width = dims[2] as number;
      return [name, { type: 'float32', dims: [1, 4, width], data: data.slice(6 * width, 10 * width) }];
    }),
  ) as unknown as Step;
  const alone = (s: Step): Step =>
    Object.fromEntries(
      Object.entries(s).map(([name, { dims, data }]) => {
        const width = dims[2] as number;
        return [name, { type: 'float32', dims: [1, 1, width], data: data.slice(width, 2 * width) }];
      }),
    ) as unknown as Step;
  const steps = [first];
  for (let i = 0; i < 6; i++) {
    steps.push(step(1, 2));
    const all = masked(steps);
    (all.data as BigInt64Array).fill(0n, all.dims[1] as number, (all.dims[1] as number) + 2);
    const { y0 } = await session.run({ ...(steps.at(-1) as Step), attention_mask: all }, { state });
    const wanted = expected([shorter, ...steps.slice(1).map(alone)]);
    const got = (y0 as TensorValue).data as Float32Array;
    for (const [k, x] of wanted.entries())
      assert.ok(Math.abs((got[HEADS * SIZE + k] as number) - x) < 1e-5, `${got[HEADS * SIZE + k]} for ${x} at ${k}`);
    for (const [k, x] of expected(steps).entries()) assert.ok(Math.abs((got[k] as number) - x) < 1e-5);
  }
  await session.release();
});

test.run();
