import { getEventListeners } from 'node:events';
import * as assert from 'uvu/assert';
import type { SardonyxError } from '../../../src/base/errors.js';
import { type Feeds, type RunOptions, Tensor } from '../../../src/index.js';
import { expectRejection } from '../../expect-error.js';
import { f32, i64, int } from '../../values.js';
import type { Check, Session, State } from '../contract.js';
import * as models from './models.js';
import { a, allShown, b, shown, stillSums } from './values.js';

const FOR_EVER = 2n ** 62n;

/** models.doubled: 2 ^ times. */
const double = (session: Session, times: number | bigint, options?: RunOptions) =>
  session.run({ x: f32([1], [1]), times: int(times) }, options);

async function stillDoubles(session: Session): Promise<void> {
  assert.is(shown((await double(session, 5)).y), 'float32[1] 32');
}

/** The code, name and cause that a run ends with. */
const endOf = (run: Promise<unknown>): Promise<unknown[]> =>
  run.then(
    () => ['no error'],
    ({ code, name, cause }: SardonyxError) => [code, name, cause],
  );

const ENOUGH = ['ABORTED', 'AbortError', 'enough'];

function abortedIn(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort('enough'), milliseconds);
  return controller.signal;
}

const row = (...values: number[]): Feeds => ({ x: f32([1, 1, values.length / 2, 2], values) });

/** What models.cache gives from that state: the sum of all rows that it has seen. */
async function sumOf(session: Session, state: State, ...values: number[]): Promise<string> {
  return shown((await session.run(row(...values), { state } as RunOptions)).sum);
}

