// What runs from a state capture, against runs of another session that are fed all of it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { type Feeds, InferenceSession, type Results, type SessionState } from '../../src/index.js';
import { InferenceSession as WorkerSession } from '../../src/remote/worker/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { draw } from '../contrib/case.js';
import { expectRejection } from '../expect-error.js';
import { f32 } from '../values.js';
import { buildPackage } from '../worker/session-worker.js';
import { grouped, step as groupedStep, masked, type Step } from './grouped-queries.js';

const test = suite('captures of runs from a state');

test.before(buildPackage);

const [HEADS, SIZE] = [2, 8];
const { floats } = draw(7);

/** Attention of single nodes, its keys and values in caches, and beside it a sum that goes on from run to run. */
function decoder(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = (name: string, rows: string) => b.input(name, 'float32', ['batch', HEADS, rows, SIZE]);
  const named = (op: string, inputs: Parameters<typeof b.node>[1], name: string, attributes = {}) =>
    b.node(op, inputs, attributes, { outputs: [name] })[0];
  const [q, k, v] = [x('q', 'rows'), x('k', 'rows'), x('v', 'rows')];
  const key = named('Concat', [x('past_key', 'past'), k], 'present_key', { axis: 2 });
  const value = named('Concat', [x('past_value', 'past'), v], 'present_value', { axis: 2 });
  const turned = named('Transpose', [key], 'turned', { perm: [0, 1, 3, 2] });
  const scores = named('MatMul', [q, turned], 'scores');
  const weights = named('Softmax', [scores], 'weights', { axis: -1 });
  b.output('y', named('MatMul', [weights, value], 'y'));
  b.output('present_key', key);
  b.output('present_value', value);
  const before = b.input('past_sum', 'float32', ['batch', HEADS]);
  const axes = b.constant('axes', { type: 'int64', dims: [2], data: BigInt64Array.of(2n, 3n) });
  const sum = named('ReduceSum', [q, axes], 'sum', { keepdims: 0 });
  b.output('present_sum', named('Add', [before, sum], 'present_sum'));
  return b.toBytes();
}

const step = (rows: number): Feeds =>
  Object.fromEntries(['q', 'k', 'v'].map((name) => [name, floats([1, HEADS, rows, SIZE])]));

const plain = (value: unknown): TensorValue => {
  const { type, dims, data } = value as TensorValue;
  return { type, dims, data: data.slice() } as TensorValue;
};

/** What a session without a state is fed in place of it. */
type Past = Record<string, TensorValue>;

const NONE = { type: 'float32', dims: [1, HEADS, 0, SIZE], data: new Float32Array(0) } as const;
const nothing = (): Past => ({ past_key: NONE, past_value: NONE, past_sum: f32([1, HEADS], new Float32Array(HEADS)) });

const pastOf = (results: Results): Past =>
  Object.fromEntries(
    Object.entries(results)
      .filter(([name]) => name.startsWith('present'))
      .map(([name, value]) => [name.replace('present', 'past'), plain(value)]),
  );

function same(found: Results, expected: Results, names: readonly string[]): void {
  assert.equal(Object.keys(found).sort(), [...names].sort());
  for (const name of names) {
    const [own, other] = [found[name], expected[name]] as unknown as [TensorValue, TensorValue];
    assert.equal([own.type, own.dims], [other.type, other.dims], name);
    for (const [i, number] of (other.data as Float32Array).entries())
      assert.ok(Math.abs(((own.data as Float32Array)[i] as number) - number) <= 1e-6, `${name} at ${i}`);
  }
}

for (const level of ['all', 'disabled'] as const)
  test(`level ${level}: each run's values are those of a session that is fed all`, async () => {
    const options = { graphOptimizationLevel: level };
    const [session, other] = await Promise.all([
      InferenceSession.create(decoder(), options),
      InferenceSession.create(decoder(), options),
    ]);
    const state = session.createState();
    let past = nothing();
    for (const [i, rows] of [5, 1, 1, 3, 1].entries()) {
      const feeds = step(rows);
      const expected = await other.run({ ...feeds, ...past }, { capture: 'all' });
      past = pastOf(expected);
      const inner = ['turned', 'scores', 'weights', 'sum'].filter((name) => name in expected);
      assert.ok(inner.length > 0);
      if (i === 1) same(await session.run(feeds, { state }), expected, ['y']);
      else if (i === 3) {
        const asked = { state, capture: [...inner, 'present_sum'] };
        same(await session.run(feeds, ['y'], asked), expected, ['y', ...inner, 'present_sum']);
      } else {
        same(await session.run(feeds, { state, capture: 'all' }), expected, Object.keys(expected));
        assert.equal(session.optimizedAway, other.optimizedAway);
      }
      assert.is(state.length, [5, 6, 7, 10, 11][i]);
    }
    await Promise.all([session.release(), other.release()]);
  });

const listed = (results: Results) => Object.entries(results).map(([name, value]) => [name, plain(value)]);

const feedsOf = (steps: readonly Step[]): Feeds => ({ ...(steps.at(-1) as Step), attention_mask: masked(steps) });

for (const type of [undefined, 'float16', 'int8'] as const)
  test(`caches of ${type ?? "the model's type"}, here and in a worker: what is captured changes nothing of what follows`, async () => {
    const sessions = await Promise.all([InferenceSession.create(grouped()), InferenceSession.create(grouped())]);
    const remote = await WorkerSession.create(grouped());
    const [capturing, not] = sessions.map((each) => each.createState({ ...(type && { type }) })) as [
      SessionState,
      SessionState,
    ];
    const theirs = await remote.createState({ ...(type && { type }) });
    const steps: Step[] = [];
    for (const rows of [6, 1, 1, 2, 1]) {
      steps.push(groupedStep(rows));
      const expected = await sessions[1].run(feedsOf(steps), { state: not });
      const capture = rows === 2 ? 'all' : ['present.1.value'];
      const found = await sessions[0].run(feedsOf(steps), { state: capturing, capture });
      assert.equal(listed(await remote.run(feedsOf(steps), { state: theirs, capture })), listed(found));
      for (const name of ['y0', 'y1']) assert.equal(plain(found[name]), plain(expected[name]), name);
      assert.is((found['present.1.value'] as TensorValue).dims[2], not.length);
      if (rows !== 2) assert.not.ok('present.0.value' in found);
    }
    assert.equal(capturing.save(), not.save());
    await Promise.all([...sessions, remote].map((each) => each.release()));
  });

test('an unknown name, or a capture that is none, leaves the state as it was', async () => {
  const session = await InferenceSession.create(decoder());
  const state = session.createState();
  await session.run(step(3), { state });
  const badly = (capture: unknown) => session.run(step(1), { state, capture: capture as never });
  await expectRejection('UNKNOWN_OUTPUT', /did you mean "scores"/, badly(['scoers']));
  await expectRejection('INVALID_ARGUMENT', /capture must be 'all'/, badly(5));
  assert.is(state.length, 3);
  await session.run(step(1), { state });
  assert.is(state.length, 4);
  await session.release();
});

test.run();
