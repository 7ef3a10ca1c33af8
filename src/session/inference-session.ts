import type { MemoryPlan } from '../backends/memory-plan.js';
import type { PlanExplanation } from '../backends/plan-explanation.js';
import { StepTimer } from '../backends/step-timer.js';
import type { StepTiming } from '../backends/step-timing.js';
import { madeByCreate, reading } from '../base/arguments.js';
import { asyncDispose } from '../base/disposal.js';
import { SardonyxError } from '../base/errors.js';
import { onDemand } from '../base/on-demand.js';
import type { Model } from '../graph/graph.js';
import { inputMetadataOf, metadataOf, type ValueMetadata } from '../graph/metadata.js';
import { idsOf } from '../graph/origins.js';
import { inspectable, typesOf } from '../inspection.js';
import type { RewriteLog } from '../optimize/rewrite-log.js';
import type { Feeds } from './feeds.js';
import type { Fetched, Fetches, Results } from './fetches.js';
import type { ModelSource } from './open-model.js';
import { type Creation, type OpenedSession, openSession } from './open-session.js';
import type { SessionOptions } from './options.js';
import type { Placement } from './providers.js';
import { type Capture, isRunOptions, type RunOptions, signalOf, toldBy } from './run-options.js';
import { Runs } from './runs.js';
import type { AnyOutputs, AnyValues, NameOf, Signature } from './signature.js';
import { checkState } from './state/of-another.js';
import type { StateOptions } from './state/options.js';
import type { SessionState } from './state/state.js';
import { refuseStates } from './states.js';
import type { WarmUp } from './warm-up.js';

export type { Fetches, Results } from './fetches.js';

/** The signal and the limits of a run. */
type Course = Parameters<Runs['run']> extends [unknown, unknown, ...infer Rest] ? Rest : never;

/** State that is released with the session. */
interface Running extends Pick<OpenedSession, 'graph' | 'providers' | 'wasm' | 'states'> {
  readonly runs: Runs;
}

/**
 * A model ready to run. Sessions are independent: each has its own kernel instance and memory, which `release` frees. Runs of one session
 * queue in order.
 *
 * `InferenceSession<{ input: 'float32' }, { scores: 'float32', boxes: Tensor<'float32'>[] }>` declares the types of the model's inputs and
 * outputs: the compiler then checks feeds, and results have these types. Without it, outputs are tensors.
 */
export class InferenceSession<I extends Signature<I> = AnyValues, O extends Signature<O> = AnyOutputs> {
  /** The model as it was loaded. */
  readonly model: Model;
  /** The names of the model's inputs, in their order. */
  readonly inputNames: readonly NameOf<I>[];
  /** The names of the model's outputs, in their order. */
  readonly outputNames: readonly NameOf<O>[];
  /** The name, type and shape of each input. */
  readonly inputMetadata: readonly ValueMetadata<NameOf<I>>[];
  /** The name, type and shape of each output. */
  readonly outputMetadata: readonly ValueMetadata<NameOf<O>>[];
  /** The rewrites that the optimizer applied and, with `explainRewrites`, refused. */
  readonly rewrites: RewriteLog;
  /** Null once released, so that nothing else references the kernel instance and its memory. */
  #running: Running | null;
  #isClosing = false;
  #timer: StepTimer | null = null;

  static {
    inspectable(InferenceSession.prototype, 'InferenceSession', (session) => ({
      ...typesOf(session),
      ...(session.#running && !session.#isClosing ? shownOf(session.#running) : { released: true }),
    }));
  }

  private constructor(opened: OpenedSession, options: SessionOptions) {
    if (!reading('a session', () => typeof opened?.providers?.compile === 'function')) throw madeByCreate();
    const { model, graph, rewrites, providers, wasm, states } = opened;
    this.model = model;
    this.rewrites = rewrites;
    this.inputNames = graph.inputs.map(({ name }) => name as NameOf<I>);
    this.outputNames = graph.outputs.map(({ name }) => name as NameOf<O>);
    this.inputMetadata = graph.inputs.map(inputMetadataOf<NameOf<I>>);
    this.outputMetadata = graph.outputs.map(metadataOf<NameOf<O>>);
    this.#running = { graph, providers, wasm, states, runs: new Runs(opened) };
    if (options.enableProfiling) this.startProfiling();
  }

  /**
   * Loads a model. Downloads go directly into linear memory. The first run, or `warmUp`, packs the weights, and reads those of a model at a
   * path.
   * @param source an ONNX file as bytes, Blob, Response or stream, or its path (Node, Deno, Bun), URL or OPFS handle
   * @throws SardonyxError INVALID_MODEL, INVALID_GRAPH, UNSUPPORTED_OPERATOR, EXTERNAL_DATA, DOWNLOAD and others, naming the place; LIMIT;
   * ABORTED, named `AbortError`, if the signal aborts
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
  /** For unions of this class and another: TypeScript can call a union of overloads only if one has no type parameters. */
  static create(source: ModelSource, options?: SessionOptions): Promise<InferenceSession>;
  static create<I extends Signature<I>, O extends Signature<O>>(
    ...creation: Creation
  ): Promise<InferenceSession<I, O>> {
    // Not async, so that a stack trace of ten calls reaches the caller's line.
    return openSession(creation, (opened, options) => new InferenceSession<I, O>(opened, options));
  }

  /**
   * Computes the outputs for these inputs.
   * @param feeds a tensor (any object with `type`, `dims` and `data`) for every input without a default
   * @param fetches the requested outputs; default: all
   * @throws SardonyxError MISSING_FEED, INVALID_SHAPE and others; ABORTED, named `AbortError`, if the signal aborts
   */
  run(feeds: Feeds<I>, options?: RunOptions): Promise<Results<O>>;
  run<const F extends Fetches<O> | undefined>(
    feeds: Feeds<I>,
    fetches: F,
    options?: RunOptions,
  ): Promise<Results<Fetched<O, F>>>;
  async run(feeds: Feeds, second?: object, third?: RunOptions): Promise<object> {
    const { runs } = this.#open();
    const isOptions = isRunOptions(second, third, this.outputNames);
    const options = third ?? (isOptions ? (second as RunOptions) : undefined);
    const signal = signalOf(options);
    const { state, limits, fetches: wanted, capture } = toldBy(options);
    const fetches = (isOptions ? undefined : (second as Fetches | undefined)) ?? wanted;
    if (state) return this.#runOn(state as SessionState, feeds, fetches, capture, signal, limits);
    return capture === undefined
      ? runs.run(feeds, fetches, signal, limits)
      : runs.capture(feeds, fetches, capture, signal, limits);
  }

  // A separate function, because values that a closure captures are allocated on entry to the enclosing function.

  #runOn(
    state: SessionState,
    feeds: Feeds,
    fetches: Fetches | undefined,
    capture: Capture | undefined,
    ...course: Course
  ): Promise<Results> {
    const { runs } = this.#open();
    checkState(state, 'run');
    return state.run(runs, feeds, fetches, capture, (all, wanted) =>
      capture === undefined ? runs.run(all, wanted, ...course) : runs.capture(all, wanted, capture, ...course),
    );
  }

