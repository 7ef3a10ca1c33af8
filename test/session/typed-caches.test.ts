import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Value } from '../../src/graph/graph.js';
import { InferenceSession, type SardonyxError, type SessionState } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { sampled } from '../tier.js';
import {
  type Checks,
  check,
  grouped,
  type Kind,
  masked,
  rowsOf,
  SHARED,
  SIZE,
  STORED,
  type Step,
  step,
} from './grouped-queries.js';

type StoredType = keyof typeof STORED;

/** What is left to the products: of int8, queries and weights are rounded to 16 bits. */
const BOUNDS: Record<StoredType, number> = { float32: 1e-5, float16: 1e-5, int8: 3e-4 };

const test = sampled(suite('caches kept as another type'), { quick: 1 / 2 });

const checks = (type: StoredType, kind: Kind = {}): Checks => ({ ...kind, stored: STORED[type], bound: BOUNDS[type] });

for (const type of ['float32', 'float16', 'int8'] as const)
  for (const caches of ['float32', 'float16'] as const) {
    const of = `${type}, of a model of ${caches}`;

    test(`${of}: prompts and tokens, beyond the room there was`, async () => {
      const session = await InferenceSession.create(grouped({ caches }));
      const state = session.createState({ type, capacity: 30 });
      const steps: Step[] = [];
      for (let i = 0; i < 90; i++) {
        steps.push(step(i === 0 ? 20 : i % 25 === 24 ? 15 : 1));
        await check(session, state, steps, checks(type));
      }
      assert.is(
        state.length,
        steps.reduce((n, s) => n + rowsOf(s), 0),
      );
      await session.release();
    });

    test(`${of}: steps back, twins, and what was saved`, async () => {
      const session = await InferenceSession.create(grouped({ caches }));
      const state = session.createState({ type });
      const steps = [step(5), step(1), step(1)];
      for (const i of steps.keys()) await check(session, state, steps.slice(0, i + 1), checks(type));
      const file = state.save();
      const twin = state.clone();
      await check(session, twin, [...steps, step(2)], checks(type));
      state.truncate(5);
      const others = [steps[0] as Step, step(1)];
      await check(session, state, others, checks(type));
      const again = session.createState({ type });
      again.load(file);
      assert.is(again.length, 7);
      assert.equal(again.save(), file);
      again.truncate(6);
      await check(session, again, [...steps.slice(0, 2), step(1)], checks(type));
      again.truncate(0);
      await check(session, again, [step(3)], checks(type));
      await session.release();
    });
  }

test('three conversations in turn, of three types', async () => {
  const session = await InferenceSession.create(grouped());
  const types = ['float32', 'float16', 'int8'] as const;
  const states = types.map((type) => session.createState({ type }));
  const steps: Step[][] = [[], [], []];
  for (let i = 0; i < 40; i++) {
    const of = (i * 5) % 3;
    (steps[of] as Step[]).push(step(1 + (i % 4)));
    await check(session, states[of] as SessionState, steps[of] as Step[], checks(types[of] as StoredType));
  }
  await session.release();
});

test('windows, sinks and several sequences in int8', async () => {
  const kind = { window: 9, sinks: [0, 1, -1, 0.5] };
  const session = await InferenceSession.create(grouped(kind));
  const state = session.createState({ type: 'int8' });
  const steps = [step(13, 2)];
  for (let i = 0; i < 20; i++) {
    await check(session, state, steps, checks('int8', kind));
    steps.push(step(1, 2));
  }
  await session.release();
});

test('what was saved as one type is taken up as another', async () => {
  const session = await InferenceSession.create(grouped());
  const state = session.createState();
  const steps = [step(6)];
  await check(session, state, steps);
  const file = state.save();
  for (const type of ['float16', 'int8'] as const) {
    const other = session.createState({ type });
    other.load(file);
    const next = [...steps, step(1)];
    await check(session, other, next, checks(type));
    const back = session.createState();
    back.load(other.save());
    await check(session, back, [...next, step(1)], { bound: type === 'int8' ? 0.03 : 2e-3 });
  }
  await session.release();
});

