import { Worker } from 'node:worker_threads';
import type { Job } from './worker.js';

/** Words that the threads of a comparison share: the number of the last run that has begun, and of the last that is done. */
export const BEGUN = 0;
export const DONE = 1;

/** A waiting thread sleeps after this time: a spinning thread would take a core from the measured work. */
const SPIN_MILLISECONDS = 0.1;

/** Returns the word once it is no longer `value`. */
export function changed(words: Int32Array, index: number, value: number): number {
  const end = performance.now() + SPIN_MILLISECONDS;
  while (Atomics.load(words, index) === value && performance.now() < end);
  while (Atomics.load(words, index) === value) Atomics.wait(words, index, value);
  return Atomics.load(words, index);
}

export function change(words: Int32Array, index: number, value: number): void {
  Atomics.store(words, index, value);
  Atomics.notify(words, index);
}

export interface Beside {
  readonly job: Job;
  readonly words: Int32Array;
}

/**
 * Runs `count` independent one-threaded sessions at the same time: `run` here, the others on threads of their own. The gain over one
 * session shows what this machine's cores can deliver with that many threads.
 */
export async function sideBySide(count: number, job: Job, run: () => Promise<unknown>): Promise<() => Promise<void>> {
  const others = await Promise.all(Array.from({ length: count - 1 }, () => startBeside(job)));
  let number = 0;
  return async () => {
    number++;
    for (const words of others) change(words, BEGUN, number);
    await run();
    for (const words of others) changed(words, DONE, number - 1);
  };
}

/** Starts a thread; settles when its session has been created. */
function startBeside(job: Job): Promise<Int32Array> {
  const words = new Int32Array(new SharedArrayBuffer(8));
  const workerData: Beside = { job, words };
  const worker = new Worker(new URL('./beside.mjs', import.meta.url), { workerData });
  worker.unref();
  return new Promise((resolve, reject) => {
    worker.once('message', () => resolve(words));
    worker.once('error', reject);
  });
}
