// One runtime in a process of its own: receives a job, sends a report.
import { readFileSync } from 'node:fs';
import type { InferenceSession, Results, Tensor } from '../src/index.js';
import type { NamedTensor } from './inputs.js';
import { type Allocation, allocation, alternately, type Spread, type Timing, timing } from './measure.js';
import { load, type RuntimeName, runtime, watchWebAssembly } from './runtimes.js';
import { serve } from './serve.js';
import { sideBySide } from './side-by-side.js';
import { namedTensors } from './tensors.js';

export interface Job {
  runtime: RuntimeName;
  model: string;
  inputs: NamedTensor[];
  fetches: string[] | undefined;
  seconds: number;
  variant: string;
  threads: number;
  /** The numbers of threads that `threads` compares. */
  counts: number[];
  /** `memory` loads the model from its path and runs it a few times; the others load it from bytes. */
  measure: 'timing' | 'threads' | 'allocation' | 'memory';
}

export interface Report {
  /** The backend and variant that ran. */
  witness: string;
  /** Milliseconds from the model's bytes to the first results: with and without import of the runtime's module. */
  cold: number;
  load: number;
  timing?: Timing;
  /** For each count: one session with that many threads, and that many one-threaded sessions side by side. */
  byThreads?: Spread[];
  sideBySide?: Spread[];
  allocation?: Allocation;
  /** Peak resident memory of the process, in bytes; and before the runtime was imported. */
  resident: number;
  residentBefore: number;
  /** Bytes of the planned arena, and the minimum for any placement; Sardonyx only. */
  arena?: { peak: number; lowerBound: number };
  outputs: NamedTensor[];
}

/**
 * Peak resident memory of this process. On Linux, getrusage's `maxRSS` starts at the parent's value at the fork; VmHWM does not.
 */
function peakResident(): number {
  try {
    const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kilobytes) return Number(kilobytes) * 1024;
  } catch {}
  return process.resourceUsage().maxRSS * 1024;
}

async function work(job: Job): Promise<Report> {
  watchWebAssembly();
  const { options, configure, witness } = runtime(job.runtime);
  const source = job.measure === 'memory' ? job.model : readFileSync(job.model);
  const residentBefore = peakResident();

  const started = performance.now();
  const api = await load(job.runtime);
  const imported = performance.now();
  configure?.(api, job.variant, job.threads);
  const session = await api.InferenceSession.create(source, options(job.threads));
  const feeds: Record<string, Tensor> = {};
  for (const { name, type, data, dims } of job.inputs) feeds[name] = new api.Tensor(type, data, dims);
  const fetches = job.fetches ?? [...session.outputNames];
  const runOn = (opened: InferenceSession) => () => opened.run(feeds, fetches);
  const results = await runOn(session)();
  const finished = performance.now();

  const outputs = namedTensors(fetches, results);
  const open = async (threads: number) => {
    configure?.(api, job.variant, threads);
    const opened = await api.InferenceSession.create(source, options(threads));
    return runOn(opened);
  };
  const measured = await MEASURES[job.measure]({ job, session, feeds, results, run: runOn(session), open });
  const plan = session.memoryPlan;
  return {
    witness: witness?.(job.variant) ?? '',
    cold: finished - started,
    load: finished - imported,
    ...measured,
    resident: peakResident(),
    residentBefore,
    ...(plan && { arena: { peak: plan.peak, lowerBound: plan.lowerBound } }),
    outputs,
  };
}

type Run = () => Promise<unknown>;

interface Subject {
  job: Job;
  session: InferenceSession;
  feeds: Record<string, Tensor>;
  results: Results;
  run: Run;
  /** Opens another session with `threads` threads. */
  open(threads: number): Promise<Run>;
}

type Measure = (subject: Subject) => Promise<Pick<Report, 'timing' | 'byThreads' | 'sideBySide' | 'allocation'>>;

const MEASURES: Record<Job['measure'], Measure> = {
  timing: async ({ job, run }) => ({ timing: await timing(run, job.seconds) }),
  threads: async ({ job, open }) => {
    const runs: Run[] = [];
    for (const count of job.counts) runs.push(await open(count));
    const alone = await open(1);
    for (const count of job.counts) runs.push(count === 1 ? alone : await sideBySide(count, job, alone));
    const spreads = await alternately(runs, job.seconds);
    return { byThreads: spreads.slice(0, job.counts.length), sideBySide: spreads.slice(job.counts.length) };
  },
  memory: async ({ run }) => {
    for (let i = 0; i < 20; i++) await run();
    return {};
  },
  allocation: async ({ job: { seconds }, session, feeds, results }) => {
    const given = results as Record<string, Tensor>;
    const ofRun = await allocation(() => session.run(feeds, given), seconds);
    const { heap: emptyCall } = await allocation(async () => {}, seconds);
    return { allocation: { ...ofRun, emptyCall } };
  },
};

serve(work);
