import { advised } from '../../advice/advised.js';
import { cores } from '../../backends/wasm/threads.js';
import { optionsOf, reading } from '../../base/arguments.js';
import { asyncDispose } from '../../base/disposal.js';
import { SardonyxError } from '../../base/errors.js';
import { onAbort } from '../../base/on-abort.js';
import { shown } from '../../base/shown.js';
import type { ValueMetadata } from '../../graph/metadata.js';
import { inspectable, typesOf } from '../../inspection.js';
import { openAccount } from '../../limits/open-account.js';
import { Loading } from '../../loading/loading.js';
import { checkNamed, type Feeds } from '../../session/feeds.js';
import type { Fetched, Fetches, Results } from '../../session/fetches.js';
import type { SessionOptions } from '../../session/options.js';
import { type RunOptions, runArguments } from '../../session/run-options.js';
import type { AnyOutputs, AnyValues, NameOf, Signature } from '../../session/signature.js';
import type { WarmUp } from '../../session/warm-up.js';
import { PIECE, turnToCopy } from '../worker/in-pieces.js';
import { bytesToCopy } from '../worker/pack-in-pieces.js';
import type { PortableSource } from '../worker/portable.js';
import { WorkerSession } from '../worker/worker-session.js';
import { batchSize, checkOpen, evenParts, feedsOf, fixedRows, joined } from './batch.js';
import { inOrder } from './in-order.js';
import { sharedModel } from './shared-model.js';
import { Workforce } from './workforce.js';

/** Options of a pool: those of its sessions, and the number of workers. */
export interface PoolOptions extends Omit<SessionOptions, 'intraOpNumThreads'> {
  /** Number of workers; default one per core, at most 8. */
  readonly size?: number;
}

/** Options of `runBatch`. */
export interface BatchOptions<I = AnyValues, F = readonly string[] | undefined>
  extends Omit<RunOptions, 'fetches' | 'state'> {
  /** The axis along which feeds are split and outputs joined: the first. */
  readonly axis?: 0;
  /** Number of parts; default one per worker, or the number that matches the model's fixed batch size. */
  readonly parts?: number;
  /** Inputs that every part receives whole. */
  readonly whole?: readonly NameOf<I>[];
  /** The outputs to compute; default: all. */
  readonly fetches?: F & (readonly string[] | undefined);
}

const MOST_BY_DEFAULT = 8;
const MOST = 256;

/**
 * Starts workers with a single-threaded session of the model each. Needs no shared memory.
 * @throws SardonyxError the errors of a session; WORKER_FAILED if no worker can be started
 */
export async function createPool<I extends Signature<I> = AnyValues, O extends Signature<O> = AnyOutputs>(
  source: PortableSource,
  options?: PoolOptions,
): Promise<SessionPool<I, O>> {
  const given = optionsOf(options, 'options of a pool', '{ size: 4 }');
  const { size = Math.min(cores(), MOST_BY_DEFAULT), externalData, onProgress, signal, ...session } = given;
  if (!Number.isInteger(size) || size < 1 || size > MOST)
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `size must be a number of workers from 1 to ${MOST}, not ${shown(size)}`,
    );
  const loading = new Loading({ onProgress, signal }, session.limits ? await openAccount(session.limits) : null);
  try {
    loading.check();
    const model = await sharedModel(source, externalData ?? [], loading);
    const start = (stop?: { signal: AbortSignal }) =>
      WorkerSession.create<I, O>(model, { ...session, ...stop, intraOpNumThreads: 1 });
    return new SessionPool<I, O>(await startAll(size, () => start({ signal: loading.signal })), start);
  } catch (error) {
    loading.check();
    throw await advised(error);
  } finally {
    loading.close();
  }
}

async function startAll<S extends Pick<WorkerSession, 'release'>>(size: number, start: () => Promise<S>): Promise<S[]> {
  const started = await Promise.allSettled(Array.from({ length: size }, start));
  const sessions = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = started.find((result) => result.status === 'rejected');
  if (!failure) return sessions;
  await Promise.all(sessions.map((each) => each.release()));
  throw failure.reason;
}

