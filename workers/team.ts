import { type Remote, wrap } from 'comlink';
import type { Engine } from '../bindings/engine.js';
import { locateOwn } from '../bindings/own-file.js';
import { wasmOptions } from '../bindings/wasm-options.js';
import { nextTurn } from '../src/base/turns.js';
import { warnOnce } from '../src/base/warn-once.js';
import type { KernelThread } from './kernel-worker.js';
import { type PlatformWorker, startWorker } from './platform-worker.js';

/** The kernel threads of one engine. */
export interface Team {
  /** How many threads were asked for, the caller's included. */
  readonly planned: number;
  /** How many threads work, the caller's included; falls when one dies. */
  readonly size: number;
  /** Whether a thread has died that had joined, maybe with work in its hands. */
  readonly hasLost: boolean;
  /** Whether some have neither joined nor failed. */
  readonly isStarting: boolean;
  /** Settles when each thread has joined or failed; where that takes too long, after a turn of the event loop, which they may need. */
  gather(): Promise<void>;
  /** Settles when the threads have joined once more, with the kernels that the engine has got since; those that are late, or do not come home, stay out. */
  joinAgain(): Promise<void>;
  /** Settles when the threads have ended. */
  dismiss(): Promise<void>;
}

/**
 * Milliseconds for which a run waits for threads. The last joins 60 ms after `create` has begun; where two cores had 25 programs to
 * run, one in 180 ms, seven in 450, and those of eight sessions at once in 730.
 */
const LONGEST_WAIT = 2000;
const SECONDS = LONGEST_WAIT / 1000;

/** The script beside the package, spelled out in the forms that bundlers look for. */
const ownScript = () => locateOwn('kernel-worker.js', new URL('../build/kernel-worker.js', import.meta.url));
const ownWorker = () => new Worker(new URL('../build/kernel-worker.js', import.meta.url), { type: 'module' });

/**
 * Starts so many threads, one for each scratch block of an engine that is still being made: they join it while the model is
 * read. Of failures it warns; what fails with the engine is left to be dismissed.
 */
export function startTeam(count: number, engine: Promise<Engine>): Team {
  /** 1 for each thread that has joined. They write it themselves: it is true without a turn of the event loop. */
  const present = new Int32Array(new SharedArrayBuffer(4 * count));
  const threads: PlatformWorker[] = [];
  /** Kept, as a worker ends when what stands for it is collected. */
  const remotes: Remote<KernelThread>[] = [];
  const serving: Promise<unknown>[] = [];
  const failed = new Set<number>();
  let dismissed = false;
  let hasLost = false;
  let isStarting = true;
  let waiting: Promise<boolean> | null = null;
  let isLate = false;

  let sendHome = () => {};
  const made = engine.then(
    (ready) => {
      sendHome = () => ready.dismissTeam();
      return ready;
    },
    () => new Promise<never>(() => {}),
  );
  /** Settles when the thread works no more. */
  const fail = async (index: number, error: Error): Promise<void> => {
    if (failed.has(index)) return;
    failed.add(index);
    if (Atomics.exchange(present, index, 0) === 1) hasLost = true;
    if (!dismissed) warnOnce(`a thread is missing, the others go on: ${error.message}`);
    await threads[index]?.terminate();
  };
  /** Has a thread fail that something is awaited of for too long. */
  const expect = async (index: number, promise: Promise<unknown> | undefined, what: string): Promise<void> => {
    if (promise && !(await inTime(promise))) await fail(index, new Error(`it has not ${what} within ${SECONDS} s`));
  };
  const joinOne = async (thread: PlatformWorker, index: number): Promise<void> => {
    remotes[index] ??= wrap<KernelThread>(thread.endpoint);
    const { served } = await join(thread, remotes[index], made, present, index);
    serving[index] = served.catch((error) => fail(index, error));
  };
  const startOne = async (index: number): Promise<void> => {
    const thread = startWorker(wasmOptions.workerUrl, ownScript, ownWorker);
    if (!thread) throw new Error('the platform has no workers');
    threads[index] = thread;
    await joinOne(thread, index);
  };
  const started = Array.from({ length: count }, (_, index) => startOne(index).catch((error) => fail(index, error)));
  const ready = Promise.all(started).then(() => {
    isStarting = false;
  });
  const startedInTime = async (): Promise<boolean> => {
    const areThere = await inTime(ready);
    if (!areThere) warnOnce(`threads have not started within ${SECONDS} s: runs go on without them until they have`);
    return areThere;
  };

  return {
    planned: count + 1,
    get size() {
      return present.reduce((size, isThere) => size + isThere, 1);
    },
    get hasLost() {
      return hasLost;
    },
    get isStarting() {
      return isStarting;
    },
    async gather() {
      if (isLate) return nextTurn();
      waiting ??= startedInTime();
      isLate = !(await waiting);
    },
    async joinAgain() {
      const engine = await made;
      const allStarted = await startedInTime();
      for (const thread of threads) thread.hold();
      const all = [...threads.keys()];
      if (!allStarted)
        for (const index of all) if (!present[index]) void fail(index, new Error('it has not started in time'));
      // Some have joined that have not been heard yet.
      await Promise.all(all.map((index) => present[index] && expect(index, started[index], 'said that it is there')));
      engine.recallTeam();
      // One that came home later would serve without the new kernels.
      await Promise.all(all.map((index) => present[index] && expect(index, serving[index], 'come home')));
      engine.reopenTeam();
      const joined = threads.map((thread, index) => {
        if (!present[index]) return undefined;
        const again = joinOne(thread, index).catch((error) => fail(index, error));
        return expect(index, again, 'joined again');
      });
      await Promise.all(joined);
      for (const thread of threads) thread.letGo();
    },
    async dismiss() {
      dismissed = true;
      sendHome();
      await Promise.all(threads.map(({ terminate }) => terminate()));
    },
  };
}

/** Lets a thread join the team of an engine, once that is made: settles when it has. `served` settles when it works no more. */
async function join(
  thread: PlatformWorker,
  kernelThread: Remote<KernelThread>,
  made: Promise<Engine>,
  present: Int32Array,
  index: number,
) {
  const died = thread.ended.then((error) => Promise.reject(error));
  died.catch(() => {});
  const { team: place } = await Promise.race([made, died]);
  if (!place) throw new Error('the given kernels are those for one thread');
  const joined = kernelThread.join(place, present, index);
  const served = Promise.race([kernelThread.serve(place.team), died]); // At once: the thread then works without a turn of this event loop.
  served.catch(() => {});
  await Promise.race([joined, died]);
  return { served };
}

/** Whether `promise` settles before threads take too long. The timer keeps Node going, too, which does not wait for its workers. */
function inTime(promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), LONGEST_WAIT);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
