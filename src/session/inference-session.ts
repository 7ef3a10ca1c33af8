import { type Account, within } from '../account.js';
import { advised } from '../advice/advised.js';
import type { Executor } from '../backends/backend.js';
import type { MemoryPlan } from '../backends/memory-plan.js';
import { StepTimer } from '../backends/step-timer.js';
import type { StepTiming } from '../backends/step-timing.js';
import { type OpeningWasm, openWasm } from '../backends/wasm/open-wasm.js';
import type { WasmBackend } from '../backends/wasm/wasm-backend.js';
import { aborted } from '../base/aborted.js';
import { madeByCreate, optionsOf, reading } from '../base/arguments.js';
import { asyncDispose } from '../base/disposal.js';
import { SardonyxError } from '../base/errors.js';
import { settledOrAborted } from '../base/on-abort.js';
import { onDemand } from '../base/on-demand.js';
import { nextTurn, TimeSlice } from '../base/turns.js';
import type { Graph, Model, Value } from '../graph/graph.js';
import { inputMetadataOf, metadataOf, type ValueMetadata } from '../graph/metadata.js';
import { inspectable, typesOf } from '../inspection.js';
import { openAccount } from '../limits/open-account.js';
import type { RunLimits } from '../limits.js';
import { onHeap } from '../loading/destination.js';
import { partOf } from '../loading/source.js';
import { type Prepared, prepare } from '../optimize/prepare.js';
import type { RewriteLog } from '../optimize/rewrite-log.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import { blamed, type Feeds, orderFeeds } from './feeds.js';
import { collect, type Fetched, type Fetches, givenFor, type Results } from './fetches.js';
import { type ModelSource, openModel } from './open-model.js';
import { OPTIONS_EXAMPLE, SESSION_OPTIONS, type SessionOptions } from './options.js';
import { needsWasm, type Placement, type Providers, providersOf } from './providers.js';
import { reportSessionOptions } from './report-options.js';
import { isRunOptions, type RunOptions, signalOf } from './run-options.js';
import { RunQueue } from './run-queue.js';
import { Runners } from './runners.js';
import type { AnyOutputs, AnyValues, NameOf, Signature } from './signature.js';
import type { WarmUp } from './warm-up.js';

export type { Fetches, Results } from './fetches.js';

interface Loaded {
  readonly runners: Runners;
  readonly providers: Providers;
  /** Null where other backends run everything. */
  readonly wasm: WasmBackend | null;
}

/** What a run has to mind on its way. */
interface Course {
  readonly slice: TimeSlice | null;
  readonly signal?: AbortSignal | undefined;
  readonly account: Account | null;
}

const FREE: Course = { slice: null, account: null };

/** With the tiles of one look, some four more milliseconds, less than a page may be kept waiting. */
const SLICE_MILLISECONDS = 3;

/** Where only the clock is to be looked at. */
const LIMITED_SLICE_MILLISECONDS = 50;

/**
 * A model ready to run. Sessions are independent: each has its own kernels' instance and memory, which `release` gives
 * back. Runs of one session queue in order.
 *
 * `InferenceSession<{ input: 'float32' }, { scores: 'float32', boxes: Tensor<'float32'>[] }>` says what the model's inputs
 * and outputs are: feeds are then checked by the compiler, and results have these types. Without, outputs are tensors.
 */
export class InferenceSession<I extends Signature<I> = AnyValues, O extends Signature<O> = AnyOutputs> {
  readonly inputNames: readonly NameOf<I>[];
  readonly outputNames: readonly NameOf<O>[];
  readonly inputMetadata: readonly ValueMetadata<NameOf<I>>[];
  readonly outputMetadata: readonly ValueMetadata<NameOf<O>>[];
  /** What the optimizer did to the model. */
  readonly rewrites: RewriteLog;
  readonly #graph: Graph;
  readonly #feeds: (HostValue | undefined)[];
  readonly #targets: (TensorValue | undefined)[] = [];
  /** Null once released: nothing else holds on to the kernels' instance and its memory. */
  #loaded: Loaded | null;
  #isClosing = false;
  readonly #queue = new RunQueue();
  #hasRun = false;
  /** Runners that have run to their end. */
  readonly #settled = new WeakSet<Executor>();
  #timer: StepTimer | null = null;
  /** Null until there are limits. */
  #account: Account | null;

