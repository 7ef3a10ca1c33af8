import { wrap } from 'comlink';
import type { Engine, TeamPlace } from '../bindings/engine.js';
import { locateOwn } from '../bindings/own-file.js';
import { wasmOptions } from '../bindings/wasm-options.js';
import type { KernelThread } from './kernel.js';
import { startThread, type Thread } from './thread.js';

/** The kernel threads of one engine. */
export interface Team {
  /** How many threads have joined, the caller's included; grows while they start, and falls when one dies. */
  readonly size: number;
  /** Whether a thread has died that had joined, maybe with work in its hands. */
  readonly hasLost: boolean;
  /** Settles when each thread has joined or failed. */
  readonly ready: Promise<void>;
  /** Settles when the threads have ended. */
  dismiss(): Promise<void>;
}

/** The script beside the package, spelled out in the forms that bundlers look for. */
const ownScript = () => locateOwn('kernel-worker.js', new URL('../build/kernel-worker.js', import.meta.url));
const ownWorker = () => new Worker(new URL('../build/kernel-worker.js', import.meta.url), { type: 'module' });

/** Starts a thread for each scratch block. They join while the engine works already; failures go to `report`. */
export function startTeam(engine: Engine, place: TeamPlace, report: (error: Error) => void): Team {
  let size = 1;
  let dismissed = false;
  let hasLost = false;
  const failed = (error: Error) => {
    if (!dismissed) report(error);
  };
  const threads: Thread[] = [];
  const startOne = async (scratch: number): Promise<void> => {
    const thread = startThread(wasmOptions.workerUrl, ownScript, ownWorker);
    if (!thread) throw new Error('the platform has no workers');
    threads.push(thread);
    const kernelThread = wrap<KernelThread>(thread.endpoint);
    const ended = thread.ended.then((error) => Promise.reject(error));
    ended.catch(() => {});
    await Promise.race([kernelThread.join(place.module, place.memory, place.kernelNames, scratch), ended]);
    size++;
    const served = kernelThread.serve(place.team);
    Promise.race([served, ended])
      .catch((error) => {
        hasLost = true;
        failed(error);
      })
      .finally(() => size--);
  };
  const ready = Promise.all(place.scratch.map((scratch) => startOne(scratch).catch(failed))).then(() => {});
  return {
    get size() {
      return size;
    },
    get hasLost() {
      return hasLost;
    },
    ready,
    async dismiss() {
      dismissed = true;
      engine.dismissTeam();
      await Promise.all(threads.map(({ terminate }) => terminate()));
    },
  };
}
