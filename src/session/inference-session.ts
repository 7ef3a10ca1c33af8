import { createEngine, type Engine } from '../../bindings/engine.js';
import type { startTeam, Team } from '../../workers/team.js';
import { asSardonyxError, SardonyxError } from '../errors.js';
import { nextTurn, TimeSlice } from '../execute/budget.js';
import type { GraphRunner } from '../execute/graph-runner.js';
import { StepTimer } from '../execute/profile.js';
import type { StepTiming } from '../execute/step-timing.js';
import type { Graph, Model, Value } from '../graph/graph.js';
import { constantsOf } from '../graph/walk.js';
import { inspectable, typesOf } from '../inspection.js';
import { partOf } from '../loading/source.js';
import { type Prepared, prepare } from '../optimize/prepare.js';
import type { RewriteLog } from '../optimize/rewrite-log.js';
import { Arena } from '../plan/arena.js';
import { Staging } from '../plan/staging.js';
import { Weights } from '../plan/weights.js';
import type { TypedArray } from '../tensor/element-types.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { type Feeds, orderFeeds } from './feeds.js';
import { collect, type Fetches, type Results, targetFor } from './fetches.js';
import { kernelModule } from './kernels.js';
import { loadTeam } from './load-team.js';
import type { MemoryPlan } from './memory-plan.js';
import { inputMetadataOf, metadataOf, type ValueMetadata } from './metadata.js';
import { checkSignal } from './on-abort.js';
import { type ModelSource, openModel } from './open-model.js';
import type { SessionOptions } from './options.js';
import { memoryPlanOf } from './placed-values.js';
import { aborted, isRunOptions, type RunOptions } from './run-options.js';
import { RunQueue } from './run-queue.js';
import { Runners } from './runners.js';
import { threadCount, warnOnce } from './threads.js';

export type { Fetches, Results } from './fetches.js';

interface Loaded {
  readonly runners: Runners;
  readonly weights: Weights;
}

/** With the tiles of one look, some four more milliseconds, less than a page may be kept waiting. */
const SLICE_MILLISECONDS = 3;

/**
 * A model ready to run. Sessions are independent: each has its own kernels' instance and memory, which `release` gives
 * back. Runs of one session queue in order.
 */