test('outputs that are asked for show the numbers that are kept, and may be read between tokens', async () => {
  const session = await InferenceSession.create(grouped());
  const state = session.createState({ type: 'int8' });
  const steps = [step(4), step(1), step(1)];
  for (let i = 0; i < 3; i++) {
    const feeds = { ...(steps[i] as Step), attention_mask: masked(steps.slice(0, i + 1)) };
    const results = await session.run(feeds, { state, fetches: ['present.0.key'] });
    const keys = results['present.0.key'] as TensorValue;
    assert.is(keys.type, 'float32');
    assert.equal(keys.dims, [1, SHARED, 4 + i, SIZE]);
    const [first] = steps as [Step];
    const wanted = STORED.int8([...(first.k.data as Float32Array).subarray(0, SIZE)]);
    for (const [k, x] of wanted.entries()) assert.ok(Math.abs((keys.data[k] as number) - x) < 1e-6);
  }
  steps.push(step(1));
  await check(session, state, steps, checks('int8'));
  await session.release();
});

for (const type of ['float32', 'float16', 'int8'] as const)
  test(`${type}: steps back to rows of an output that has been read`, async () => {
    const session = await InferenceSession.create(grouped());
    const state = session.createState({ type });
    const [first, second] = [step(4), step(1)];
    const feeds = { ...first, attention_mask: masked([first]) };
    const results = await session.run(feeds, { state, fetches: ['present.0.key'] });
    assert.is(results['present.0.key']?.data.length, SHARED * 4 * SIZE);
    await check(session, state, [first, second], checks(type));
    state.truncate(4);
    await check(session, state, [first, step(1)], checks(type));
    const { 'present.0.value': values } = await session.run(
      { ...second, attention_mask: masked([first, second, second]) },
      { state, fetches: ['present.0.value'] },
    );
    assert.is(values?.data.length, SHARED * 6 * SIZE);
    state.truncate(4);
    await check(session, state, [first, second], checks(type));
    await session.release();
  });

test('a state in halves takes half of the memory, one in int8 little more than a quarter', async () => {
  const bytes = [];
  for (const type of ['float32', 'float16', 'int8'] as const) {
    const session = await InferenceSession.create(grouped(), { intraOpNumThreads: 1 });
    const state = session.createState({ type });
    await check(session, state, [step(5)], checks(type));
    bytes.push(state.save().length);
    await session.release();
  }
  const [whole, half, quarter] = bytes as [number, number, number];
  assert.ok(half < whole * 0.6 && quarter < half * 0.8, `${bytes}`);
});

const refused = async (work: () => unknown): Promise<SardonyxError> => {
  try {
    await work();
  } catch (error) {
    return error as SardonyxError;
  }
  throw new Error('nothing was refused');
};

test('types that there are not, and models that cannot have them, are refused', async () => {
  const session = await InferenceSession.create(grouped());
  const wrong = await refused(() => session.createState({ type: 'int4' as never }));
  assert.is(wrong.code, 'INVALID_ARGUMENT');
  assert.match(wrong.message, 'float32, float16, int8');
  await session.release();
  const rows = { type: 'float32', dims: [1, 2, 1, 4], data: new Float32Array(8) } as TensorValue;
  const ofState = async (model: Uint8Array) => {
    const other = await InferenceSession.create(model);
    const state = other.createState({ type: 'int8' });
    const error = await refused(() => other.run({ q: rows, k: rows, v: rows }, { state }));
    await other.release();
    return error;
  };
  const small = await ofState(
    attending((b, [q, k, v], past) => b.node('Attention', [q, k, v, null, ...past], {}, { outputs: 3 })),
  );
  assert.is(small.code, 'INVALID_VALUE');
  assert.match(small.message, 'heads whose size is a multiple of 8');
  const parts = await ofState(
    attending((b, [q, k, v], past) => {
      const [keys, values] = [k, v].map((own, i) => b.op('Concat', [past[i] as Value, own], { axis: 2 })) as [
        Value,
        Value,
      ];
      return [
        b.op('MatMul', [b.op('MatMul', [q, b.op('Transpose', [keys], { perm: [0, 1, 3, 2] })]), values]),
        keys,
        values,
      ];
    }),
  );
  assert.is(parts.code, 'INVALID_ARGUMENT');
  assert.match(parts.message, 'int8');
});

type Attending = (
  b: ModelBuilder,
  qkv: readonly [Value, Value, Value],
  past: readonly [Value, Value],
) => readonly (Value | null)[];

/** Heads of 4 columns. */
function attending(attend: Attending): Uint8Array {
  const b = modelBuilder({ opset: 23 });
  const x = (name: string, rows: string) => b.input(name, 'float32', [1, 2, rows, 4]);
  const past = [x('past_key', 'past'), x('past_value', 'past')] as const;
  const attended = attend(b, [x('q', 'rows'), x('k', 'rows'), x('v', 'rows')], past);
  for (const [i, name] of ['y', 'present_key', 'present_value'].entries()) b.output(name, attended[i] as Value);
  return b.toBytes();
}

test.run();
