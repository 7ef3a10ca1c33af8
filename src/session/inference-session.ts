import { createEngine, type Engine } from '../../bindings/engine.js';
import type { Team } from '../../workers/team.js';
import { type Account, growTo, within } from '../account.js';
import { advised } from '../advice/advised.js';
import type { MemoryPlan } from '../backends/memory-plan.js';
import type { StepTiming } from '../backends/step-timing.js';
import type { GraphRunner } from '../backends/wasm/execute/graph-runner.js';
import { memoryPlanOf } from '../backends/wasm/execute/placed-values.js';
import { StepTimer } from '../backends/wasm/execute/profile.js';
import type { Steps } from '../backends/wasm/execute/steps.js';
import { kernelModule } from '../backends/wasm/kernels.js';
import { loadTeam } from '../backends/wasm/load-team.js';
import { Arena } from '../backends/wasm/plan/arena.js';
import type { Revising } from '../backends/wasm/plan/context.js';
import { loadRevising } from '../backends/wasm/plan/load-revising.js';
import { Staging } from '../backends/wasm/plan/staging.js';
import { Weights } from '../backends/wasm/plan/weights.js';
import { aborted } from '../base/aborted.js';
import { madeByCreate, optionsOf, reading } from '../base/arguments.js';
import { asyncDispose } from '../base/disposal.js';
import { SardonyxError } from '../base/errors.js';
import { onDemand } from '../base/on-demand.js';
import { nextTurn, TimeSlice } from '../base/turns.js';
import type { Graph, Model, Value } from '../graph/graph.js';
import { inputMetadataOf, metadataOf, type ValueMetadata } from '../graph/metadata.js';
import { constantsOf } from '../graph/walk.js';
import { inspectable, typesOf } from '../inspection.js';
import { openAccount } from '../limits/open-account.js';
import type { RunLimits } from '../limits.js';
import type { Allocator } from '../loading/destination.js';
import { partOf } from '../loading/source.js';
import { type Prepared, prepare } from '../optimize/prepare.js';
import type { RewriteLog } from '../optimize/rewrite-log.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import { blamed, type Feeds, orderFeeds } from './feeds.js';
import { collect, type Fetched, type Fetches, givenFor, type Results } from './fetches.js';
import { type ModelSource, openModel } from './open-model.js';
import { OPTIONS_EXAMPLE, SESSION_OPTIONS, type SessionOptions } from './options.js';
import { reportSessionOptions } from './report-options.js';
import { isRunOptions, type RunOptions, signalOf } from './run-options.js';
import { RunQueue } from './run-queue.js';
import { Runners } from './runners.js';
import type { AnyOutputs, AnyValues, NameOf, Signature } from './signature.js';
import { threadCount } from './threads.js';
import type { WarmUp } from './warm-up.js';

export type { Fetches, Results } from './fetches.js';

interface Loaded {
  readonly runners: Runners;
  readonly weights: Weights;
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
  readonly #settled = new WeakSet<GraphRunner>();
  #timer: StepTimer | null = null;
  #team: Team | null;
  readonly #revising: Revising = { reviseStage: null, isWanted: false };
  /** Null until there are limits. */
  #account: Account | null;

