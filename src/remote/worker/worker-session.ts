import type { Remote } from 'comlink';
import type { Description, SessionHost } from '../../../workers/session-worker.js';
import { startSessionWorker } from '../../../workers/start-session-worker.js';
import { advised } from '../../advice/advised.js';
import type { MemoryPlan } from '../../backends/memory-plan.js';
import type { PlanExplanation } from '../../backends/plan-explanation.js';
import type { StepTiming } from '../../backends/step-timing.js';
import { aborted } from '../../base/aborted.js';
import { madeByCreate, optionsOf, reading } from '../../base/arguments.js';
import { asyncDispose } from '../../base/disposal.js';
import { SardonyxError } from '../../base/errors.js';
import { given } from '../../base/given.js';
import { onAbort } from '../../base/on-abort.js';
import { onDemand } from '../../base/on-demand.js';
import { isPromise } from '../../base/shown.js';
import type { ValueMetadata } from '../../graph/metadata.js';
import { inspectable, typesOf } from '../../inspection.js';
import { noSource, partOf } from '../../loading/source.js';
import type { RewriteLog } from '../../optimize/rewrite-log.js';
import { checkNamed, type Feeds } from '../../session/feeds.js';
import { checkTarget, type Fetched, type Fetches, type Results } from '../../session/fetches.js';
import type { InferenceSession } from '../../session/inference-session.js';
import { env, OPTIONS_EXAMPLE, SESSION_OPTIONS, type SessionOptions } from '../../session/options.js';
import type { Placement } from '../../session/providers.js';
import { type RunOptions, runArguments } from '../../session/run-options.js';
import { RunQueue } from '../../session/run-queue.js';
import type { AnyOutputs, AnyValues, NameOf, Signature } from '../../session/signature.js';
import { checkState } from '../../session/state/of-another.js';
import type { StateOptions } from '../../session/state/options.js';
import type { WarmUp } from '../../session/warm-up.js';
import { asTensor, type Tensor } from '../../tensor/tensor.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import { Connection } from './connection.js';
import { createRequest } from './create-request.js';
import { bytesIn, type Copy, copyAtOnce, copyInPieces, PIECE } from './in-pieces.js';
import { bytesToCopy } from './pack-in-pieces.js';
import type { PortableSource } from './portable.js';
import { asIfSent, blamingFeed, packedAtOnce, packedInPieces, type RunRequest } from './run-request.js';
import type { WorkerState } from './worker-state.js';
import { copyInto } from './write-into.js';

/** Options of a session in a worker. */
export interface WorkerSessionOptions extends SessionOptions {
  /** Transfers the bytes of the model and its external data instead of copying them, which leaves the caller's empty. */
  readonly transfer?: boolean;
}

type Awaited = 'profile' | 'optimizedAway' | 'threads' | 'memoryPlan';
type Told = 'startProfiling' | 'endProfiling';

/** A session's interface from another thread: values that are not available immediately are promises. */
type Remotely<Session> = Pick<Session, Exclude<keyof Session, Awaited | Told | 'model' | 'createState'>> & {
  readonly [K in keyof Session & Awaited]: Promise<Session[K]>;
} & { readonly [K in keyof Session & Told]: () => Promise<void> };

