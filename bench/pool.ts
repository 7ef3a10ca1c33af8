// Throughput of several workers compared with one, and how long a run in a worker blocks its caller: npm run bench:pool -- [--size 2]
// [--rounds 10] [--seconds 1] [--model FILE, with one input whose only dynamic dimension is the first]. Run npm run build first.
import { parseArgs } from 'node:util';
import { modelBuilder } from '../src/builder/index.js';
import type { Feeds } from '../src/index.js';
import { createPool, type SessionPool } from '../src/remote/pool/index.js';
import { InferenceSession } from '../src/remote/worker/index.js';
import { median } from './statistics.js';
import { asText, figure } from './tables.js';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '1' },
    model: { type: 'string' },
  },
});
const [size, rounds, seconds] = [values.size, values.rounds, values.seconds].map(Number) as [number, number, number];

const signal = (count: number) => Float32Array.from({ length: count }, (_, i) => Math.sin(i * 0.7) / 8);

/** 16 convolutions 3×3 of 64 channels on 28×28: 0.46 billion multiply-adds, about 7 ms; weights stay in the L2 cache. */
function convolutions(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  const weights = b.constant('w', { type: 'float32', dims: [64, 64, 3, 3], data: signal(64 * 64 * 9) });
  let x = b.input('x', 'float32', ['batch', 64, 28, 28]);
  for (let i = 0; i < 16; i++) x = b.op('Tanh', [b.op('Conv', [x, weights], { pads: [1, 1, 1, 1] })]);
  b.output('y', b.op('GlobalAveragePool', [x]));
  return b.toBytes();
}

function feedsOf({ inputMetadata }: Pick<SessionPool, 'inputMetadata'>): Feeds {
  const [input] = inputMetadata;
  if (!input?.isTensor || input.type !== 'float32') throw new Error('the model must have one input of float32');
  const dims = input.shape.map((dim) => (typeof dim === 'number' ? dim : 1));
  return { [input.name]: { type: 'float32', dims, data: signal(dims.reduce((product, dim) => product * dim, 1)) } };
}

interface Throughput {
  readonly perSecond: number;
  /** Independent of other load on the machine: equal for any number of workers that do not hinder one another. */
  readonly perProcessorSecond: number;
}

/** Measures with enough concurrent calls to keep all workers busy. */
async function throughput(pool: SessionPool, feeds: Feeds, size: number): Promise<Throughput> {
  let runs = 0;
  const before = process.cpuUsage();
  const started = performance.now();
  const end = started + seconds * 1000;
  const keepBusy = async () => {
    for (; performance.now() < end; runs++) await pool.run(feeds);
  };
  await Promise.all(Array.from({ length: 2 * size }, keepBusy));
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: (runs / (performance.now() - started)) * 1e3,
    perProcessorSecond: (runs / (user + system)) * 1e6,
  };
}

/** The longest time without a turn for an otherwise idle thread. */
async function longestGap(run: () => Promise<unknown>): Promise<number> {
  let [last, longest] = [performance.now(), 0];
  const beat = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(beat, 1);
  await run();
  beat();
  clearInterval(timer);
  return longest;
}

const model = values.model ?? convolutions();
const pools = new Map<number, SessionPool>();
for (const workers of [1, size]) pools.set(workers, await createPool(model, { size: workers }));
const alone = await InferenceSession.create(model, { intraOpNumThreads: 1 });
const feeds = feedsOf(alone);

const measured = new Map<number, Throughput[]>([...pools.keys()].map((workers) => [workers, []]));
const gaps: number[] = [];
for (let round = 0; round <= rounds; round++) {
  for (const [workers, pool] of pools) {
    const found = await throughput(pool, feeds, workers);
    if (round > 0) measured.get(workers)?.push(found);
  }
  const gap = await longestGap(() => alone.run(feeds));
  if (round > 0) gaps.push(gap);
}
await Promise.all([...pools.values(), alone].map((each) => each.release()));

const best = (workers: number, of: keyof Throughput) => Math.max(...all(workers, of));
const all = (workers: number, of: keyof Throughput) => (measured.get(workers) ?? []).map((found) => found[of]);
console.log(
  asText({
    title: `Runs per second, ${rounds} rounds of ${seconds} s in turn`,
    header: ['workers', 'best', 'median', 'per processor second'],
    rows: [...pools.keys()].map((workers) => [
      String(workers),
      figure(best(workers, 'perSecond')),
      figure(median(all(workers, 'perSecond'))),
      figure(best(workers, 'perProcessorSecond')),
    ]),
  }),
);
const ratio = (of: keyof Throughput) => figure(best(size, of) / best(1, of));
console.log(`${size} over 1: ${ratio('perSecond')}; per processor second ${ratio('perProcessorSecond')}`);
const [least, middle] = [Math.min(...gaps), median(gaps)].map(figure);
console.log(`Longest time without a turn for the calling thread during a run: least ${least} ms, median ${middle} ms`);