  static {
    inspectable(InferenceSession.prototype, 'InferenceSession', (session) => ({
      ...typesOf(session),
      ...(session.#loaded && !session.#isClosing ? runningOn(session.#loaded) : { released: true }),
    }));
  }

  private constructor(
    readonly model: Model,
    prepared: Prepared,
    providers: Providers,
    wasm: WasmBackend | null,
    account: Account | null,
    options: SessionOptions,
  ) {
    if (!reading('a session', () => typeof providers?.compile === 'function')) throw madeByCreate();
    const { graph, rewrites } = prepared;
    this.#graph = graph;
    this.rewrites = rewrites;
    this.#feeds = new Array(graph.inputs.length).fill(undefined);
    this.inputNames = graph.inputs.map(({ name }) => name as NameOf<I>);
    this.outputNames = graph.outputs.map(({ name }) => name as NameOf<O>);
    this.inputMetadata = graph.inputs.map(inputMetadataOf<NameOf<I>>);
    this.outputMetadata = graph.outputs.map(metadataOf<NameOf<O>>);
    this.#loaded = { wasm, providers, runners: new Runners((part) => providers.compile(part), graph) };
    this.#account = account;
    if (options.enableProfiling) this.startProfiling();
  }

  /**
   * Loads a model. What is downloaded goes straight into linear memory.
   * @param source an ONNX file as bytes, Blob, Response or stream, or its path (Node, Deno, Bun), URL or OPFS handle
   * @throws SardonyxError INVALID_MODEL, INVALID_GRAPH, UNSUPPORTED_OPERATOR, EXTERNAL_DATA, DOWNLOAD and others, naming
   * the place; LIMIT; ABORTED, named `AbortError`, once the signal says so
   */
  static create<I extends Signature<I> = AnyValues, O extends Signature<O> = AnyOutputs>(
    source: ModelSource,
    options?: SessionOptions,
  ): Promise<InferenceSession<I, O>>;
  static create<I extends Signature<I> = AnyValues, O extends Signature<O> = AnyOutputs>(
    buffer: ArrayBufferLike,
    byteOffset: number,
    byteLength?: number,
    options?: SessionOptions,
  ): Promise<InferenceSession<I, O>>;
  /** For who may hold this class or another: TypeScript calls a union of classes only where a signature has no parameters. */
  static create(source: ModelSource, options?: SessionOptions): Promise<InferenceSession>;
  static async create<I extends Signature<I>, O extends Signature<O>>(
    source: ModelSource,
    second?: SessionOptions | number,
    byteLength?: number,
    last?: SessionOptions,
  ): Promise<InferenceSession<I, O>> {
    let opening: OpeningWasm | null = null;
    try {
      const options = optionsOf(typeof second === 'number' ? last : second, SESSION_OPTIONS, OPTIONS_EXAMPLE);
      const reported = reportSessionOptions(options);
      const account = options.limits ? await openAccount(options.limits) : null;
      opening = needsWasm(options.executionProviders) ? openWasm(options, account) : null;
      const allocator = opening?.allocator ?? onHeap;
      const bytes = typeof second === 'number' ? partOf(source, second, byteLength) : source;
      const [model] = await Promise.all([openModel(bytes, options, allocator, account), allocator]);
      const prepared = await prepare(model, options, account);
      const wasm = (await opening?.finish(prepared.graph)) ?? null;
      const providers = await providersOf(options.executionProviders, wasm, prepared.graph);
      await reported;
      if (options.signal?.aborted) throw aborted(options.signal, 'loading');
      return within(account, () => new InferenceSession<I, O>(model, prepared, providers, wasm, account, options));
    } catch (error) {
      opening?.abandon();
      throw await advised(error);
    }
  }

  /**
   * Computes the outputs for these inputs.
   * @param feeds a tensor (any object with `type`, `dims` and `data`) for every input without a default
   * @param fetches the outputs wanted; all if left out
   * @throws SardonyxError MISSING_FEED, INVALID_SHAPE and others; ABORTED, named `AbortError`, once the signal says so
   */
  run(feeds: Feeds<I>, options?: RunOptions): Promise<Results<O>>;
  run<const F extends Fetches<O> | undefined>(
    feeds: Feeds<I>,
    fetches: F,
    options?: RunOptions,
  ): Promise<Results<Fetched<O, F>>>;
  async run(feeds: Feeds, second?: object, third?: RunOptions): Promise<object> {
    this.#refuseIfClosing();
    const isOptions = isRunOptions(second, third, this.outputNames);
    const fetches = isOptions ? undefined : (second as Fetches | undefined);
    const options = third ?? (isOptions ? second : undefined);
    const signal = signalOf(options);
    const prerequisite = this.#loaded?.wasm?.prerequisite(this.#hasRun);
    if (prerequisite) this.#queue.do(prerequisite);
    if (signal || options?.limits || this.#account)
      return this.#queue.do(() => this.#runOnCourse(feeds, fetches, signal, options?.limits));
    if (this.#queue.idle) return this.#queue.do(async () => this.#runNow(feeds, fetches));
    const results = this.#runNow(feeds, fetches);
    return results instanceof Promise ? this.#queue.do(() => results) : results;
  }

  /** Runs to the end at once, unless another thread keeps it waiting. */
  #runNow(feeds: Feeds, fetches: Fetches | undefined): Results | Promise<Results> {
    const loaded = this.#loaded as Loaded;
    try {
      orderFeeds(this.#graph, feeds, this.#feeds);
      this.#begin(loaded, fetches);
      return loaded.runners.current.advance(null)
        ? this.#finish(loaded, fetches)
        : this.#carryOn(loaded, fetches).catch((error) => this.#reject(error));
    } catch (error) {
      return this.#reject(error);
    }
  }

  /** Runs so that the signal is heard, and within limits. */
  async #runOnCourse(
    feeds: Feeds,
    fetches: Fetches | undefined,
    signal: AbortSignal | undefined,
    limits: RunLimits | null | undefined,
  ): Promise<Results> {
    const loaded = this.#loaded as Loaded;
    if (signal?.aborted) throw aborted(signal);
    try {
      if (limits) this.#account ??= await openAccount({});
      const course = this.#course(loaded, signal, limits);
      orderFeeds(this.#graph, feeds, this.#feeds);
      return await this.#follow(loaded, fetches, course, () => this.#begin(loaded, fetches));
    } catch (error) {
      return this.#reject(error);
    }
  }

  #course({ wasm }: Loaded, signal?: AbortSignal, limits?: RunLimits | null): Course {
    const account = this.#account;
    account?.begin(limits ?? {}, wasm?.linearMemory ?? 0);
    const remaining = account?.remaining ?? Number.POSITIVE_INFINITY;
    const isLimited = remaining < Number.POSITIVE_INFINITY;
    const milliseconds = signal ? SLICE_MILLISECONDS : Math.min(remaining, LIMITED_SLICE_MILLISECONDS);
    return { slice: signal || isLimited ? new TimeSlice(milliseconds) : null, signal, account };
  }

  /** A run from its beginning to its end, and what it has taken of the account given back. */
  async #follow(loaded: Loaded, fetches: Fetches | undefined, course: Course, begin: () => void): Promise<Results> {
    const { slice, account } = course;
    try {
      slice?.begin();
      const isDone = within(account, () => {
        begin();
        return loaded.runners.current.advance(slice);
      });
      return isDone ? this.#finish(loaded, fetches) : await this.#carryOn(loaded, fetches, course);
    } finally {
      if (account) loaded.runners.current.forget();
      account?.end();
    }
  }

  #reject(error: unknown): Promise<never> {
    return rejectAdvised(blamed(this.#graph, this.#feeds, error));
  }

  #begin({ runners }: Loaded, fetches: Fetches | undefined): void {
    const runner = runners.select(fetches);
    runner.begin(this.#feeds, undefined, fetches && this.#targetsOf(runner, fetches));
  }

  /** Goes on with a run that has paused, after a turn of the event loop each time. */
  async #carryOn(
    loaded: Loaded,
    fetches: Fetches | undefined,
    { slice, signal, account }: Course = FREE,
  ): Promise<Results> {
    const runner = loaded.runners.current;
    do {
      await (runner.pending ? settledOrAborted(runner.pending, signal) : nextTurn());
      if (!runner.isWaiting && signal?.aborted) throw aborted(signal);
      if (!runner.isWaiting) account?.look();
      slice?.begin();
      if (runner.isWaiting && loaded.wasm?.hasLost) await this.#startAgainAlone(loaded, fetches, account);
    } while (!within(account, () => runner.advance(slice)));
    return this.#finish(loaded, fetches);
  }

  /** What a dead thread had in its hands nobody can end. */
  async #startAgainAlone(loaded: Loaded, fetches: Fetches | undefined, account: Account | null): Promise<void> {
    await loaded.wasm?.goOnAlone();
    within(account, () => this.#begin(loaded, fetches));
  }

  #finish(loaded: Loaded, fetches: Fetches | undefined): Results {
    const runner = loaded.runners.current;
    if (!this.#settled.has(runner)) this.#settle(loaded);
    return collect(runner.graph.outputs, runner.takeOutputs(), fetches);
  }

  /**
   * Plans and packs weights as the first run would, with zeros, waits for the threads, and leaves no other trace: later runs of these shapes are fast from the first.
   * @param given sizes of dimensions that the model leaves open, `{ batch: 1 }`, shapes of inputs, `{ x: [1, 3, 224, 224] }`, or
   * feeds, which are needed where an input is no tensor
   * @throws SardonyxError INVALID_ARGUMENT where sizes are open, and what `run` throws
   */
  async warmUp(given: WarmUp = {}): Promise<void> {
    const { warmFeeds } = await onDemand('warm-up', () => import('./warm-up.js'), 'run zeros');
    this.#refuseIfClosing();
    const feeds = warmFeeds(this.inputMetadata, given);
    const gathering = this.#loaded?.wasm?.gathering();
    if (gathering) this.#queue.do(gathering);
    await this.#queue.do(() => this.#runUntimed(feeds));
  }

  async #runUntimed(feeds: Feeds): Promise<void> {
    const loaded = this.#loaded as Loaded;
    try {
      orderFeeds(this.#graph, feeds, this.#feeds);
      await this.#follow(loaded, undefined, this.#course(loaded), () => {
        const runner = loaded.runners.select(undefined);
        runner.timer = null;
        runner.begin(this.#feeds);
      });
    } catch (error) {
      return rejectAdvised(error);
    }
  }