/** Workers with a session of the same model each, and one queue. */
export class SessionPool<I extends Signature<I> = AnyValues, O extends Signature<O> = AnyOutputs> {
  /** The names of the model's inputs, in their order. */
  readonly inputNames: readonly NameOf<I>[];
  /** The names of the model's outputs, in their order. */
  readonly outputNames: readonly NameOf<O>[];
  /** The name, type and shape of each input. */
  readonly inputMetadata: readonly ValueMetadata<NameOf<I>>[];
  /** The name, type and shape of each output. */
  readonly outputMetadata: readonly ValueMetadata<NameOf<O>>[];
  readonly #workforce: Workforce;
  #isClosing = false;

  static {
    inspectable(SessionPool.prototype, 'SessionPool', (pool) => ({
      ...typesOf(pool),
      ...(pool.#isClosing ? { released: true } : { size: pool.size, queued: pool.queued }),
    }));
  }

  /** Called by `createPool`. */
  constructor(sessions: readonly WorkerSession<I, O>[], start: () => Promise<WorkerSession<I, O>>) {
    const [{ inputNames, outputNames, inputMetadata, outputMetadata }] = sessions as [WorkerSession<I, O>];
    this.inputNames = inputNames;
    this.outputNames = outputNames;
    this.inputMetadata = inputMetadata;
    this.outputMetadata = outputMetadata;
    this.#workforce = new Workforce(
      sessions as object as WorkerSession[],
      start as object as () => Promise<WorkerSession>,
    );
  }

  /** Number of live workers. A dead one is missing until its replacement has started. */
  get size(): number {
    return this.#workforce.size;
  }

  /** Number of calls that wait for a worker. */
  get queued(): number {
    return this.#workforce.queued;
  }

