import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { env, type Feeds, InferenceSession } from '../../src/index.js';
import { numbers, randomly } from '../session/run-model.js';
import { byTier, isAtLeast } from '../tier.js';
import { DOOM, doomedThread, MODES, PATIENCE } from './doomed-thread.js';
import { inTime } from './in-time.js';
import { type NodeWorker, withStartedWorkers } from './started-workers.js';
import { type SharedCall, watchingRuns } from './watched-runs.js';

const dead = suite('kernel threads that die');

const SEED = 20261122;
/** Threads of the sessions, for rounds through all steps that together make so many. */
const ROUNDS = byTier({ quick: 1, ci: 1, all: 2 });
const TEAMS = Array.from({ length: ROUNDS }, () => [2, 3]).flat();
/** In smaller tiers each step loses one thread: in one mode in a team of two, or in the other in a team of three. */
const LOSES_ALL = isAtLeast('all');
const INJECTIONS = byTier({ quick: 25, ci: 25, all: 200 });
/** The product shares a run where others could do so many tiles. */
const WORTH_SHARING = 4;

interface Example {
  readonly model: Uint8Array;
  readonly feeds: Feeds;
}

/** Convolutions, sums over channels, softmax and products: steps of many tiles, and of one. */
function network(): Example {
  const b = modelBuilder({ opset: 20 });
  let x = b.input('x', 'float32', [1, 16, 40, 40]);
  for (let i = 0; i < 2; i++) {
    const y = b.op('Conv', [x, b.constant(`w${i}`, numbers([16, 16, 3, 3], i + 1))], { pads: [1, 1, 1, 1] });
    x = b.op('Add', [b.op('Softmax', [y], { axis: 1 }), b.op('Relu', [x])]);
  }
  const rows = b.op('Flatten', [b.op('GlobalAveragePool', [x])]);
  b.output('y', b.op('MatMul', [rows, b.constant('m', numbers([16, 1000], 9))]));
  b.output('z', b.op('ReduceMax', [x], { keepdims: 0 }));
  return { model: b.toBytes(), feeds: { x: numbers([1, 16, 40, 40], 7) } };
}

/** Two stages, between which what was computed says a shape. */
function stages(): Example {
  const b = modelBuilder({ opset: 20 });
  const x = b.input('x', 'float32', [256, 128]);
  const y = b.op('Softmax', [b.op('MatMul', [x, b.constant('w', numbers([128, 256], 2))])], { axis: 0 });
  const least = b.op('ReduceMin', [y, b.constant('axes', tensor('int64', [1], [1n]))], { keepdims: 0 });
  const found = b.op('NonZero', [b.op('Greater', [least, b.constant('zero', tensor('float32', [], [0]))])]);
  const rows = b.op('Squeeze', [found, b.constant('first', tensor('int64', [1], [0n]))]);
  b.output('z', b.op('MatMul', [b.op('Gather', [y, rows]), b.constant('v', numbers([256, 160], 3))]));
  return { model: b.toBytes(), feeds: { x: numbers([256, 128], 4) } };
}

/** Steps in the body of a loop. */
function loop(): Example {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', [160, 160]);
  const body = b.subgraph('body', (g) => {
    g.input('i', 'int64', []);
    const going = g.input('going', 'bool', []);
    const carried = g.input('carried', 'float32', [160, 160]);
    g.output('still', g.op('Identity', [going]));
    const product = g.op('MatMul', [carried, g.constant('w', numbers([160, 160], 5))]);
    g.output('next', g.op('Softmax', [g.op('Tanh', [product])], { axis: 0 }));
  });
  const trips = b.constant('trips', tensor('int64', [], [3n]));
  b.output('y', b.op('Loop', [trips, null, x], { body }), 'float32', [160, 160]);
  return { model: b.toBytes(), feeds: { x: numbers([160, 160], 6) } };
}

/** Steps of phases: a sequence whose units threads share, its gates apart from what follows on them. */
function sequence(): Example {
  const b = modelBuilder({ opset: 22 });
  let x = b.input('x', 'float32', [5, 1, 192]);
  for (const [cell, gates] of [
    ['LSTM', 4],
    ['GRU', 3],
  ] as const) {
    const weights = ['w', 'r'].map((name, i) =>
      b.constant(`${name}${cell}`, numbers([1, gates * 192, 192], gates + i)),
    );
    const [y] = b.node(cell, [x, ...weights], { hidden_size: 192 }, { outputs: 1 });
    x = b.op('Squeeze', [y as never, b.constant(`axes${cell}`, tensor('int64', [1], [1n]))]);
  }
  b.output('y', x);
  return { model: b.toBytes(), feeds: { x: numbers([5, 1, 192], 8) } };
}

const EXAMPLES = { network, stages, loop, sequence };

