import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession, type MemoryPlan, type StepTiming } from '../../../src/index.js';
import { toChromeTrace } from '../../../src/tools/index.js';
import { expectError } from '../../expect-error.js';
import { firstDataSet } from '../../first-data-set.js';
import { sharedModels } from '../../shared-data.js';
import { networks, readProto } from '../check/models.js';
import { checkSchema, eventsOf } from './schema.js';

const test = suite("profiles as Chrome's traces");

for (const path of networks().filter((one) => /digits|mobilenet_v3|bert_mini|ssdlite/.test(one)))
  test(`${path.split('/').at(-2)}: the trace has a slice for each step`, async () => {
    await using session = await InferenceSession.create(readFileSync(path), { enableProfiling: true });
    const feeds = firstDataSet(path, readProto(path), 'input');
    for (let i = 0; i < 3; i++) await session.run(feeds);
    const { profile, memoryPlan } = session;
    const text = toChromeTrace(profile, { memoryPlan, title: path });
    checkSchema(text, profile);
    const { steps, peak, lowerBound } = memoryPlan as MemoryPlan;
    const counted = eventsOf(text)
      .filter(({ ph }) => ph === 'C')
      .map(({ args }) => args.bytes as number);
    const isOneStage = steps === profile.filter(({ run }) => run === 0).length;
    assert.is(counted.length, isOneStage ? 3 * (steps + 1) : 0);
    if (isOneStage) assert.ok(Math.max(...counted) <= peak && Math.max(...counted) > lowerBound / 2);
  });

/** Steps as a clock of coarse ticks gives them: several begin and end at once, some take no time. */
test('steps of no time, and times that are no whole nanoseconds', () => {
  const step = (run: number, start: number, milliseconds: number): StepTiming => ({
    node: '"n"\n',
    operator: 'Add',
    origins: ['3', '4/body/0'],
    provider: 'wasm',
    kernel: 'elementwiseF32',
    run,
    start,
    milliseconds,
    tiles: 1,
    threads: [{ thread: 0, start, milliseconds, tiles: 1 }],
    bytes: 12,
    multiplyAdds: null,
  });
  const profile = [
    step(0, 0, 0),
    step(0, 0, 0.1),
    step(0, 0.1, 1 / 3),
    step(0, 0.1 + 1 / 3, 1 / 7),
    step(1, 0.2, 1e-7),
  ];
  checkSchema(toChromeTrace(profile), profile);
});

const threadsOf = (profile: readonly StepTiming[]) =>
  new Set(profile.flatMap(({ threads }) => threads.map(({ thread }) => thread)));

for (const name of sharedModels('mobilenet_v3_small'))
  test('three threads: a row for each, whose slices are what it did of the steps', async () => {
    const path = networks().find((one) => one.includes(name)) as string;
    await using session = await InferenceSession.create(readFileSync(path), { intraOpNumThreads: 3 });
    const feeds = firstDataSet(path, readProto(path), 'input');
    for (let i = 0; i < 2; i++) await session.run(feeds);
    session.startProfiling();
    // A busy machine may have no core for a thread for some runs.
    for (let i = 0; i < 100 && threadsOf(session.profile).size < 2; i++) await session.run(feeds);
    const { profile } = session;
    const text = toChromeTrace(profile);
    checkSchema(text, profile);
    const events = eventsOf(text);
    const rows = events.filter(({ name }) => name === 'thread_name');
    assert.equal(
      rows.map(({ tid, args }) => [tid, args.name]),
      [[1, 'steps'], ...[...threadsOf(profile)].sort().map((thread) => [thread + 2, `thread ${thread}`])],
    );
    assert.is(rows.length, 1 + threadsOf(profile).size);
    assert.ok(rows.length >= 3, 'the calling thread and another have worked');
    for (const { tid } of rows.slice(1))
      assert.is(
        events
          .filter((each) => each.ph === 'X' && each.tid === tid)
          .reduce((sum, { args }) => sum + Number(args.tiles), 0),
        profile
          .flatMap(({ threads }) => threads)
          .filter(({ thread }) => thread === tid - 2)
          .reduce((sum, { tiles }) => sum + tiles, 0),
      );
  });

test('a profile without steps is refused', () => {
  expectError('INVALID_ARGUMENT', /startProfiling/, () => toChromeTrace([]));
});

test.run();
