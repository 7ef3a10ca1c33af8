import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { InferenceSession, type LoadProgress, type SessionOptions } from '../../src/index.js';
import { createPool } from '../../src/remote/pool/index.js';
import { expectRejection } from '../expect-error.js';
import { randomly } from '../session/run-model.js';
import { buildPackage, chainOfProducts, floats } from '../worker/session-worker.js';
import { inTime } from './in-time.js';
import { replacing } from './refusals.js';

const clock = suite('a clock that jumps');
clock.before(buildPackage);

const SEED = 99;
const HOUR = 3_600_000;

/** Milliseconds that the clock is off at a look. */
type Jumps = () => number;

const CLOCKS: Readonly<Record<string, () => Jumps>> = {
  'back and forth at any look': () => {
    const random = randomly(SEED);
    return () => (random() - 0.5) * HOUR;
  },
  'now and then': () => {
    const random = randomly(SEED + 1);
    let off = 0;
    return () => {
      if (random() < 0.1) off = (random() - 0.5) * HOUR;
      return off;
    };
  },
  'ahead at every look': () => {
    let off = 0;
    return () => {
      off += 1000;
      return off;
    };
  },
  'back at every look': () => {
    let off = 0;
    return () => {
      off -= 1000;
      return off;
    };
  },
};

/** Does `work` with clocks that are off; gives how often they were looked at. */
async function jumping(jumps: Jumps, work: () => Promise<void>): Promise<number> {
  let looks = 0;
  const [now, date] = [performance.now.bind(performance), Date.now];
  const off = (clock: () => number) => () => {
    looks++;
    return clock() + jumps();
  };
  const own = Object.getOwnPropertyDescriptor(performance, 'now');
  Object.defineProperty(performance, 'now', { value: off(now), configurable: true, writable: true });
  try {
    await replacing(Date, 'now', off(date), work);
  } finally {
    if (own) Object.defineProperty(performance, 'now', own);
    else Reflect.deleteProperty(performance, 'now');
  }
  return looks;
}

const model = chainOfProducts(60, 64);
const feeds = { x: floats([32, 64], 5) };

/** Loops of a body that is a few steps, with an operator on the host between. */
function loop(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', [32, 64]);
  const body = b.subgraph('body', (g) => {
    g.input('i', 'int64', []);
    const going = g.input('going', 'bool', []);
    const carried = g.input('carried', 'float32', [32, 64]);
    g.output('still', g.op('Identity', [going]));
    g.output('next', g.op('Softmax', [g.op('Tanh', [carried])], { axis: 0 }));
  });
  const trips = b.constant('trips', tensor('int64', [], [20n]));
  b.output('y', b.op('Loop', [trips, null, x], { body }), 'float32', [32, 64]);
  return b.toBytes();
}

const MODELS = { 'a chain': model, 'a loop': loop() };
const OPTIONS: readonly SessionOptions[] = [
  { intraOpNumThreads: 1 },
  { intraOpNumThreads: 2 },
  { intraOpNumThreads: 1, enableProfiling: true },
];

for (const [name, make] of Object.entries(CLOCKS)) {
  for (const [what, bytes] of Object.entries(MODELS))
    clock(`${name}: ${what} runs to its end with a signal, and no time is negative`, async () => {
      const alone = await InferenceSession.create(bytes, { intraOpNumThreads: 1 });
      const expected = await alone.run(feeds);
      await alone.release();
      for (const options of OPTIONS) {
        const seen: LoadProgress[] = [];
        const looks = await jumping(make(), async () => {
          const source = new Blob([bytes as Uint8Array<ArrayBuffer>]);
          const session = await InferenceSession.create(source, { ...options, onProgress: (now) => seen.push(now) });
          for (let run = 0; run < 3; run++) {
            const { signal } = new AbortController();
            assert.equal(await inTime('the run', session.run(feeds, { signal })), expected);
          }
          for (const { milliseconds, operator } of session.profile) assert.ok(milliseconds >= 0, operator);
          if (options.enableProfiling) assert.ok(session.profile.length > 0);
          await inTime('release', session.release());
        });
        assert.is(seen.at(-1)?.loaded, bytes.length);
        assert.ok(looks > 10, `the clock was looked at ${looks} times`);
      }
    });

  clock(`${name}: a pool answers`, async () => {
    const alone = await InferenceSession.create(model, { intraOpNumThreads: 1 });
    const expected = await alone.run(feeds);
    await alone.release();
    await jumping(make(), async () => {
      const pool = await createPool(model, { size: 2 });
      const { signal } = new AbortController();
      const runs = Array.from({ length: 6 }, () => pool.run(feeds, { signal }));
      for (const results of await inTime('the pool', Promise.all(runs))) assert.equal({ ...results }, { ...expected });
      await inTime('release', pool.release());
    });
  });
}

clock('set back an hour in the middle of a run, an abort is heard all the same', async () => {
  const session = await InferenceSession.create(chainOfProducts(200, 512), { intraOpNumThreads: 1 });
  const long = { x: floats([64, 512], 5) };
  await session.run(long);
  const controller = new AbortController();
  let looked = 0;
  const looks = await jumping(
    () => (looked++ < 2 ? 0 : -HOUR),
    async () => {
      const run = session.run(long, { signal: controller.signal });
      setImmediate(() => controller.abort());
      await expectRejection('ABORTED', /aborted/, inTime('the run', run));
    },
  );
  assert.ok(looks > 2);
  await session.release();
});

clock.run();