  static {
    inspectable(InferenceSession.prototype, 'InferenceSession', (session) => ({
      ...typesOf(session),
      ...(session.#isClosing ? { released: true } : { threads: threadsIn(session.#team) }),
    }));
  }

  private constructor(
    readonly model: Model,
    prepared: Prepared,
    engine: Engine,
    staging: Staging,
    team: Team | null,
    guards: Steps | null,
    account: Account | null,
    options: SessionOptions,
  ) {
    if (!reading('a session', () => staging instanceof Staging)) throw madeByCreate();
    const { graph, rewrites } = prepared;
    this.#graph = graph;
    this.rewrites = rewrites;
    this.#feeds = new Array(graph.inputs.length).fill(undefined);
    this.inputNames = graph.inputs.map(({ name }) => name as NameOf<I>);
    this.outputNames = graph.outputs.map(({ name }) => name as NameOf<O>);
    this.inputMetadata = graph.inputs.map(inputMetadataOf<NameOf<I>>);
    this.outputMetadata = graph.outputs.map(metadataOf<NameOf<O>>);
    staging.serve(graph);
    const weights = new Weights(engine, constantsOf(graph), staging);
    const { guardBytes = 0 } = options;
    const context = { engine, arena: new Arena(engine), weights, guardBytes, guards, revising: this.#revising };
    this.#loaded = { weights, runners: new Runners(context, graph) };
    this.#team = team;
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
    let team: Promise<Team | null> | null = null;
    try {
      const options = optionsOf(typeof second === 'number' ? last : second, SESSION_OPTIONS, OPTIONS_EXAMPLE);
      const reported = reportSessionOptions(options);
      const account = options.limits ? await openAccount(options.limits) : null;
      const threads = threadCount(options);
      const engine = kernelModule(threads > 1).then((module) =>
        within(account, () => createEngine(module, threads, growTo)),
      );
      team = threads > 1 ? loadTeam(threads, engine) : null;
      const staging = engine.then((made) => new Staging(made));
      const bytes = typeof second === 'number' ? partOf(source, second, byteLength) : source;
      const allocator = staging.then(
        ({ allocate }): Allocator =>
          (size) =>
            within(account, () => allocate(size)),
      );
      const [model] = await Promise.all([openModel(bytes, options, allocator, account), allocator]);
      const prepared = await prepare(model, options, account);
      const guards = await guardsOf(options);
      const made = [prepared, await engine, await staging, await team, guards] as const;
      await reported;
      if (options.signal?.aborted) throw aborted(options.signal, 'loading');
      return within(account, () => new InferenceSession<I, O>(model, ...made, account, options));
    } catch (error) {
      team?.then((started) => started?.dismiss());
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
    if (this.#hasRun && this.#team?.isStarting) this.#queue.do(this.#team.gather);
    if (this.#revising.isWanted) this.#queue.do(() => loadRevising(this.#revising));
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

  #course({ runners }: Loaded, signal?: AbortSignal, limits?: RunLimits | null): Course {
    const account = this.#account;
    account?.begin(limits ?? {}, runners.current.linearMemory);
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
      await nextTurn();
      if (!runner.isWaiting && signal?.aborted) throw aborted(signal);
      if (!runner.isWaiting) account?.look();
      slice?.begin();
      if (runner.isWaiting && this.#team?.hasLost) await this.#startAgainAlone(loaded, fetches, account);
    } while (!within(account, () => runner.advance(slice)));
    return this.#finish(loaded, fetches);
  }

  /** What a dead thread had in its hands nobody can end. */
  async #startAgainAlone(loaded: Loaded, fetches: Fetches | undefined, account: Account | null): Promise<void> {
    await this.#team?.dismiss();
    this.#team = null;
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
    if (this.#team?.isStarting) this.#queue.do(this.#team.gather);
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
    return this.#team?.size ?? 1;
  }

  /** Where every value of the last run's shapes lies in memory; null before the first run. */
  get memoryPlan(): MemoryPlan | null {
    return this.#loaded ? memoryPlanOf(this.#loaded.runners.current) : null;
  }

  /** Gives the session's memory back, after the runs that are going on; others are refused from now on. */
  async release(): Promise<void> {
    this.#isClosing = true;
    await this.#queue.idle;
    const team = this.#team;
    const shared = team && this.#loaded ? this.#loaded.runners.current.linearMemory : 0;
    this.#team = null;
    this.#loaded = null;
    await team?.dismiss();
    announceGarbage(shared);
  }

  /** `await using session = …` releases it at the end of the block. */
  [asyncDispose](): Promise<void> {
    return this.release();
  }

  /** After its first run the weights that a runner reads are in linear memory: the model's bytes may go. */
  #settle({ runners, weights }: Loaded): void {
    this.#hasRun = true;
    this.#settled.add(runners.current);
    if (runners.current.isWhole) weights.releaseSources(this.#graph.nodes);
  }

  /** The tensors that a runner's outputs are to be written into, by position; undefined where none is given. */
  #targetsOf({ graph }: GraphRunner, fetches: Fetches): (TensorValue | undefined)[] {
    for (let i = 0; i < graph.outputs.length; i++)
      this.#targets[i] = givenFor(fetches, (graph.outputs[i] as Value).name) ?? undefined;
    return this.#targets;
  }
}

/**
 * V8 does not count shared memory, and so sees no need to collect what was released: 200 sessions of 8 MB piled up to
 * 2 GB. An array buffer of that size, never touched, is counted.
 */
function announceGarbage(bytes: number): void {
  try {
    if (bytes > 0) new ArrayBuffer(bytes);
  } catch {}
}

/** All of them once they have joined, as the second run waits for. */
const threadsIn = (team: Team | null): number => (team?.isStarting ? team.planned : (team?.size ?? 1));

const rejectAdvised = async (error: unknown): Promise<never> => {
  throw await advised(error);
};

/** Only tests have guard zones. */
async function guardsOf({ guardBytes = 0 }: SessionOptions): Promise<Steps | null> {
  if (guardBytes <= 0) return null;
  const { GuardedSteps } = await onDemand('guarded-steps', () => import('../backends/wasm/execute/guarded-steps.js'));
  return new GuardedSteps(guardBytes);
}