  /**
   * Creates the state of a decoder: KV caches, which grow in place, and states of fixed size. `run(feeds, { state })` continues from it.
   * @throws SardonyxError INVALID_ARGUMENT if no inputs and outputs form pairs
   */
  createState(options?: StateOptions): SessionState {
    const { runs, states } = this.#open();
    return (states ?? refuseStates()).stateOf(runs, options);
  }

  /**
   * Reads and packs weights and makes plans as the first run would, with zeros, and waits for the threads, so that later runs of these
   * shapes are fast from the first. It has no other effect.
   * @param given sizes of dynamic dimensions, `{ batch: 1 }`, shapes of inputs, `{ x: [1, 3, 224, 224] }`, or feeds, which are required for
   * inputs that are not tensors
   * @throws SardonyxError INVALID_ARGUMENT if sizes are unknown, and the errors of `run`
   */
  async warmUp(given: WarmUp = {}): Promise<void> {
    const { warmFeeds } = await onDemand('warm-up', () => import('./warm-up.js'), 'run zeros');
    const { runs } = this.#open();
    await runs.rehearse(warmFeeds(this.inputMetadata, given));
  }

  #open(): Running {
    if (this.#running && !this.#isClosing) return this.#running;
    throw new SardonyxError('RELEASED', 'the session has been released; create a new one');
  }

  /** Starts to time every step of every run. */
  startProfiling(): void {
    this.#timer = new StepTimer();
    if (this.#running) this.#running.runs.timer = this.#timer;
  }

  /** Stops the timing that `startProfiling` began. */
  endProfiling(): void {
    if (this.#running) this.#running.runs.timer = null;
  }

  /** The steps timed since profiling started, in execution order. */
  get profile(): readonly StepTiming[] {
    return this.#timer?.timings ?? [];
  }

  /**
   * Number of threads that work on a run, including the caller's. From the second run on, this is the requested number, as far as they
   * could be started.
   */
  get threads(): number {
    return this.#running?.wasm?.threads ?? 1;
  }

  /** The memory location of every value for the last run's shapes; null before the first run, and if no kernels run. */
  get memoryPlan(): MemoryPlan | null {
    return this.#running?.runs.runners.current.memoryPlan ?? null;
  }

  /**
   * For which sizes the plan of the last run serves: the conditions under which other sizes take no new plan. Null before the first run, and
   * where no plan is traced: without kernels, with several execution providers, and where shapes depend on computed data.
   */
  async explain(): Promise<PlanExplanation | null> {
    return (await this.#running?.runs.runners.current.explain?.()) ?? null;
  }

  /**
   * Values in the last run's option `capture` that the optimized graph does not compute, in the order of the model's nodes; empty before a
   * run with `capture`.
   */
  get optimizedAway(): readonly string[] {
    return this.#running?.runs.optimizedAway ?? [];
  }

  /** The execution provider of each node of the optimized graph; empty once released. */
  get placement(): readonly Placement[] {
    if (!this.#running) return [];
    const { graph, providers } = this.#running;
    return graph.nodes.map((node) => ({
      node: node.name,
      operator: node.op,
      provider: providers.providerOf(node),
      origins: idsOf(node),
    }));
  }

  /** Releases the session's memory after the runs in progress; further calls throw. */
  async release(): Promise<void> {
    this.#isClosing = true;
    await this.#running?.runs.idle;
    const wasm = this.#running?.wasm;
    this.#running = null;
    await wasm?.release();
  }

  /** Called by `await using` at the end of the block. */
  [asyncDispose](): Promise<void> {
    return this.release();
  }
}

/** The backends of a session, for consoles. */
const shownOf = ({ wasm, providers }: Running) => ({
  ...(wasm && { threads: wasm.plannedThreads }),
  ...(providers !== wasm && { providers: providers.names }),
});