  /**
   * Computes the outputs for these inputs on the first free worker; calls start in their order. Feeds are copied, or transferred with the
   * option `transfer`, when the call starts, and must not change until it has settled. If a worker dies during a call, the call is retried
   * once, unless its feeds were transferred.
   */
  run(feeds: Feeds<I>, options?: RunOptions): Promise<Results<O>>;
  run<const F extends Fetches<O> | undefined>(
    feeds: Feeds<I>,
    fetches: F,
    options?: RunOptions,
  ): Promise<Results<Fetched<O, F>>>;
  async run(feeds: Feeds, second?: object, third?: RunOptions): Promise<object> {
    this.#refuseIfClosing();
    const { fetches, options } = runArguments(second, third, this.outputNames);
    if (options.state)
      throw new SardonyxError('INVALID_ARGUMENT', 'a pool has no states: use a session of sardonyx/worker');
    return this.#workforce.do({
      run: (session) => session.run(feeds, fetches, options) as Promise<Results>,
      signal: options.signal,
      repeatable: !options.transfer,
    });
  }

  /** Copies each part of a large batch in a turn of the event loop of its own. */
  #runParts(
    parts: readonly Feeds[],
    fetches: readonly string[] | undefined,
    options: RunOptions & { readonly signal: AbortSignal },
  ): Promise<Results[]> {
    const { signal } = options;
    this.#refuseIfClosing();
    const bytes = parts.reduce((sum, part) => sum + bytesToCopy(part, 'copy'), 0);
    const turn = bytes > PIECE ? turnToCopy : undefined;
    const runPart = (feeds: Feeds) => async (session: WorkerSession) => {
      await turn?.();
      return session.run(feeds, fetches, options);
    };
    return Promise.all(parts.map((part) => this.#workforce.do({ run: runPart(part), signal, repeatable: true })));
  }

  /**
   * Runs feeds one after another on all workers; yields their results in order. Takes only as many from `feeds` as keep the workers busy.
   * Ends at the first error; leaving the loop aborts the remaining runs.
   */
  runAll<const F extends readonly NameOf<O>[] | undefined = undefined>(
    feeds: Iterable<Feeds<I>> | AsyncIterable<Feeds<I>>,
    fetches?: F,
    options: RunOptions = {},
  ): AsyncGenerator<Results<Fetched<O, F>>, void, undefined> {
    return this.#runAll(feeds, fetches, options) as AsyncGenerator<Results<Fetched<O, F>>, void, undefined>;
  }

  async *#runAll(
    feeds: Iterable<Feeds<I>> | AsyncIterable<Feeds<I>>,
    fetches: readonly NameOf<O>[] | undefined,
    options: RunOptions,
  ) {
    this.#refuseIfClosing();
    const { controller, disconnect } = controllerBehind(options.signal);
    const { signal } = controller;
    try {
      yield* inOrder(feeds, Math.max(1, 2 * this.size), (each) => this.run(each, fetches, { ...options, signal }));
    } finally {
      disconnect();
      controller.abort();
    }
  }

  /**
   * Splits the feeds along their first axis, runs the parts on the workers, and joins the outputs in order.
   * @throws SardonyxError INVALID_SHAPE if the feeds' first sizes differ, or an output's first size is not that of its part
   */
  runBatch<const F extends readonly NameOf<O>[] | undefined = undefined>(
    feeds: Feeds<I>,
    options?: BatchOptions<I, F>,
  ): Promise<Results<Fetched<O, F>>>;
  async runBatch(feeds: Feeds, options: object = {}): Promise<object> {
    const given: BatchOptions = optionsOf(options, 'options of a batch', "{ whole: ['scale'] }");
    const { parts: asked, whole = [], fetches, axis = 0, ...runOptions } = given;
    if (!Array.isArray(whole)) throw noNames('whole', 'inputs', whole);
    if (axis !== 0)
      throw new SardonyxError('INVALID_ARGUMENT', `axis must be 0, along which batches are split, not ${shown(axis)}`);
    const rows = reading('the feeds', () => {
      checkNamed(feeds, this.inputMetadata);
      return batchSize(feeds, whole);
    });
    const fixed = fixedRows(this.inputMetadata, feeds, whole);
    const parts = evenParts(rows, asked === undefined ? this.#partsFor(rows, fixed) : checkedParts(asked, rows));
    if (fixed === undefined && parts.length > 1) checkOpen(this.outputMetadata, fetches ?? this.outputNames);
    const { controller, disconnect } = controllerBehind(runOptions.signal);
    const { signal } = controller;
    try {
      const all = parts.map((part) => feedsOf(feeds, part, whole));
      return await joined(
        await this.#runParts(all, fetches, { ...(runOptions.limits && { limits: runOptions.limits }), signal }),
        parts,
      );
    } finally {
      disconnect();
      controller.abort();
    }
  }

  #partsFor(rows: number, fixed: number | undefined): number {
    if (fixed === undefined) return Math.max(1, Math.min(rows, this.size));
    if (fixed > 0 && rows % fixed === 0) return rows / fixed;
    throw new SardonyxError('INVALID_SHAPE', `the model has a fixed batch size of ${fixed}: ${rows} is not a multiple`);
  }

  /**
   * Warms up every worker: packs weights and makes plans as its first run would, with zeros. For `given`, see `InferenceSession.warmUp`.
   */
  async warmUp(given: WarmUp = {}): Promise<void> {
    this.#refuseIfClosing();
    await this.#workforce.withAll((session) => session.warmUp(given));
  }

  /** Ends the workers after all calls in progress; further calls throw. */
  async release(): Promise<void> {
    this.#isClosing = true;
    await this.#workforce.dismiss();
  }

  [asyncDispose](): Promise<void> {
    return this.release();
  }

  #refuseIfClosing(): void {
    if (this.#isClosing) throw new SardonyxError('RELEASED', 'the pool has been released');
  }
}

const noNames = (option: string, of: string, given: unknown) =>
  new SardonyxError('INVALID_ARGUMENT', `${option} must be a list of names of ${of}, not ${shown(given)}`);

function checkedParts(parts: number, rows: number): number {
  if (Number.isInteger(parts) && parts >= 1 && parts <= Math.max(1, rows)) return parts;
  throw new SardonyxError('INVALID_ARGUMENT', `${rows} rows cannot be split into ${shown(parts)} parts`);
}

/** A controller that aborts with the signal, for the same reason, or on its own. */
function controllerBehind(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const disconnect = onAbort(signal, abort);
  if (signal?.aborted) abort();
  return { controller, disconnect };
}
