import { type Remote, wrap } from 'comlink';
import { startWorker } from '../worker/start-worker.js';
import type { RunsService } from './service.js';

/** The worker of sessions. It starts with the first panel that runs a model. */
export const runs: Remote<RunsService> = wrap<RunsService>(startWorker('runs'));

let lastJob = 0;

/** Gives work in the worker a number by which the signal stops it. */
export async function asJob<T>(signal: AbortSignal, work: (job: { job: number }) => Promise<T>): Promise<T> {
  const job = ++lastJob;
  const stop = () => void runs.cancel(job);
  signal.throwIfAborted();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await work({ job });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
