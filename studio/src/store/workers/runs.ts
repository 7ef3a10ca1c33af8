import { type Remote, wrap } from 'comlink';
import type { RunsService } from '../../workers/contracts/runs.js';
import { startWorker } from './start-worker.js';

/** A worker of sessions, how many answers it owes, and the work in it that can be stopped. */
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

/** The worker of sessions. It starts with the first panel that runs a model. */
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
 * Leaves all sessions and runs behind: what is asked next goes to a worker of its own, and this one ends with its last answer; what goes on in
 * it is stopped. Memory that threads
 * shared went back only so: of 60 models opened in one worker 250 MB stayed.
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

/** Gives work in the worker a number by which the signal stops it. */
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
