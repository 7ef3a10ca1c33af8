import { createEngine, type Engine } from '../../bindings/engine.js';
import { startTeam, type Team } from '../../workers/team.js';
import { asSardonyxError, SardonyxError } from '../errors.js';
import { nextTurn, TimeSlice } from '../execute/budget.js';
import { GraphRunner } from '../execute/graph-runner.js';
import { StepTimer } from '../execute/profile.js';
import type { StepTiming } from '../execute/step-timing.js';
import type { Graph, Model, Value } from '../graph/graph.js';
import { constantsOf } from '../graph/walk.js';
import { partOf } from '../loading/source.js';
import { type Prepared, prepare } from '../optimize/prepare.js';
import type { RewriteLog } from '../optimize/rewrite-log.js';
import { Arena } from '../plan/arena.js';
import { Staging } from '../plan/staging.js';
import { Weights } from '../plan/weights.js';
import type { TypedArray } from '../tensor/element-types.js';
import { asTensor, type Tensor } from '../tensor/tensor.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { type Feeds, orderFeeds } from './feeds.js';
import { kernelModule } from './kernels.js';
import type { MemoryPlan } from './memory-plan.js';
import { inputMetadataOf, metadataOf, type ValueMetadata } from './metadata.js';
import { checkSignal } from './on-abort.js';
import { type ModelSource, openModel } from './open-model.js';
import type { SessionOptions } from './options.js';
import { memoryPlanOf } from './placed-values.js';
import { aborted, checkTarget, isRunOptions, type RunOptions } from './run-options.js';
import { RunQueue } from './run-queue.js';
import { threadCount, warnOnce } from './threads.js';

/** Which outputs to compute: names, or names with a tensor to write into (null: a new one). */
export type Fetches = readonly string[] | Readonly<Record<string, Tensor | null>>;

/** What a run gives, by output name: tensors; arrays for sequences, Maps for maps, null for absent optionals. */
export type Results = Record<string, HostValue>;

interface Loaded {
  readonly runner: GraphRunner;
  readonly weights: Weights;
}

/** Half of what a caller may have to wait until an abort is heard. */
const SLICE_MILLISECONDS = 5;

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
  #settled = false;
  #timer: StepTimer | null = null;
  #team: Team | null = null;

  private constructor(
    readonly model: Model,
    { graph, rewrites }: Prepared,
    engine: Engine,
    staging: Staging,
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
    this.#loaded = {
      weights,
      runner: new GraphRunner({ engine, arena: new Arena(engine), weights, guardBytes }, graph),
    };
    if (engine.team) this.#team = startTeam(engine, engine.team, reportThread);
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
      const engine = kernelModule(threads > 1).then((module) => createEngine(module, threads));
      const staging = engine.then((made) => new Staging(made));
      const bytes = typeof second === 'number' ? partOf(source, second, byteLength) : source;
      const harbor = staging.then(({ dock }) => dock);
      const [model] = await Promise.all([openModel(bytes, options, harbor), harbor]);
      const session = [await prepare(model, options), await engine, await staging] as const;
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
    return this.#runNow(feeds, fetches);
  }

  #runNow(feeds: Feeds, fetches: Fetches | undefined): Results {
    const loaded = this.#loaded as Loaded;
    orderFeeds(this.#graph, feeds, this.#feeds);
    const targets = fetches && this.#targetsOf(fetches);
    try {
      const outputs = loaded.runner.run(this.#feeds, undefined, targets);
      if (!this.#settled) this.#settle(loaded);
      return this.#collect(outputs, fetches);
    } catch (error) {
      throw asSardonyxError(error);
    }
  }

  /** Runs a few milliseconds at a time, so that the signal is heard. */
  async #runInSlices(feeds: Feeds, fetches: Fetches | undefined, signal: AbortSignal): Promise<Results> {
    const loaded = this.#loaded as Loaded;
    if (signal.aborted) throw aborted(signal);
    orderFeeds(this.#graph, feeds, this.#feeds);
    const targets = fetches && this.#targetsOf(fetches);
    const slice = new TimeSlice(SLICE_MILLISECONDS);
    try {
      slice.begin();
      loaded.runner.begin(this.#feeds, undefined, targets);
      while (!loaded.runner.advance(slice)) {
        await nextTurn();
        if (signal.aborted) throw aborted(signal);
        slice.begin();
      }
      if (!this.#settled) this.#settle(loaded);
      return this.#collect(loaded.runner.takeOutputs(), fetches);
    } catch (error) {
      throw asSardonyxError(error);
    }
  }

  /** Starts to time every step of every run. */
  startProfiling(): void {
    this.#timer = new StepTimer();
    if (this.#loaded) this.#loaded.runner.timer = this.#timer;
  }

  /** Stops the timing that `startProfiling` began. */
  endProfiling(): void {
    if (this.#loaded) this.#loaded.runner.timer = null;
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
    return this.#loaded ? memoryPlanOf(this.#loaded.runner) : null;
  }

  /** Gives the session's memory back, after the runs that are going on; others are refused from now on. */
  async release(): Promise<void> {
    this.#isClosing = true;
    await this.#queue.idle;
    const team = this.#team;
    const shared = team && this.#loaded ? this.#loaded.runner.linearMemory : 0;
    this.#team = null;
    this.#loaded = null;
    await team?.dismiss();
    announceGarbage(shared);
  }

  /** After the first run the weights are in linear memory: the model's bytes may go. */
  #settle({ runner, weights }: Loaded): void {
    this.#settled = true;
    if (runner.isWhole) weights.releaseSources(this.#graph.nodes);
  }

  /** The arrays that outputs are to be written into, by position; undefined where none is given. */
  #targetsOf(fetches: Fetches): (TypedArray | undefined)[] | undefined {
    if (Array.isArray(fetches)) {
      for (const name of fetches) this.#checkOutput(name);
      return undefined;
    }
    const given = fetches as Readonly<Record<string, Tensor | null>>;
    for (const name in given) {
      this.#checkOutput(name);
      checkTarget(name, given[name]);
    }
    for (let i = 0; i < this.outputNames.length; i++) {
      this.#targets[i] = given[this.outputNames[i] as string]?.data as TypedArray | undefined;
    }
    return this.#targets;
  }

  #checkOutput(name: string): void {
    if (this.outputNames.includes(name)) return;
    const known = this.outputNames.map((output) => `"${output}"`).join(', ');
    throw new SardonyxError('UNKNOWN_OUTPUT', `the model has no such output; its outputs are ${known}`, {
      value: name,
    });
  }

  #collect(outputs: readonly HostValue[], fetches: Fetches | undefined): Results {
    const results: Results = {};
    for (let i = 0; i < outputs.length; i++) {
      const name = (this.#graph.outputs[i] as Value).name;
      if (fetches === undefined) results[name] = asTensor(outputs[i] as HostValue);
      else if (Array.isArray(fetches)) {
        if (fetches.includes(name)) results[name] = asTensor(outputs[i] as HostValue);
      } else if (name in fetches) {
        results[name] = (fetches as Record<string, Tensor | null>)[name] ?? asTensor(outputs[i] as HostValue);
      }
    }
    return results;
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
