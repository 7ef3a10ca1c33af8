import type { HostValue, StepTiming } from 'sardonyx';
import type { Measurement } from '../contracts/runs.js';
import type { Held } from './sessions.js';

type Feeds = Record<string, HostValue>;

const PROFILED = 5;

export interface Measuring {
  readonly runs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: ((part: number) => void) | undefined;
}

/** Times runs, then profiles several more step by step and reports the steps of the fastest. */
export async function measure(held: Held, feeds: Feeds, { runs, signal, onProgress }: Measuring): Promise<Measurement> {
  const { session, settings, milliseconds: create } = held;
  const first = await timed(() => session.run(feeds));
  const times = new Float64Array(runs);
  for (let i = 0; i < runs; i++) {
    times[i] = await timed(() => session.run(feeds));
    signal.throwIfAborted();
    onProgress?.((i + 1) / (runs + PROFILED));
    if (i % 4 === 3) await turn();
  }
  const { milliseconds: profiled, steps } = await profiledRun(held, feeds, signal);
  const { threads, memoryPlan: memory } = session;
  return { settings, threads, create, first, runs: times, profiled, steps, memory };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

interface Profiled {
  readonly milliseconds: number;
  readonly steps: readonly StepTiming[];
}

async function profiledRun({ session }: Held, feeds: Feeds, signal: AbortSignal): Promise<Profiled> {
  const all: Profiled[] = [];
  for (let i = 0; i < PROFILED; i++) {
    signal.throwIfAborted();
    session.startProfiling();
    const milliseconds = await timed(() => session.run(feeds));
    session.endProfiling();
    all.push({ milliseconds, steps: [...session.profile] });
  }
  return all.reduce((least, run) => (run.milliseconds < least.milliseconds ? run : least));
}

/** Lets messages through, such as a cancellation. */
const turn = () => new Promise((resolve) => setTimeout(resolve));