/** A tile of a step of a call, counted in the run. */
interface Target {
  readonly call: number;
  readonly step: number;
  readonly tile: number;
  readonly mode: number;
}

const isShared = ({ tiles }: SharedCall) => tiles.reduce((others, of) => others + of - 1, 0) >= WORTH_SHARING;

/**
 * A tile of every step in which threads work together; not one that others have claimed before the doomed thread
 * claims all that are left. Each of them waits then, with a few tiles from the beginning of a share, in the first steps.
 */
function targetsIn(calls: readonly SharedCall[], threads: number, random: () => number): Target[] {
  return calls.flatMap((each, call) => {
    if (!isShared(each)) return [];
    let first = 0;
    let others = threads - 1;
    return each.tiles.flatMap((tiles, step) => {
      const isEnd = others > 0;
      others -= Math.min(others, tiles);
      first += tiles;
      if (isEnd && tiles < 2 * threads) return [];
      const tile = first - 1 - (isEnd ? 0 : Math.floor(random() * tiles));
      const modes = Object.values(MODES).filter(
        (mode) => LOSES_ALL || ((step + threads) % 2 === 0 && (step + call + mode) % 2 === 0),
      );
      return modes.map((mode) => ({ call, step, tile, mode }));
    });
  });
}

/** The calls of one run. */
async function callsOf({ model, feeds }: Example): Promise<SharedCall[]> {
  const calls: SharedCall[] = [];
  await watchingRuns({ call: (call) => calls.push(call) }, async () => {
    const session = await InferenceSession.create(model, { intraOpNumThreads: 2 });
    await session.run(feeds);
    await session.release();
  });
  return calls;
}

/** Runs with a thread that is killed when it has the tile in its hands. */
async function killAt(target: Target, threads: number, { model, feeds }: Example, expected: object): Promise<void> {
  const what = `call ${target.call}, step ${target.step}, tile ${target.tile}, mode ${target.mode}, ${threads} threads`;
  let call = Number.NEGATIVE_INFINITY;
  let words = new Int32Array();
  const watch = {
    call({ memory, team }: SharedCall) {
      words = new Int32Array(memory.buffer, team);
      words[DOOM.mode] = target.mode;
      Atomics.store(words, DOOM.tile, call++ === target.call ? target.tile + 1 : 0);
    },
    tiles() {
      if (words[DOOM.tile]) Atomics.wait(words, DOOM.claimed, 0, PATIENCE);
    },
  };
  const run = (workers: readonly NodeWorker[]) => async () => {
    const session = await InferenceSession.create(model, { intraOpNumThreads: threads });
    await session.run(feeds);
    await session.run(feeds);
    assert.is(session.threads, threads, what);
    const kill = setInterval(() => {
      if (!words[DOOM.held]) return;
      clearInterval(kill);
      for (const worker of workers) void worker.terminate();
    }, 1);
    call = 0;
    assert.equal(await inTime(what, session.run(feeds)), expected, what);
    clearInterval(kill);
    assert.is(words[DOOM.held], 1, `${what} was not hit`);
    assert.is(session.threads, 1, what);
    call = Number.NEGATIVE_INFINITY;
    assert.equal(await inTime(`the run after ${what}`, session.run(feeds)), expected, what);
    await inTime(`release after ${what}`, session.release());
  };
  await withStartedWorkers((workers) => watchingRuns(watch, run(workers)));
}

let injected = 0;
let warn: typeof console.warn;
dead.before(() => {
  warn = console.warn;
  console.warn = () => {};
  env.wasm.workerUrl = new URL(`data:text/javascript,${encodeURIComponent(doomedThread)}`);
});
dead.after(() => {
  console.warn = warn;
  delete env.wasm.workerUrl;
});

for (const [name, make] of Object.entries(EXAMPLES)) {
  dead(`${name}: a thread killed with a tile of any step in its hands spoils no run`, async () => {
    const example = make();
    const alone = await InferenceSession.create(example.model, { intraOpNumThreads: 1 });
    const expected = await alone.run(example.feeds);
    await alone.release();
    const random = randomly(SEED);
    const calls = await callsOf(example);
    let kills = 0;
    const steps = new Set<string>();
    for (const threads of TEAMS)
      for (const target of targetsIn(calls, threads, random)) {
        await killAt(target, threads, example, expected);
        steps.add(`${target.call}: ${target.step}`);
        kills++;
      }
    injected += kills;
    console.log(`${name}: ${kills} threads killed with a tile in their hands, in ${steps.size} steps (seed ${SEED})`);
    assert.ok(kills > 0);
  });
}

dead('so many threads were killed', () => assert.ok(injected >= INJECTIONS, `${injected} of ${INJECTIONS}`));

dead.run();