/** Runs at the same time, signals, limits, release, and what is known beside results. */
export const AROUND_RUNS: Readonly<Record<string, Check>> = {
  async 'runs that are not awaited keep their own feeds and results'({ open }) {
    const session = await open(models.sum);
    const numbers = Array.from({ length: 12 }, (_, i) => i);
    const runs = numbers.map((i) => session.run({ a: f32([1 + (i % 3), 2], new Array(2 + 2 * (i % 3)).fill(i)), b }));
    const results = (await Promise.all(runs)).map(({ y }) => shown(y));
    assert.equal(
      results,
      numbers.map((i) => `float32[${1 + (i % 3)},2] ${new Array(1 + (i % 3)).fill(`${i + 10} ${i + 20}`).join(' ')}`),
    );
  },
  async 'a run that fails leaves those before and behind it alone'({ open }) {
    const session = await open(models.sum);
    const wrong = { a: f32([1, 3], [1, 2, 3]), b };
    const runs = [{ a, b }, wrong, { a, b }, wrong, { a, b }].map((feeds) => session.run(feeds).then(allShown, codeOf));
    const outcomes = await Promise.all(runs);
    assert.equal(
      outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.y)),
      ['float32[1,2] 11 22', 'INVALID_SHAPE', 'float32[1,2] 11 22', 'INVALID_SHAPE', 'float32[1,2] 11 22'],
    );
  },
  async 'sessions of one model are independent'({ create }) {
    const [one, two] = await Promise.all([create(models.sum()), create(models.sum())]);
    await Promise.all([stillSums(one), stillSums(two)]);
    await two.release();
    await stillSums(one);
    await one.release();
  },

  async 'a signal that says nothing changes nothing, and keeps no listener'({ open }) {
    const session = await open(models.sum);
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const runs = Array.from({ length: 12 }, () => session.run({ a, b }, { signal }));
    runs.push(session.run({ a, b }, ['y', 'z'], { signal }));
    for (const { y } of await Promise.all(runs)) assert.is(shown(y), 'float32[1,2] 11 22');
    await new Promise(setImmediate);
    process.off('warning', note);
    assert.equal([warnings, getEventListeners(signal, 'abort')], [[], []]);
  },
  async 'a signal that has fired lets nothing run'({ open }) {
    const session = await open(models.doubled);
    assert.equal(await endOf(double(session, FOR_EVER, { signal: AbortSignal.abort('enough') })), ENOUGH);
    await stillDoubles(session);
  },
  async 'a signal stops a run that has no end, and the next run works'({ open }) {
    const session = await open(models.doubled);
    await stillDoubles(session);
    for (let round = 0; round < 2; round++) {
      assert.equal(await endOf(double(session, FOR_EVER, { signal: abortedIn(20) })), ENOUGH);
      await stillDoubles(session);
    }
  },
  async 'a signal stops runs that wait, too'({ open }) {
    const session = await open(models.doubled);
    const signal = abortedIn(20);
    const runs = Array.from({ length: 4 }, () => endOf(double(session, FOR_EVER, { signal })));
    assert.equal(await Promise.all(runs), [ENOUGH, ENOUGH, ENOUGH, ENOUGH]);
    await stillDoubles(session);
  },
  async 'an abort during create, and one after it'({ create }) {
    const signal = AbortSignal.abort('enough');
    assert.equal(await endOf(create(models.sum(), { signal })), ENOUGH);
    const controller = new AbortController();
    const session = await create(models.sum(), { signal: controller.signal });
    controller.abort();
    await stillSums(session);
    await session.release();
  },

  async 'limits of a run'({ open }) {
    const doubling = await open(models.doubled);
    const limits = { milliseconds: 300 };
    await expectRejection('LIMIT', /limit of 300 milliseconds/, double(doubling, FOR_EVER, { limits }));
    await stillDoubles(doubling);
    const spreading = await open(models.spread);
    const run = (size: number, options?: RunOptions) =>
      spreading.run({ x: f32([1], [3]), size: i64([1], [size]) }, options);
    const small = { limits: { memoryBytes: 2 ** 22 } };
    await expectRejection('LIMIT', /Expand ".*4,194,304; .* limits of run/, run(2 ** 21, small));
    await expectRejection('INVALID_ARGUMENT', /not "bytes"/, run(1, { limits: { bytes: 1 } as object }));
    assert.is(shown((await run(2, small)).y), 'float32[2] 3 3');
    assert.is(((await run(2 ** 21)).y as Tensor).data.length, 2 ** 21);
  },
  async 'limits of a session'({ create }) {
    const session = await create(models.spread(), { limits: { memoryBytes: 2 ** 26 } });
    const run = (size: number) => session.run({ x: f32([1], [3]), size: i64([1], [size]) });
    await expectRejection('LIMIT', /Expand ".*67,108,864; .* limits of create/, run(1e9));
    assert.is(((await run(5)).y as Tensor).data.length, 5);
    await session.release();
    await expectRejection('LIMIT', /the limit is 1;/, create(models.steps(), { limits: { nodes: 1 } }));
  },

  async 'release waits for what goes on, refuses what comes later, and may be called again'({ create }) {
    const session = await create(models.doubled());
    const { signal } = new AbortController();
    const events: string[] = [];
    const runs = [1, 2, 3].map((times) =>
      double(session, times, { signal }).then(({ y }) => void events.push(shown(y))),
    );
    const released = session.release().then(() => void events.push('released'));
    await expectRejection('RELEASED', /released/, double(session, 1));
    await Promise.all([...runs, released]);
    assert.is(events.at(-1), 'released');
    assert.equal(events.sort(), ['float32[1] 2', 'float32[1] 4', 'float32[1] 8', 'released']);
    await session.release();
    await expectRejection('RELEASED', /released/, double(session, 1));
    assert.equal(session.outputNames, ['y']);
  },
  async 'release during a run that has no end waits until that is stopped'({ create }) {
    const session = await create(models.doubled());
    const run = endOf(double(session, FOR_EVER, { signal: abortedIn(30) }));
    await session.release();
    assert.equal(await run, ENOUGH);
  },
  async '“await using” releases at the end of the block'({ create }) {
    let kept: Session;
    {
      await using session = await create(models.sum());
      await stillSums(session);
      kept = session;
    }
    await expectRejection('RELEASED', /released/, kept.run({ a, b }));
  },

  async 'warmUp takes sizes, shapes or feeds, and leaves no trace'({ create }) {
    const session = await create(models.sum());
    await session.warmUp({ n: 3 });
    await session.warmUp({ a: [2, 2] });
    await session.warmUp({ a, b });
    assert.equal([shown(a), shown(b)], ['float32[1,2] 1 2', 'float32[1,2] 10 20']);
    await stillSums(session);
    const open = /"a" float32\[n,2\] has a dynamic dimension: .*warmUp\(\{ "n": 1 \}\)/;
    await expectRejection('INVALID_ARGUMENT', open, warmUp(session));
    await expectRejection('INVALID_ARGUMENT', /no input or dynamic dimension "m"/, warmUp(session, { m: 1 }));
    await expectRejection('INVALID_ARGUMENT', /"n" must be a whole number, not -1/, warmUp(session, { n: -1 }));
    await expectRejection('INVALID_SHAPE', /expected dims/, warmUp(session, { a: [3, 3] }));
    await stillSums(session);
    await session.release();
    await expectRejection('RELEASED', /released/, warmUp(session, { n: 1 }));
  },

  async 'a profile has the steps of the runs between its beginning and its end'({ create }) {
    const session = await create(models.steps(), { graphOptimizationLevel: 'disabled' });
    const run = () => session.run({ x: f32([2], [1, -2]) });
    await run();
    assert.equal(await session.profile, []);
    await session.startProfiling();
    await run();
    await run();
    await session.endProfiling();
    await run();
    const steps = await session.profile;
    assert.equal(
      steps.map(({ operator }) => operator),
      ['Mul', 'Relu', 'Tanh', 'Mul', 'Relu', 'Tanh'],
    );
    for (const { kernel, milliseconds } of steps) assert.ok(kernel && milliseconds >= 0);
    await session.release();
    const profiled = await create(models.steps(), { enableProfiling: true });
    await profiled.run({ x: f32([2], [1, -2]) });
    assert.ok((await profiled.profile).length > 0);
    await profiled.release();
  },

  async 'values inside the graph come beside the outputs'({ create }) {
    const session = await create(models.steps(), { graphOptimizationLevel: 'disabled' });
    const x = f32([2], [1, -2]);
    const inside = { doubled: 'float32[2] 2 -4', positive: 'float32[2] 2 0' };
    const y = `float32[2] ${Math.fround(Math.tanh(2))} 0`;
    const close = ({ y: found, ...others }: Feeds) => {
      const [first, second] = (found as Tensor).data as Float32Array;
      assert.ok(Math.abs((first as number) - Math.tanh(2)) < 1e-6 && second === 0, `${shown(found)}, not ${y}`);
      return allShown(others);
    };
    assert.equal(close(await session.run({ x }, { capture: 'all' })), inside);
    assert.equal(close(await session.run({ x }, ['y'], { capture: ['positive'] })), { positive: inside.positive });
    assert.equal(close(await session.run({ x })), {});
    const target = new Tensor('float32', [0, 0]);
    assert.is((await session.run({ x }, { y: target }, { capture: ['doubled'] })).y, target);
    const wrong: readonly (readonly [unknown, string, RegExp])[] = [
      [['doubles'], 'UNKNOWN_OUTPUT', /value "doubles".*"doubled"/],
      [['weight'], 'UNKNOWN_OUTPUT', /value "weight": is a weight/],
      ['doubled', 'INVALID_ARGUMENT', /'all' or a list of values/],
      [[1], 'INVALID_ARGUMENT', /'all' or a list of values/],
    ];
    for (const [capture, code, message] of wrong)
      await expectRejection(code as 'UNKNOWN_OUTPUT', message, session.run({ x }, { capture } as never));
    assert.equal(close(await session.run({ x })), {});
    await session.release();
  },
  async 'values that the optimizer has removed are named'({ create }) {
    const session = await create(models.steps());
    const all = ['doubled', 'positive'];
    const found = Object.keys(await session.run({ x: f32([2], [1, -2]) }, { capture: all }));
    const gone = await session.optimizedAway;
    assert.ok(gone.length > 0, 'the three nodes are one step');
    assert.equal([...found, ...gone].sort(), [...all, 'y'].sort());
    await session.release();
  },

  async 'a state goes on from run to run'({ open }) {
    const session = await open(models.cache);
    const state = await session.createState({ capacity: 4 });
    assert.is(state.length, 0);
    assert.is(await sumOf(session, state, 1, 2), 'float32[] 3');
    assert.is(await sumOf(session, state, 3, 4, 5, 6), 'float32[] 21');
    assert.is(state.length, 3);
    const twin = await state.clone();
    await state.truncate(1);
    assert.is(await sumOf(session, state, 10, 20), 'float32[] 33');
    assert.is(await sumOf(session, twin, 7, 8), 'float32[] 36');
    const fetches = ['sum', 'present.0.key'];
    const given = allShown(await session.run(row(0, 0), fetches, { state } as RunOptions));
    assert.equal(given, { sum: 'float32[] 33', 'present.0.key': 'float32[1,1,3,2] 1 2 10 20 0 0' });
    const file = await state.save();
    const loaded = await session.createState();
    await loaded.load(file);
    assert.is(loaded.length, 3);
    assert.is(await sumOf(session, loaded, 1, 1), 'float32[] 35');
    for (const each of [state, twin, loaded]) await each.release();
    assert.is(state.length, 0);
    await expectRejection('RELEASED', /./, sumOf(session, state, 1, 2));
  },
  async 'runs of a state that are not awaited follow each other; one that is stopped changes nothing'({ open }) {
    const session = await open(models.cache);
    const state = await session.createState();
    const runs = [1, 2, 3].map((i) => sumOf(session, state, i, 0));
    assert.equal(await Promise.all(runs), ['float32[] 1', 'float32[] 3', 'float32[] 6']);
    const stopped = session.run(row(9, 9), { state, signal: AbortSignal.abort() } as RunOptions);
    await expectRejection('ABORTED', /aborted/, stopped);
    await expectRejection('INVALID_SHAPE', /"x"/, session.run({ x: f32([1], [1]) }, { state } as RunOptions));
    assert.is(state.length, 3);
    assert.is(await sumOf(session, state, 4, 0), 'float32[] 10');
    await state.release();
  },
  async 'states that cannot be are refused, and those of other sessions'({ open, create }) {
    const session = await open(models.cache);
    const made = async (of: Session, options?: object) => of.createState(options);
    await expectRejection('INVALID_ARGUMENT', /past, state|no input "past/, made(await open(models.sum)));
    await expectRejection(
      'INVALID_ARGUMENT',
      /"nothing" is not an input/,
      made(session, { pairs: { nothing: 'sum' } }),
    );
    await expectRejection('INVALID_ARGUMENT', /float32, float16, int8/, made(session, { type: 'int4' }));
    const other = await create(models.cache());
    const theirs = await other.createState();
    await expectRejection('INVALID_ARGUMENT', /belongs to another session/, sumOf(session, theirs, 1, 2));
    const damaged = (async () => theirs.load(new Uint8Array(4)))();
    await expectRejection('INVALID_VALUE', /./, damaged);
    await expectRejection('INVALID_ARGUMENT', /there are 0/, (async () => theirs.truncate(4))());
    await other.release();
    await expectRejection('RELEASED', /released/, made(other));
  },
};

const warmUp = async (session: Session, given?: object): Promise<void> => session.warmUp(given as never);
const codeOf = ({ code }: SardonyxError): string => code;
