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
  /** Requested number of threads, including the caller. */
  readonly planned: number;
  /** Number of working threads, including the caller; decreases when one dies. */
  readonly size: number;
  /** Whether a thread has died after it joined, perhaps in the middle of work. */
  readonly hasLost: boolean;
  /** Whether some threads have neither joined nor failed yet. */
  readonly isStarting: boolean;
  /** Settles when each thread has joined or failed; if that takes too long, after a turn of the event loop, which threads may need. */
  gather(): Promise<void>;
  /** Settles when the threads have joined again, with kernels added since. Threads that are late, or do not leave their work, stay out. */
  joinAgain(): Promise<void>;
  /** Settles when the threads have ended. */
  dismiss(): Promise<void>;
}

/**
 * Milliseconds that a run waits for threads. The last joins 60 ms after `create` has begun; with 25 programs on two cores, one in 180 ms,
 * seven in 450, and those of eight sessions at once in 730.
 */
const LONGEST_WAIT = 2000;
const SECONDS = LONGEST_WAIT / 1000;

/** The package's script, in the forms that bundlers recognize. */
const ownScript = () => locateOwn('kernel-worker.js', new URL('../build/kernel-worker.js', import.meta.url));
const ownWorker = () => new Worker(new URL('../build/kernel-worker.js', import.meta.url), { type: 'module' });

/**
 * Starts `count` threads, one for each scratch block of an engine that is still being created: they join it while the model is read. Warns
 * of failures; if the engine fails, the threads wait to be dismissed.
 */
export function startTeam(count: number, engine: Promise<Engine>): Team {
  /** 1 for each thread that has joined. Threads write it themselves, so it is current without a turn of the event loop. */
  const present = new Int32Array(new SharedArrayBuffer(4 * count));
  const threads: PlatformWorker[] = [];
  /** Kept, because a worker ends when its remote is garbage-collected. */
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
  /** Removes a thread from the team; settles when it has ended. */
  const fail = async (index: number, error: Error): Promise<void> => {
    if (failed.has(index)) return;
    failed.add(index);
    if (Atomics.exchange(present, index, 0) === 1) hasLost = true;
    if (!dismissed) warnOnce(`a thread is missing, the others go on: ${error.message}`);
    await threads[index]?.terminate();
  };
  /** Fails a thread if a promise takes too long; `what` describes it in the message. */
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
      // Some threads have joined, but their message has not arrived yet.
      await Promise.all(all.map((index) => present[index] && expect(index, started[index], 'said that it is there')));
      engine.recallTeam();
      // A thread that left later would serve without the new kernels.
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

/** Lets a thread join the team of an engine once that is created; settles when it has joined. `served` settles when it stops working. */
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

/** Whether `promise` settles before the time limit. The timer also keeps Node running, which does not wait for its workers. */
function inTime(promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), LONGEST_WAIT);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