  #refuseIfClosing(): void {
    if (!this.#loaded || this.#isClosing)
      throw new SardonyxError('RELEASED', 'the session has been released; create a new one, or release it later');
  }

  /** Starts to time every step of every run. */
  startProfiling(): void {
    this.#timer = new StepTimer();
    if (this.#loaded) this.#loaded.runners.timer = this.#timer;
  }

  /** Stops the timing that `startProfiling` began. */
  endProfiling(): void {
    if (this.#loaded) this.#loaded.runners.timer = null;
  }

  /** The steps timed since profiling began, in the order they ran. */
  get profile(): readonly StepTiming[] {
    return this.#timer?.timings ?? [];
  }

  /** Threads that work on a run now, this one included: from the second run on all that were asked for and could be started. */
  get threads(): number {
    return this.#loaded?.wasm?.threads ?? 1;
  }

  /** Where every value of the last run's shapes lies in memory; null before the first run. */
  get memoryPlan(): MemoryPlan | null {
    return this.#loaded?.runners.current.memoryPlan ?? null;
  }

  /** Which execution provider runs each node of the graph that the optimizer has left; none once released. */
  get placement(): readonly Placement[] {
    const providers = this.#loaded?.providers;
    if (!providers) return [];
    return this.#graph.nodes.map((node) => ({
      node: node.name,
      operator: node.op,
      provider: providers.providerOf(node),
    }));
  }

  /** Gives the session's memory back, after the runs that are going on; others are refused from now on. */
  async release(): Promise<void> {
    this.#isClosing = true;
    await this.#queue.idle;
    const loaded = this.#loaded;
    this.#loaded = null;
    await loaded?.wasm?.release();
  }

  /** `await using session = …` releases it at the end of the block. */
  [asyncDispose](): Promise<void> {
    return this.release();
  }

  /** After its first run the weights that a runner reads are in linear memory: the model's bytes may go. */
  #settle({ runners, wasm }: Loaded): void {
    this.#hasRun = true;
    this.#settled.add(runners.current);
    if (runners.current.isWhole) wasm?.releaseSources(this.#graph);
  }

  /** The tensors that a runner's outputs are to be written into, by position; undefined where none is given. */
  #targetsOf({ graph }: Executor, fetches: Fetches): (TensorValue | undefined)[] {
    for (let i = 0; i < graph.outputs.length; i++)
      this.#targets[i] = givenFor(fetches, (graph.outputs[i] as Value).name) ?? undefined;
    return this.#targets;
  }
}

/** What consoles show of a session's backends. */
const runningOn = ({ wasm, providers }: Loaded) => ({
  ...(wasm && { threads: wasm.plannedThreads }),
  ...(providers !== wasm && { providers: providers.names }),
});

const rejectAdvised = async (error: unknown): Promise<never> => {
  throw await advised(error);
};
