import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession as DirectSession, type Feeds, type State } from '../../src/index.js';
import { createPool } from '../../src/remote/pool/index.js';
import { InferenceSession } from '../../src/remote/worker/index.js';
import { expectRejection } from '../expect-error.js';
import { grouped, masked, type Step, step } from '../session/grouped-queries.js';
import { buildPackage } from './session-worker.js';

const test = suite('states in a worker');

test.before(buildPackage);

const feedsOf = (steps: readonly Step[]): Feeds => ({ ...(steps.at(-1) as Step), attention_mask: masked(steps) });

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

test('feeds may be handed over', async () => {
  const session = await InferenceSession.create(grouped());
  const state = await session.createState();
  const feeds = feedsOf([step(4)]);
  await session.run(feeds, { state, transfer: true, signal: new AbortController().signal });
  assert.is((feeds.q as Step['q']).data.length, 0);
  assert.is(state.length, 4);
  await session.release();
});

test('a state is of one session, here or there, and a pool has none', async () => {
  const [here, there, pool] = await Promise.all([
    DirectSession.create(grouped()),
    InferenceSession.create(grouped()),
    createPool(grouped(), { size: 1 }),
  ]);
  const [own, remote] = [here.createState(), await there.createState()];
  const feeds = feedsOf([step(3)]);
  const anothers = /belongs to another session/;
  await expectRejection('INVALID_ARGUMENT', anothers, here.run(feeds, { state: remote as State }));
  await expectRejection('INVALID_ARGUMENT', anothers, there.run(feeds, { state: own }));
  await expectRejection('INVALID_ARGUMENT', /a pool has no states/, pool.run(feeds, { state: own }));
  await Promise.all([here.release(), there.release(), pool.release()]);
});

test.run();
