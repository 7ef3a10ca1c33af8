import { type Remote, wrap } from 'comlink';
import { transferErrorsWhole } from '../../../workers/error-transfer.js';
import type { PlatformWorker } from '../../../workers/platform-worker.js';
import { reading } from '../../base/arguments.js';
import { asSardonyxError, SardonyxError } from '../../base/errors.js';
import { onForgotten, remembered } from '../../base/forgotten.js';
import { RunQueue } from '../../session/run-queue.js';

/**
 * Calls to the object that a worker exposes. All fail if the worker does, and the process stays alive while any is in progress. The worker
 * ends when its connection is garbage-collected; only calls in progress prevent that.
 */
export class Connection<T> {
  readonly #worker: PlatformWorker;
  readonly #remote: Remote<T>;
  readonly #calls = new Map<Promise<unknown>, (reason: SardonyxError) => void>();
  readonly #preparations = new RunQueue();
  #failure: SardonyxError | null = null;

  constructor(worker: PlatformWorker) {
    this.#worker = worker;
    transferErrorsWhole();
    this.#remote = wrap<T>(worker.endpoint);
    const own = new WeakRef(this);
    void worker.ended.then((cause) => {
      own
        .deref()
        ?.end(new SardonyxError('WORKER_FAILED', `the session worker failed: ${cause.message}`, {}, { cause }));
    });
    onForgotten(this, terminate, worker);
  }

  /** Settles when all calls have settled. */
  get idle(): Promise<unknown> {
    return Promise.allSettled(this.#calls.keys());
  }

  /** Whether the worker has ended, so that every call fails. */
  get hasEnded(): boolean {
    return this.#failure !== null;
  }

  /** Whether calls wait for one in preparation. */
  get isPreparing(): boolean {
    return this.#preparations.idle !== null;
  }

  /** Sends a call after all earlier ones; immediately, unless one of those is in preparation. */
  call<R>(ask: (remote: Remote<T>) => PromiseLike<R>): Promise<R> {
    return this.isPreparing ? this.callPrepared(async () => {}, ask) : this.callAtOnce(ask);
  }

  /** Sends a call after all earlier ones, with the result of `prepare`, which starts when those have been sent. Later calls wait. */
  callPrepared<A, R>(prepare: () => Promise<A>, ask: (remote: Remote<T>, prepared: A) => PromiseLike<R>): Promise<R> {
    const send = async () => {
      const prepared = await prepare();
      if (this.#failure) throw this.#failure;
      return { answer: ask(this.#remote, prepared) };
    };
    return this.callAtOnce(async () => (await this.#preparations.do(send)).answer);
  }

  /** Sends a call ahead of waiting ones. */
  async callAtOnce<R>(ask: (remote: Remote<T>) => PromiseLike<R>): Promise<R> {
    if (this.#failure) throw this.#failure;
    const { promise: failed, reject } = withRejection();
    const answer = Promise.race([reading('a request to the worker', () => ask(this.#remote)), failed]);
    this.#calls.set(answer, reject);
    if (this.#calls.size === 1) this.#worker.hold();
    try {
      return await answer;
    } catch (error) {
      throw asCallError(error);
    } finally {
      this.#calls.delete(answer);
      if (this.#calls.size === 0) this.#worker.letGo();
    }
  }

  /** Ends the worker. Calls in progress and later ones fail with this reason. */
  end(reason: SardonyxError): void {
    remembered(this);
    this.#failure ??= reason;
    for (const reject of this.#calls.values()) reject(this.#failure);
    void this.#worker.terminate();
  }
}

const terminate = (worker: PlatformWorker) => worker.terminate();

function withRejection() {
  let reject: (reason: SardonyxError) => void = () => {};
  const promise = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  return { promise, reject };
}

/** Converts the error for an object that cannot be cloned. */
export const asCallError = (error: unknown) => (isUncloneable(error) ? refusal(error) : asSardonyxError(error));

export const isUncloneable = (error: unknown): error is DOMException =>
  (error as Error | null)?.name === 'DataCloneError';

const refusal = (cause: DOMException) =>
  new SardonyxError('INVALID_ARGUMENT', `cannot be sent to a worker: ${cause.message}`, {}, { cause });
