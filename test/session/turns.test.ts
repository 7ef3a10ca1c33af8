import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { type Feeds, InferenceSession, type RunOptions } from '../../src/index.js';
import { InferenceSession as Compatible } from '../../src/onnxruntime/index.js';
import { createPool } from '../../src/remote/pool/index.js';
import { InferenceSession as WorkerSession } from '../../src/remote/worker/index.js';
import { buildPackage, chainOfProducts, floats } from '../worker/session-worker.js';

const turns = suite('turns of the event loop in a loop of runs');
turns.before(buildPackage);

/** A run of less than a millisecond, which no signal interrupts. */
const model = chainOfProducts(6, 128);
const feeds = { x: floats([32, 128], 2) };

/** A cache that grows by a row with each run, and a product that takes about as long. */
function decoder(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  const past = b.input('past_key_values.0.key', 'float32', [1, 1, 'past', 128]);
  const x = b.input('x', 'float32', [1, 1, 1, 128]);
  const all = b.op('Concat', [past, x], { axis: 2 });
  b.output('present.0.key', all);
  const weights = b.constant('w', tensor('float32', [128, 4096], new Float32Array(128 * 4096).fill(0.01)));
  b.output('y', b.op('ReduceMax', [b.op('MatMul', [all, weights])], { keepdims: 0 }));
  return b.toBytes();
}

type Run = () => Promise<unknown>;

interface Loop {
  readonly run: Run;
  readonly end: () => Promise<unknown>;
}

const session = async (options: () => RunOptions, given: Feeds = feeds): Promise<Loop> => {
  const made = await InferenceSession.create(model);
  return { run: () => made.run(given, options()), end: () => made.release() };
};

const LOOPS: Readonly<Record<string, () => Promise<Loop>>> = {
  plain: () => session(() => ({})),
  'one signal for all': () => {
    const { signal } = new AbortController();
    return session(() => ({ signal }));
  },
  'a signal each': () => session(() => ({ signal: new AbortController().signal })),
  limits: () => session(() => ({ limits: { milliseconds: 60_000 } })),
  capture: () => session(() => ({ capture: 'all' })),
  fetches: () => session(() => ({ fetches: ['y'] })),
  'three at once': async () => {
    const made = await InferenceSession.create(model);
    return { run: () => Promise.all([feeds, feeds, feeds].map((x) => made.run(x))), end: () => made.release() };
  },
  'runs that fail': async () => {
    const made = await InferenceSession.create(model);
    return { run: () => made.run({ x: floats([3]) }).catch(() => {}), end: () => made.release() };
  },
  'warming up': async () => {
    const made = await InferenceSession.create(model);
    return { run: () => made.warmUp({ rows: 32 }), end: () => made.release() };
  },
  threads: async () => {
    const made = await InferenceSession.create(model, { intraOpNumThreads: 2 });
    return { run: () => made.run(feeds), end: () => made.release() };
  },
  'the reference provider': async () => {
    const made = await InferenceSession.create(chainOfProducts(1, 64), { executionProviders: ['reference'] });
    return { run: () => made.run({ x: floats([32, 64], 2) }), end: () => made.release() };
  },
  'a state': async () => {
    const made = await InferenceSession.create(decoder());
    const state = made.createState();
    const run = () => made.run({ x: floats([1, 1, 1, 128]) }, { state });
    return { run, end: () => made.release() };
  },
  'names of onnxruntime': async () => {
    const made = await Compatible.create(model);
    return { run: () => made.run(feeds as never), end: () => made.release() };
  },
  'a worker': async () => {
    const made = await WorkerSession.create(model);
    return { run: () => made.run(feeds), end: () => made.release() };
  },
  'a pool': async () => {
    const made = await createPool(model, { size: 1 });
    return { run: () => made.run(feeds), end: () => made.release() };
  },
};

/** Some seconds of runs, where three turns take a tenth of one; without turns, a loop would go on to the end. */
const MOST_RUNS = 3000;
const TICKS = 3;

/** Timers of a millisecond, one after another, that have fired before a loop has run so often. */
async function ticksDuring(run: Run): Promise<number> {
  let ticks = 0;
  let timer: NodeJS.Timeout;
  const tick = () => {
    ticks++;
    timer = setTimeout(tick, 1);
  };
  timer = setTimeout(tick, 1);
  for (let i = 0; i < MOST_RUNS && ticks < TICKS; i++) await run();
  clearTimeout(timer);
  return ticks;
}

for (const [name, open] of Object.entries(LOOPS))
  turns(`${name}: timers fire before run ${MOST_RUNS}`, async () => {
    const { run, end } = await open();
    assert.ok((await ticksDuring(run)) >= TICKS);
    await end();
  });

turns('runs of less than 30 ms together take no turn', async () => {
  const made = await InferenceSession.create(chainOfProducts(1, 8));
  const small = { x: floats([1, 8], 2) };
  for (let i = 0; i < 20; i++) await made.run(small);
  let [without, tries] = [false, 0];
  // Now and then a turn is due just here, or the machine stands still for so long.
  while (!without && tries++ < 50) {
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
    });
    for (let i = 0; i < 3; i++) await made.run(small);
    without = !hasTurned;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(without);
  await made.release();
});

turns('results come in the order of their calls where a turn is due', async () => {
  const made = await InferenceSession.create(model);
  for (let i = 0; i < 30; i++) {
    const came: number[] = [];
    await Promise.all([0, 1, 2, 3].map((place) => made.run(feeds).then(() => came.push(place))));
    assert.equal(came, [0, 1, 2, 3]);
  }
  await made.release();
});

turns.run();
