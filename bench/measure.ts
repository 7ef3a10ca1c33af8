import { PerformanceObserver } from 'node:perf_hooks';
import { median } from './statistics.js';

type Run = () => Promise<unknown>;

/** Milliseconds of one run. */
export interface Spread {
  median: number;
  min: number;
}

export interface Timing extends Spread {
  runs: number;
  /** Processor time over wall time: 1 for one thread. */
  cores: number;
}

/** Engines recompile hot code while it runs: it is stable after a second and ten runs, or at most five seconds. */
const WARM_UP = { milliseconds: 1000, runs: 10, most: 5000 };

const warmUp = (run: Run) => repeat(run, WARM_UP.milliseconds, WARM_UP.runs, WARM_UP.most);

export async function timing(run: Run, seconds: number): Promise<Timing> {
  await warmUp(run);
  const cpu = process.cpuUsage();
  const started = performance.now();
  const times = await repeat(run, seconds * 1000, 5);
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return {
    median: median(times),
    min: times.reduce((least, time) => Math.min(least, time)),
    runs: times.length,
    cores: (user + system) / 1000 / wall,
  };
}

/** Alternates between bursts of runs, so that slow changes of the machine affect all alike. */
const BURST = { milliseconds: 40, runs: 2 };

/** Like `timing` for several functions, `seconds` for each. */
export async function alternately(runs: readonly Run[], seconds: number): Promise<Spread[]> {
  const times = runs.map((): number[] => []);
  for (const run of runs) await warmUp(run);
  const end = performance.now() + seconds * 1000 * runs.length;
  while (performance.now() < end)
    for (const [i, run] of runs.entries()) times[i]?.push(...(await repeat(run, BURST.milliseconds, BURST.runs)));
  return times.map((own) => ({ median: median(own), min: own.reduce((least, time) => Math.min(least, time)) }));
}

/** Times at least `least` runs, and continues until `milliseconds` have passed; stops after `most` milliseconds in any case. */
export async function repeat(run: Run, milliseconds: number, least: number, most = Infinity): Promise<number[]> {
  const times: number[] = [];
  const begun = performance.now();
  for (
    let passed = 0;
    times.length < least ? passed < most : passed < milliseconds;
    passed = performance.now() - begun
  ) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times;
}

export interface Allocation {
  /** Bytes on the JavaScript heap per run. */
  heap: number;
  /** Bytes of an empty async function: the minimum for anything that is awaited. */
  emptyCall?: number;
  /** Bytes of array buffers per run. */
  arrayBuffers: number;
  runs: number;
  /** Garbage collections during measurement: if there are any, the true figures are larger. */
  collections: number;
}

const BATCHES = 5;

/**
 * Bytes that one run allocates: growth of the heap over many runs without garbage collection, so garbage counts too, minus the growth over
 * none. The minimum of several batches, since compilation also allocates. Needs --expose-gc and a large --max-semi-space-size.
 */
export async function allocation(run: Run, seconds: number): Promise<Allocation> {
  const each = median(await warmUp(run));
  const runs = Math.round(Math.min(2000, Math.max(20, (seconds * 1000) / each / BATCHES)));
  const none = await leastGrowth(run, 0);
  const all = await leastGrowth(run, runs);
  return {
    heap: (all.heap - none.heap) / runs,
    arrayBuffers: (all.arrayBuffers - none.arrayBuffers) / runs,
    runs,
    collections: all.collections,
  };
}

type Growth = Pick<Allocation, 'heap' | 'arrayBuffers' | 'collections'>;

async function leastGrowth(run: Run, runs: number): Promise<Growth> {
  let least: Growth | undefined;
  for (let batch = 0; batch < BATCHES; batch++) {
    const found = await growth(run, runs);
    if (!least || found.heap < least.heap) least = found;
  }
  return least as Growth;
}

async function growth(run: Run, runs: number): Promise<Growth> {
  globalThis.gc?.();
  await new Promise(setImmediate);
  const collections = new PerformanceObserver(() => {});
  collections.observe({ entryTypes: ['gc'] });
  const before = process.memoryUsage();
  for (let i = 0; i < runs; i++) await run();
  const after = process.memoryUsage();
  await new Promise(setImmediate);
  const found = collections.takeRecords().length;
  collections.disconnect();
  return {
    heap: after.heapUsed - before.heapUsed,
    arrayBuffers: after.arrayBuffers - before.arrayBuffers,
    collections: found,
  };
}
