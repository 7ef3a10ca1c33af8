import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession as DirectSession, type Feeds, type SardonyxError, type State } from '../../src/index.js';
import { createPool } from '../../src/remote/pool/index.js';
import { InferenceSession } from '../../src/remote/worker/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { grouped, masked, type Step, step } from '../session/grouped-queries.js';
import { buildPackage, chainOfProducts } from './session-worker.js';

const test = suite('states in a worker');

test.before(buildPackage);

const feedsOf = (steps: readonly Step[]): Feeds => ({ ...(steps.at(-1) as Step), attention_mask: masked(steps) });

const plain = (results: Record<string, TensorValue>) =>
  Object.entries(results).map(([name, { type, dims, data }]) => ({ name, type, dims, data }));

const refused = (work: Promise<unknown>): Promise<SardonyxError> =>
  work.then(
    () => assert.unreachable('nothing was refused') as never,
    (error: SardonyxError) => error,
  );

for (const type of [undefined, 'float16', 'int8'] as const)
  test(`what a state of ${type ?? 'the model’s type'} comes to is what it does here, bit for bit`, async () => {
    const [here, there] = await Promise.all([DirectSession.create(grouped()), InferenceSession.create(grouped())]);
    const options = { capacity: 40, ...(type && { type }) };
    const [own, remote] = [here.createState(options), await there.createState(options)];
    assert.is(remote.length, 0);
    const steps: Step[] = [];
    const both = async (mine = own, theirs = remote, all: readonly Step[] = steps) => {
      const expected = await here.run(feedsOf(all), { state: mine });
      assert.equal(await there.run(feedsOf(all), { state: theirs }), expected);
      assert.is(theirs.length, mine.length);
    };
    for (const rows of [6, 1, 1, 3, ...new Array<number>(40).fill(1)]) {
      steps.push(step(rows));
      await both();
    }
    const file = await remote.save();
    assert.equal(file, own.save());
    const [mine, theirs] = [own.clone(), await remote.clone()];
    await both(mine, theirs, [...steps, step(2)]);
    own.truncate(6);
    await remote.truncate(6);
    await both(own, remote, [steps[0] as Step, step(1)]);
    const [again, anew] = [here.createState(options), await there.createState(options)];
    again.load(file);
    await anew.load(file);
    assert.is(anew.length, 51);
    await both(again, anew, [...steps, step(1)]);
    await Promise.all([here.release(), there.release()]);
  });

test('runs that are not waited for go on from each other; results that are asked for come too', async () => {
  const [here, there] = await Promise.all([DirectSession.create(grouped()), InferenceSession.create(grouped())]);
  const [own, remote] = [here.createState(), await there.createState()];
  const steps = [step(4), step(1), step(1)];
  const fetches = ['y0', 'present.0.key'];
  const all = steps.map((_, i) => there.run(feedsOf(steps.slice(0, i + 1)), fetches, { state: remote }));
  for (const [i, run] of all.entries())
    assert.equal(plain(await run), plain(await here.run(feedsOf(steps.slice(0, i + 1)), fetches, { state: own })));
  assert.is(remote.length, 6);
  await Promise.all([here.release(), there.release()]);
});

test('feeds may be handed over, and a run be stopped, which leaves the state as it was', async () => {
  const session = await InferenceSession.create(grouped());
  const state = await session.createState();
  const steps = [step(4), step(1)];
  await session.run(feedsOf(steps.slice(0, 1)), { state });
  const stopped = await refused(session.run(feedsOf(steps), { state, signal: AbortSignal.abort() }));
  assert.is(stopped.code, 'ABORTED');
  assert.is(state.length, 4);
  const feeds = feedsOf(steps);
  await session.run(feeds, { state, transfer: true, signal: new AbortController().signal });
  assert.is((feeds.q as Step['q']).data.length, 0);
  assert.is(state.length, 5);
  await session.release();
});

test('what cannot be is refused, as it is here', async () => {
  const [here, there, other] = await Promise.all([
    DirectSession.create(grouped()),
    InferenceSession.create(grouped()),
    InferenceSession.create(grouped()),
  ]);
  const first = [step(3)];
  const state = await there.createState();
  await there.run(feedsOf(first), { state });
  const invalid = async (work: Promise<unknown>, message: RegExp) => {
    const { code, message: said } = await refused(work);
    assert.is(code, 'INVALID_ARGUMENT', said);
    assert.match(said, message);
  };
  await invalid(there.createState({ type: 'int4' as never }), /float32, float16, int8/);
  await invalid(there.createState({ pairs: { nothing: 'y0' } }), /"nothing" is no input/);
  await invalid(state.truncate(4), /there are 3/);
  const wrong: [Promise<unknown>, RegExp][] = [
    [other.run(feedsOf(first), { state }), /of another session/],
    [here.run(feedsOf(first), { state: state as State }), /of another session/],
    [there.run(feedsOf(first), { state: here.createState() }), /of another session/],
  ];
  for (const [work, message] of wrong) await invalid(work, message);
  assert.is((await refused(state.load(new Uint8Array(4)))).code, 'INVALID_VALUE');
  assert.is(state.length, 3);
  await state.release();
  assert.is(state.length, 0);
  assert.is((await refused(there.run(feedsOf(first), { state }))).code, 'RELEASED');
  assert.is((await refused(state.save())).code, 'RELEASED');
  await there.release();
  await state.release();
  assert.is((await refused(there.createState())).code, 'RELEASED');
  await Promise.all([here.release(), other.release()]);
});

test('models without a state, and pools, say so', async () => {
  const session = await InferenceSession.create(chainOfProducts(1, 8));
  const none = await refused(session.createState());
  assert.is(none.code, 'INVALID_ARGUMENT');
  assert.match(none.message, /past, state, cache or mem/);
  await session.release();
  const [pool, here] = await Promise.all([createPool(grouped(), { size: 1 }), DirectSession.create(grouped())]);
  const inPool = await refused(pool.run(feedsOf([step(1)]), { state: here.createState() }));
  assert.is(inPool.code, 'INVALID_ARGUMENT');
  assert.match(inPool.message, /a pool has no states/);
  await Promise.all([pool.release(), here.release()]);
});

test.run();