/** A model that runs in its own worker. The caller's thread only sends feeds and receives results. */
export class WorkerSession<I extends Signature<I> = AnyValues, O extends Signature<O> = AnyOutputs>
  implements Remotely<InferenceSession<I, O>>
{
  /** The name in consoles, also when minified. */
  static readonly name = 'InferenceSession';
  /** The names of the model's inputs, in their order. */
  readonly inputNames: readonly NameOf<I>[];
  /** The names of the model's outputs, in their order. */
  readonly outputNames: readonly NameOf<O>[];
  /** The name, type and shape of each input. */
  readonly inputMetadata: readonly ValueMetadata<NameOf<I>>[];
  /** The name, type and shape of each output. */
  readonly outputMetadata: readonly ValueMetadata<NameOf<O>>[];
  readonly rewrites: RewriteLog;
  readonly placement: readonly Placement[];
  readonly #connection: Connection<SessionHost>;
  readonly #writing = new RunQueue();
  #isClosing = false;
  #abortable = 0;
  readonly #threads: number;

  static {
    inspectable(WorkerSession.prototype, 'InferenceSession', (session) => ({
      ...typesOf(session),
      ...(session.#isClosing ? { released: true } : { threads: session.#threads }),
    }));
  }

  private constructor(connection: Connection<SessionHost>, description: Description<I, O>) {
    if (!reading('a session', () => connection instanceof Connection)) throw madeByCreate();
    this.#connection = connection;
    this.inputNames = description.inputNames;
    this.outputNames = description.outputNames;
    this.inputMetadata = description.inputMetadata;
    this.outputMetadata = description.outputMetadata;
    this.rewrites = description.rewrites;
    this.placement = description.placement;
    this.#threads = description.threads;
  }

  /**
   * Starts a worker and loads a model there.
   * @throws SardonyxError the errors of a session; WORKER_FAILED if no worker can be started
   */
  static create<I extends Signature<I> = AnyValues, O extends Signature<O> = AnyOutputs>(
    source: PortableSource,
    options?: WorkerSessionOptions,
  ): Promise<WorkerSession<I, O>>;
  static create<I extends Signature<I> = AnyValues, O extends Signature<O> = AnyOutputs>(
    buffer: ArrayBufferLike,
    byteOffset: number,
    byteLength?: number,
    options?: WorkerSessionOptions,
  ): Promise<WorkerSession<I, O>>;
  /** For unions of this class and another: TypeScript can call a union of overloads only if one has no type parameters. */
  static create(source: PortableSource, options?: WorkerSessionOptions): Promise<WorkerSession>;
  static async create<I extends Signature<I>, O extends Signature<O>>(
    source: PortableSource,
    second?: WorkerSessionOptions | number,
    byteLength?: number,
    last?: WorkerSessionOptions,
  ): Promise<WorkerSession<I, O>> {
    try {
      if (reading('the model', () => isPromise(source))) throw noSource(source);
      if (typeof second !== 'number') return await WorkerSession.#open<I, O>(source, second);
      return await WorkerSession.#open<I, O>(partOf(source, second, byteLength), last);
    } catch (error) {
      throw await advised(error);
    }
  }

  static async #open<I extends Signature<I>, O extends Signature<O>>(
    source: PortableSource,
    options: WorkerSessionOptions | undefined,
  ): Promise<WorkerSession<I, O>> {
    const { transfer: handOver, ...given } = optionsOf(options, SESSION_OPTIONS, OPTIONS_EXAMPLE);
    const { signal } = given;
    if (signal?.aborted) throw aborted(signal, 'loading');
    const request = await createRequest(source, given, handOver ? 'transfer' : 'copy');
    if (signal?.aborted) throw aborted(signal, 'loading');
    const connection = new Connection<SessionHost>(startSessionWorker(env.wasm.sessionWorkerUrl));
    const { port, leave } = request.answers((reason) => connection.end(reason));
    let forget = () => {};
    try {
      forget = onAbort(signal, () => connection.end(aborted(signal as AbortSignal, 'loading')));
      if (signal?.aborted) throw aborted(signal, 'loading');
      const description = await connection.call((host) => host.create(...request.given, port));
      return new WorkerSession<I, O>(connection, description as object as Description<I, O>);
    } catch (error) {
      connection.end(released());
      throw error;
    } finally {
      leave();
      forget();
    }
  }

  /**
   * Computes the outputs for these inputs. Feeds of up to 4 MiB in total are copied before this returns; larger ones in pieces, and must
   * not change until the promise has settled. The option `transfer` transfers them instead. The worker transfers the results. Runs start in
   * call order.
   */
  run(feeds: Feeds<I>, options?: RunOptions): Promise<Results<O>>;
  run<const F extends Fetches<O> | undefined>(
    feeds: Feeds<I>,
    fetches: F,
    options?: RunOptions,
  ): Promise<Results<Fetched<O, F>>>;
  async run(feeds: Feeds, second?: object, third?: RunOptions): Promise<object> {
    if (this.#isClosing) throw released();
    const { fetches, options } = runArguments(second, third, this.outputNames);
    const { signal, limits, capture, transfer: handOver } = options;
    if (options.state) checkState(options.state, 'of');
    const own = (options.state as WorkerState | undefined)?.of(this.#connection);
    if (signal?.aborted) throw aborted(signal);
    reading('the feeds', () => checkNamed(feeds, this.inputMetadata));
    const passage = handOver ? 'transfer' : 'copy';
    const request = { feeds, fetches: namesIn(fetches), passage, signal, state: own, limits, capture } as const;
    try {
      return await this.#receive(await (signal ? this.#runAbortable(request, signal) : this.#send(request)), fetches);
    } catch (error) {
      throw blamingFeed(error, feeds);
    }
  }

  async #runAbortable(request: RunRequest, signal: AbortSignal): Promise<Results> {
    const run = this.#abortable++;
    let fail: (reason: SardonyxError) => void = () => {};
    const isAborted = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const forget = onAbort(signal, () => {
      fail(aborted(signal));
      this.#connection.callAtOnce((host) => host.abort(run)).catch(() => {});
    });
    try {
      return await Promise.race([this.#send(request, run), isAborted]);
    } finally {
      forget();
    }
  }

  #send(request: RunRequest, run?: number): Promise<Results> {
    const { feeds, passage } = request;
    const bytes = reading('the feeds', () => bytesToCopy(feeds, passage));
    if (bytes > PIECE) return this.#sendWhenPacked(request, run);
    if (this.#connection.isPreparing) return this.#sendInTurn(request, run);
    const packed = packedAtOnce(feeds, passage);
    return this.#connection.call((host) => this.#ask(host, packed, request, run));
  }

  #sendWhenPacked(request: RunRequest, run: number | undefined): Promise<Results> {
    return this.#connection.callPrepared(
      () => packedInPieces(request),
      (host, packed) => this.#ask(host, packed, request, run),
    );
  }

  /** Sends a request after others that are still being packed. */
  #sendInTurn(request: RunRequest, run: number | undefined): Promise<Results> {
    const { feeds, fetches } = asIfSent(request);
    return this.#connection.call((host) => {
      if (request.signal?.aborted) throw aborted(request.signal);
      return this.#ask(host, packedAtOnce(feeds, 'transfer'), { ...request, fetches }, run);
    });
  }

  #ask(host: Remote<SessionHost>, feeds: Feeds, { fetches, limits, capture, state }: RunRequest, run?: number) {
    if (!state) return host.run(feeds, fetches, run, limits, capture);
    return state.run(this.#connection, (number) => host.runOn(number, feeds, fetches, run, limits, capture));
  }

  /** The results, after copying those with a given tensor into it. */
  #receive(results: Results, fetches: Fetches | undefined): Results | Promise<Results> {
    const copies: Copy[] = [];
    const outputs = received(results, fetches, copies);
    if (this.#writing.idle || bytesIn(copies) > PIECE)
      return this.#writing.do(() => copyInPieces(copies)).then(() => outputs);
    copyAtOnce(copies);
    return outputs;
  }

  /**
   * Creates the state of a decoder, which stays in the worker. `run(feeds, { state })` continues from it.
   * @throws SardonyxError INVALID_ARGUMENT if no inputs and outputs form pairs
   */
  async createState(options?: StateOptions): Promise<WorkerState> {
    if (this.#isClosing) throw released();
    const { WorkerState } = await onDemand('worker-state', () => import('./worker-state.js'));
    return WorkerState.open(this.#connection, options);
  }

  /** Packs weights and makes plans as the first run would, with zeros. For `given`, see `InferenceSession.warmUp`. */
  async warmUp(given: WarmUp = {}): Promise<void> {
    if (this.#isClosing) throw released();
    const packed = packedAtOnce(given as Feeds, 'copy') as WarmUp;
    return this.#connection.call((host) => host.warmUp(packed));
  }

  /** Whether the worker has ended, so that every call fails. @internal */
  get hasEnded(): boolean {
    return this.#connection.hasEnded;
  }

  /** Settles when the worker is idle. An aborted run fails before its worker learns of it. */
  get idle(): Promise<unknown> {
    return this.#connection.idle;
  }

  /** Settles when the worker has received the call; later runs need not wait for that. */
  startProfiling(): Promise<void> {
    return this.#connection.call((host) => host.startProfiling());
  }

  /** Stops the timing that `startProfiling` began. */
  endProfiling(): Promise<void> {
    return this.#connection.call((host) => host.endProfiling());
  }

  /** The steps timed since profiling started, in execution order. */
  get profile(): Promise<readonly StepTiming[]> {
    return this.#connection.call((host) => host.profile());
  }

  /** Values in the last run's option `capture` that the optimized graph does not compute. */
  get optimizedAway(): Promise<readonly string[]> {
    return this.#connection.call((host) => host.optimizedAway());
  }

  /** Number of threads that work on a run, including the worker itself. */
  get threads(): Promise<number> {
    return this.#connection.call((host) => host.threads());
  }

  /** The memory location of every value of the last run; null before the first run. */
  get memoryPlan(): Promise<MemoryPlan | null> {
    return this.#connection.call((host) => host.memoryPlan());
  }

  /** For which sizes the plan of the last run serves; null before the first run, and where no plan is traced. */
  explain(): Promise<PlanExplanation | null> {
    return this.#connection.call((host) => host.explain());
  }

  /** Ends the worker after the runs in progress; further calls throw. */
  async release(): Promise<void> {
    this.#isClosing = true;
    await this.#connection.call((host) => host.release()).catch(() => {});
    await this.#connection.idle;
    await this.#writing.idle;
    this.#connection.end(released());
  }

  [asyncDispose](): Promise<void> {
    return this.release();
  }
}

const released = () =>
  new SardonyxError('RELEASED', 'the session has been released; create a new one, or release it later');

/** The names of the fetches. The worker creates new tensors, whose data is copied into the given ones on arrival. */
function namesIn(fetches: Fetches | undefined): Fetches | undefined {
  if (!fetches || Array.isArray(fetches)) return fetches;
  reading('the fetches', () => {
    for (const [name, target] of Object.entries(fetches)) checkTarget(name, target);
  });
  return Object.fromEntries(Object.keys(fetches).map((name) => [name, null]));
}

function received(results: Results, fetches: Fetches | undefined, copies: Copy[]): Results {
  const targets = (fetches && !Array.isArray(fetches) ? fetches : {}) as Readonly<Record<string, Tensor | null>>;
  const outputs = Object.entries(results).map(([name, value]): [string, HostValue] => {
    const target = given(targets, name);
    if (!target) return [name, asTensor(value)];
    copies.push(copyInto(target, value, name));
    return [name, target];
  });
  return Object.fromEntries(outputs) as Results;
}
