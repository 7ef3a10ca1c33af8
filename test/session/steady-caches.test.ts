import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { InferenceSession, type SardonyxError, type SessionState } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { draw } from '../contrib/case.js';
import { int64s } from '../values.js';

const [HEADS, SHARED, SIZE, LAYERS] = [4, 2, 16, 2];
const { floats } = draw(11);

/** Grouped queries whose lengths follow from a mask, as decoders are published; each layer has the same operands. */
function grouped(): Uint8Array {
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  const x = (name: string, heads: number) => b.input(name, 'float32', ['batch', 'rows', heads * SIZE]);
  const [q, k, v] = [x('q', HEADS), x('k', SHARED), x('v', SHARED)];
  const mask = b.input('attention_mask', 'int64', ['batch', 'total']);
  const one = b.constant('one', tensor('int64', [], [1n]));
  const counted = b.op('Sub', [b.op('ReduceSum', [mask, b.constant('axes', int64s([1]))]), one]);
  const lengths = b.op('Cast', [counted], { to: 6 });
  const total = b.op('Cast', [b.op('Gather', [b.op('Shape', [mask]), one])], { to: 6 });
  for (let layer = 0; layer < LAYERS; layer++) {
    const past = ['key', 'value'].map((part) =>
      b.input(`past_key_values.${layer}.${part}`, 'float32', ['batch', SHARED, 'past', SIZE]),
    );
    const attributes = { num_heads: HEADS, kv_num_heads: SHARED };
    const outputs = b.node('GroupQueryAttention', [q, k, v, ...past, lengths, total], attributes, {
      domain: 'com.microsoft',
      outputs: 3,
    });
    for (const [i, name] of [`y${layer}`, `present.${layer}.key`, `present.${layer}.value`].entries())
      b.output(name, outputs[i] as typeof q);
  }
  return b.toBytes();
}

type Step = Readonly<Record<'q' | 'k' | 'v', TensorValue>>;

const step = (rows: number): Step => ({
  q: floats([1, rows, HEADS * SIZE]),
  k: floats([1, rows, SHARED * SIZE]),
  v: floats([1, rows, SHARED * SIZE]),
});

const rowsOf = ({ q }: Step) => q.dims[1] as number;
const masked = (steps: readonly Step[]) => {
  const rows = steps.reduce((n, s) => n + rowsOf(s), 0);
  return { type: 'int64', dims: [1, rows], data: new BigInt64Array(rows).fill(1n) } as TensorValue;
};

/** Rows of one head of an operand, over all steps. */
const rowsOfHead = (steps: readonly Step[], name: 'q' | 'k' | 'v', heads: number, head: number) =>
  steps.flatMap((s) =>
    Array.from({ length: rowsOf(s) }, (_, row) => {
      const from = row * heads * SIZE + head * SIZE;
      return Array.from((s[name].data as Float32Array).subarray(from, from + SIZE));
    }),
  );

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * (b[i] as number), 0);

/** Attention of the last query over all keys, in double precision. */
function expected(steps: readonly Step[]): number[] {
  return Array.from({ length: HEADS }, (_, head) => {
    const shared = Math.floor(head / (HEADS / SHARED));
    const query = rowsOfHead(steps, 'q', HEADS, head).at(-1) as number[];
    const weights = rowsOfHead(steps, 'k', SHARED, shared).map((key) => Math.exp(dot(query, key) / Math.sqrt(SIZE)));
    const total = weights.reduce((a, b) => a + b, 0);
    const values = rowsOfHead(steps, 'v', SHARED, shared);
    return Array.from(
      { length: SIZE },
      (_, i) =>
        dot(
          weights,
          values.map((row) => row[i] as number),
        ) / total,
    );
  }).flat();
}

async function check(session: InferenceSession, state: SessionState, steps: readonly Step[]): Promise<void> {
  const results = await session.run({ ...(steps.at(-1) as Step), attention_mask: masked(steps) }, { state });
  const wanted = expected(steps);
  for (let layer = 0; layer < LAYERS; layer++) {
    const got = [...((results[`y${layer}`] as TensorValue).data as Float32Array)].slice(-HEADS * SIZE);
    for (const [i, x] of wanted.entries()) assert.ok(Math.abs((got[i] as number) - x) < 1e-5, `${got[i]} for ${x}`);
  }
}

const test = suite('caches that are said to be larger than they are');

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

test.run();