export class InferenceSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly ValueMetadata[];
  readonly outputMetadata: readonly ValueMetadata[];
  /** What the optimizer did to the model. */
  readonly rewrites: RewriteLog;
  readonly #graph: Graph;
  readonly #feeds: (HostValue | undefined)[];
  readonly #targets: (TypedArray | undefined)[] = [];
  /** Null once released: nothing else holds on to the kernels' instance and its memory. */
  #loaded: Loaded | null;
  #isClosing = false;
  readonly #queue = new RunQueue();
  /** Runners that have run to their end. */
  readonly #settled = new WeakSet<GraphRunner>();
  #timer: StepTimer | null = null;
  #team: Team | null = null;

  static {
    inspectable(InferenceSession.prototype, 'InferenceSession', (session) => ({
      ...typesOf(session),
      ...(session.#isClosing ? { released: true } : { threads: session.threads }),
    }));
  }

  private constructor(
    readonly model: Model,
    { graph, rewrites }: Prepared,
    engine: Engine,
    staging: Staging,
    start: typeof startTeam | null,
    options: SessionOptions,
  ) {
    this.#graph = graph;
    this.rewrites = rewrites;
    this.#feeds = new Array(graph.inputs.length).fill(undefined);
    this.inputNames = graph.inputs.map(({ name }) => name);
    this.outputNames = graph.outputs.map(({ name }) => name);
    this.inputMetadata = graph.inputs.map(inputMetadataOf);
    this.outputMetadata = graph.outputs.map(metadataOf);
    staging.serve(graph);
    const weights = new Weights(engine, constantsOf(graph), staging);
    const { guardBytes = 0 } = options;
    const context = { engine, arena: new Arena(engine), weights, guardBytes };
    this.#loaded = { weights, runners: new Runners(context, graph) };
    if (engine.team && start) this.#team = start(engine, engine.team, reportThread);
    if (options.enableProfiling) this.startProfiling();
  }

  /**
   * Loads a model. What is downloaded goes straight into linear memory.
   * @param source an ONNX file as bytes, Blob, Response or stream, or its path (Node, Deno, Bun), URL or OPFS handle
   * @throws SardonyxError INVALID_MODEL, INVALID_GRAPH, UNSUPPORTED_OPERATOR, EXTERNAL_DATA, DOWNLOAD and others, naming
   * the place; ABORTED, named `AbortError`, once the signal says so
   */
  static create(source: ModelSource, options?: SessionOptions): Promise<InferenceSession>;
  static create(
    buffer: ArrayBufferLike,
    byteOffset: number,
    byteLength?: number,
    options?: SessionOptions,
  ): Promise<InferenceSession>;
  static async create(
    source: ModelSource,
    second?: SessionOptions | number,
    byteLength?: number,
    last?: SessionOptions,
  ): Promise<InferenceSession> {
    const options = (typeof second === 'number' ? last : second) ?? {};
    try {
      const threads = threadCount(options);
      const start = threads > 1 ? loadTeam() : null;
      const engine = kernelModule(threads > 1).then((module) => createEngine(module, threads));
      const staging = engine.then((made) => new Staging(made));
      const bytes = typeof second === 'number' ? partOf(source, second, byteLength) : source;
      const harbor = staging.then(({ dock }) => dock);
      const [model] = await Promise.all([openModel(bytes, options, harbor), harbor]);
      const session = [await prepare(model, options), await engine, await staging, await start] as const;
      if (options.signal?.aborted) throw aborted(options.signal, 'loading');
      if (threads > 1 && !session[1].team) warnOnce('the given kernels are those for one thread: one thread works');
      return new InferenceSession(model, ...session, options);
    } catch (error) {
      throw asSardonyxError(error);
    }
  }

  /**
   * Computes the outputs for these inputs.
   * @param feeds a tensor (any object with `type`, `dims` and `data`) for every input without a default
   * @param fetches the outputs wanted; all if left out
   * @throws SardonyxError MISSING_FEED, INVALID_SHAPE and others; ABORTED, named `AbortError`, once the signal says so
   */
  run(feeds: Feeds, options?: RunOptions): Promise<Results>;
  run(feeds: Feeds, fetches: Fetches | undefined, options?: RunOptions): Promise<Results>;
  async run(feeds: Feeds, second?: Fetches | RunOptions, third?: RunOptions): Promise<Results> {
    if (!this.#loaded || this.#isClosing) throw new SardonyxError('RELEASED', 'the session has been released');
    const isOptions = second !== undefined && isRunOptions(second, this.outputNames);
    const fetches = isOptions ? undefined : (second as Fetches | undefined);
    const signal = (third ?? (isOptions ? second : undefined))?.signal;
    if (signal) checkSignal(signal);
    if (signal) return this.#queue.do(() => this.#runInSlices(feeds, fetches, signal));
    if (this.#queue.idle) return this.#queue.do(async () => this.#runNow(feeds, fetches));
    const results = this.#runNow(feeds, fetches);
    return results instanceof Promise ? this.#queue.do(() => results) : results;
  }

  /** Runs to the end at once, unless another thread keeps it waiting. */
  #runNow(feeds: Feeds, fetches: Fetches | undefined): Results | Promise<Results> {
    const loaded = this.#loaded as Loaded;
    orderFeeds(this.#graph, feeds, this.#feeds);
    try {
      this.#begin(loaded, fetches);
      return loaded.runners.current.advance(null) ? this.#finish(loaded, fetches) : this.#carryOn(loaded, fetches);
    } catch (error) {
      throw asSardonyxError(error);
    }
  }

  /** Runs a few milliseconds at a time, so that the signal is heard. */
  async #runInSlices(feeds: Feeds, fetches: Fetches | undefined, signal: AbortSignal): Promise<Results> {
    const loaded = this.#loaded as Loaded;
    if (signal.aborted) throw aborted(signal);
    orderFeeds(this.#graph, feeds, this.#feeds);
    const slice = new TimeSlice(SLICE_MILLISECONDS);
    try {
      slice.begin();
      this.#begin(loaded, fetches);
      return loaded.runners.current.advance(slice)
        ? this.#finish(loaded, fetches)
        : await this.#carryOn(loaded, fetches, slice, signal);
    } catch (error) {
      throw asSardonyxError(error);
    }
  }

  #begin({ runners }: Loaded, fetches: Fetches | undefined): void {
    const runner = runners.select(fetches);
    runner.begin(this.#feeds, undefined, fetches && this.#targetsOf(runner, fetches));
  }

  /** Goes on with a run that has paused, after a turn of the event loop each time. */
  async #carryOn(
    loaded: Loaded,
    fetches: Fetches | undefined,
    slice: TimeSlice | null = null,
    signal?: AbortSignal,
  ): Promise<Results> {
    const runner = loaded.runners.current;
    do {
      await nextTurn();
      if (!runner.isWaiting && signal?.aborted) throw aborted(signal);
      slice?.begin();
      if (runner.isWaiting && this.#team?.hasLost) await this.#startAgainAlone(loaded, fetches);
    } while (!runner.advance(slice));
    return this.#finish(loaded, fetches);
  }

  /** What a dead thread had in its hands nobody can end. */
  async #startAgainAlone(loaded: Loaded, fetches: Fetches | undefined): Promise<void> {
    await this.#team?.dismiss();
    this.#team = null;
    this.#begin(loaded, fetches);
  }

  #finish(loaded: Loaded, fetches: Fetches | undefined): Results {
    const runner = loaded.runners.current;
    if (!this.#settled.has(runner)) this.#settle(loaded);
    return collect(runner.graph.outputs, runner.takeOutputs(), fetches);
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

  /** Threads that work on a run now, this one included: those asked for join a little after `create`. */
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

  /** After its first run the weights that a runner reads are in linear memory: the model's bytes may go. */
  #settle({ runners, weights }: Loaded): void {
    this.#settled.add(runners.current);
    if (runners.current.isWhole) weights.releaseSources(this.#graph.nodes);
  }

  /** The arrays that a runner's outputs are to be written into, by position; undefined where none is given. */
  #targetsOf({ graph }: GraphRunner, fetches: Fetches): (TypedArray | undefined)[] {
    for (let i = 0; i < graph.outputs.length; i++)
      this.#targets[i] = targetFor(fetches, (graph.outputs[i] as Value).name);
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

const reportThread = (error: Error) => warnOnce(`a thread is missing, the others go on: ${error.message}`);
