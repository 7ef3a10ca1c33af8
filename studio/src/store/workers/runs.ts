import { type Remote, wrap } from 'comlink';
import type { RunsService } from '../../workers/contracts/runs.js';
import { startWorker } from './start-worker.js';

/** A session worker, its number of pending answers, and its jobs that can be stopped. */
interface Running {
  readonly worker: Worker;
  readonly service: Remote<RunsService>;
  readonly jobs: Set<number>;
  owed: number;
  isLeft: boolean;
}

let running: Running | undefined;

function started(): Running {
  const worker = startWorker('runs');
  return { worker, service: wrap<RunsService>(worker), jobs: new Set(), owed: 0, isLeft: false };
}

/** The session worker. It starts with the first panel that runs a model. */
export const runs = new Proxy({} as Remote<RunsService>, {
  get:
    (_, method: keyof RunsService) =>
    (...args: never[]) =>
      asked(method, args),
});

async function asked(method: keyof RunsService, args: never[]): Promise<unknown> {
  running ??= started();
  const own = running;
  own.owed++;
  try {
    return await (own.service[method] as (...given: never[]) => Promise<unknown>)(...args);
  } finally {
    own.owed--;
    endIfLeft(own);
  }
}

/**
 * Abandons all sessions and runs: later requests go to a new worker; this one stops its work and ends after its last answer. Nothing else
 * frees memory shared by threads: in a worker that had opened 60 models, 250 MB stayed allocated.
 */
export function leaveRuns(): void {
  const left = running;
  running = undefined;
  if (!left) return;
  left.isLeft = true;
  for (const job of left.jobs) void left.service.cancel(job);
  endIfLeft(left);
}

function endIfLeft({ worker, owed, isLeft }: Running): void {
  if (isLeft && owed === 0) worker.terminate();
}

let lastJob = 0;

/** Numbers a job in the worker, so that the signal can stop it. */
export async function asJob<T>(signal: AbortSignal, work: (job: { job: number }) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const job = ++lastJob;
  running ??= started();
  const { service, jobs } = running;
  const stop = () => void service.cancel(job);
  jobs.add(job);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await work({ job });
  } finally {
    signal.removeEventListener('abort', stop);
    jobs.delete(job);
  }
}
