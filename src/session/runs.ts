import { type Account, within } from '../account.js';
import { advised } from '../advice/advised.js';
import type { Executor } from '../backends/backend.js';
import { describing, type StepTimer } from '../backends/step-timer.js';
import type { WasmBackend } from '../backends/wasm/wasm-backend.js';
import { aborted } from '../base/aborted.js';
import { settledOrAborted } from '../base/on-abort.js';
import { onDemand } from '../base/on-demand.js';
import { isTurnDue, nextTurn } from '../base/turns.js';
import type { Graph, Value } from '../graph/graph.js';
import { openAccount } from '../limits/open-account.js';
import type { RunLimits } from '../limits.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import type { Captures } from './captures.js';
import { type Course, courseOf, FREE } from './course.js';
import { blamed, type Feeds, orderFeeds } from './feeds.js';
import { checkFetches, collect, type Fetches, givenFor, type Results } from './fetches.js';
import type { OpenedSession } from './open-session.js';
import type { Capture } from './run-options.js';
import { RunQueue } from './run-queue.js';
import { Runners } from './runners.js';

/** The runs of one session, in call order. */
export class Runs {
  /** The runners of the current or last run. */
  runners: Runners;
  readonly #plain: Runners;
  readonly #opened: OpenedSession;
  #captures: Captures | null = null;
  /** Values that the last run with `capture` requested, but that the optimized graph does not have. */
  optimizedAway: readonly string[] = [];
  #timer: StepTimer | null = null;
  /** The timer of future runs; queued ones keep theirs. */
  #nextTimer: StepTimer | null = null;
  readonly #graph: Graph;
  readonly #wasm: WasmBackend | null;
  readonly #feeds: (HostValue | undefined)[];
  readonly #targets: (TensorValue | undefined)[] = [];
  readonly #queue = new RunQueue();
  #hasRun = false;
  /** Runners, or their ways, that have completed a run. */
  readonly #settled = new WeakSet<object>();
  #account: Account | null;

  constructor(opened: OpenedSession) {
    const { graph, providers, wasm, account } = opened;
    this.#opened = opened;
    this.#graph = graph;
    this.#wasm = wasm;
    this.#account = account;
    this.#feeds = new Array(graph.inputs.length).fill(undefined);
    this.#plain = new Runners((part) => providers.compile(part), graph);
    this.runners = this.#plain;
  }

  get inputs(): readonly Value[] {
    return this.#graph.inputs;
  }

  get outputs(): readonly Value[] {
    return this.#graph.outputs;
  }

  /** Sets the initial number of rows of KV caches. */
  reserve(rows: number): void {
    this.#wasm?.reserve(rows);
  }

  /** Settles when all runs have settled; null if none is in progress. */
  get idle(): Promise<unknown> | null {
    return this.#queue.idle;
  }

  /** Sets the timer of later runs. */
  set timer(timer: StepTimer | null) {
    this.#nextTimer = timer;
    const take = () => {
      this.#timer = timer;
    };
    if (this.#queue.idle) void this.#queue.do(async () => take());
    else take();
  }

  /** Runs after earlier runs; immediately if there are none. */
  run(
    feeds: Feeds,
    fetches: Fetches | undefined,
    signal: AbortSignal | undefined,
    limits: RunLimits | null | undefined,
  ): Results | Promise<Results> {
    this.#prepare();
    if (signal || limits || this.#account) return this.#queueOnCourse(feeds, fetches, signal, limits);
    if (this.#queue.idle) return this.#queueNow(feeds, fetches);
    const results = this.#runNow(feeds, fetches);
    return results instanceof Promise ? this.#occupy(results) : results;
  }

  /** Like `run`, with intermediate values in addition to the outputs. */
  capture(
    feeds: Feeds,
    fetches: Fetches | undefined,
    capture: Capture,
    signal: AbortSignal | undefined,
    limits: RunLimits | null | undefined,
  ): Promise<Results> {
    this.#prepare();
    return this.#queue.do(async () => {
      const { runners, wanted } = await this.#openCaptures();
      if (fetches) checkFetches(fetches, this.#plain.names);
      const { fetches: all, optimizedAway } = await wanted(fetches, capture);
      const results = await this.#runOnCourse(feeds, all, signal, limits, runners);
      this.optimizedAway = optimizedAway;
      return results;
    });
  }

  async #openCaptures(): Promise<Captures> {
    if (this.#captures) return this.#captures;
    const { capturesIn } = await onDemand('captures', () => import('./captures.js'));
    const { graph, modelValues, providers } = this.#opened;
    this.#captures = capturesIn(graph, modelValues, (own) => new Runners((part) => providers.compile(part), own));
    return this.#captures;
  }

  /** Queues tasks that the next run depends on. */
  #prepare(): void {
    const prerequisite = this.#wasm?.prerequisite(this.#hasRun);
    if (prerequisite) this.#queue.do(prerequisite);
    if (!this.#nextTimer) return;
    for (const unprepared of [describing(), this.#wasm?.untimed()]) if (unprepared) this.#queue.do(unprepared);
  }

  // Separate functions, because values that a closure captures are allocated on entry to the enclosing function.

  #queueOnCourse(...run: Parameters<Runs['run']>): Promise<Results> {
    return this.#queue.do(() => this.#runOnCourse(...run));
  }

  #queueNow(feeds: Feeds, fetches: Fetches | undefined): Promise<Results> {
    return this.#queue.do(async () => this.#runNow(feeds, fetches));
  }

  #occupy(results: Promise<Results>): Promise<Results> {
    return this.#queue.do(() => results);
  }

  /** Runs without timing and with all threads, and discards the results. */
  rehearse(feeds: Feeds): Promise<void> {
    const gathering = this.#wasm?.gathering();
    if (gathering) this.#queue.do(gathering);
    return this.#queue.do(() => this.#runUntimed(feeds));
  }

  /** Runs to the end synchronously, unless it has to wait. */
  #runNow(feeds: Feeds, fetches: Fetches | undefined): Results | Promise<Results> {
    try {
      orderFeeds(this.#graph, feeds, this.#feeds);
      this.#begin(fetches, this.#plain);
      return this.runners.current.advance(null) ? this.#finish(fetches) : this.#carryOnAdvised(fetches);
    } catch (error) {
      return this.#reject(error);
    }
  }

  #carryOnAdvised(fetches: Fetches | undefined): Promise<Results> {
    return this.#carryOn(fetches).catch((error) => this.#reject(error));
  }

  /** Runs with a signal and limits. */
  async #runOnCourse(
    feeds: Feeds,
    fetches: Fetches | undefined,
    signal: AbortSignal | undefined,
    limits: RunLimits | null | undefined,
    runners = this.#plain,
  ): Promise<Results> {
    if (signal?.aborted) throw aborted(signal);
    try {
      if (limits) this.#account ??= await openAccount({});
      const course = courseOf(this.#account, this.#linearBytes, signal, limits);
      orderFeeds(this.#graph, feeds, this.#feeds);
      return await this.#follow(fetches, course, () => this.#begin(fetches, runners));
    } catch (error) {
      return this.#reject(error);
    }
  }

  async #runUntimed(feeds: Feeds): Promise<void> {
    try {
      orderFeeds(this.#graph, feeds, this.#feeds);
      await this.#follow(undefined, courseOf(this.#account, this.#linearBytes), () => {
        this.runners = this.#plain;
        const runner = this.runners.select(undefined);
        runner.timer = null;
        runner.begin(this.#feeds);
      });
    } catch (error) {
      return rejectAdvised(error);
    }
  }

  get #linearBytes(): number {
    return this.#wasm?.linearMemory ?? 0;
  }

  /** Runs from start to end, and releases its part of the account. */
  async #follow(fetches: Fetches | undefined, course: Course, begin: () => void): Promise<Results> {
    const { slice, account } = course;
    try {
      slice?.begin();
      const isDone = within(account, () => {
        begin();
        return this.runners.current.advance(slice);
      });
      return isDone ? this.#finish(fetches) : await this.#carryOn(fetches, course);
    } finally {
      if (account) this.runners.current.forget();
      account?.end();
    }
  }

  #begin(fetches: Fetches | undefined, runners: Runners): void {
    this.runners = runners;
    const runner = runners.select(fetches);
    runner.timer = this.#timer;
    this.#timer?.begin();
    runner.begin(this.#feeds, undefined, fetches && this.#targetsOf(runner, fetches));
  }

  /** Continues a paused run, after a turn of the event loop each time. */
  async #carryOn(fetches: Fetches | undefined, { slice, signal, account }: Course = FREE): Promise<Results> {
    const runner = this.runners.current;
    do {
      await (runner.pending ? settledOrAborted(runner.pending, signal) : nextTurn());
      if (!runner.isWaiting && signal?.aborted) throw aborted(signal);
      if (!runner.isWaiting) account?.look();
      slice?.begin();
      if (runner.isWaiting && this.#wasm?.hasLost) await this.#startAgainAlone(fetches, account);
    } while (!within(account, () => runner.advance(slice)));
    return this.#finish(fetches);
  }

  /** Restarts the run, because the work of a dead thread cannot be completed. */
  async #startAgainAlone(fetches: Fetches | undefined, account: Account | null): Promise<void> {
    await this.#wasm?.goOnAlone();
    within(account, () => this.#begin(fetches, this.runners));
  }

  /** Returns the results; yields to other tasks if runs follow each other without a pause. */
  #finish(fetches: Fetches | undefined): Results | Promise<Results> {
    const runner = this.runners.current;
    if (!this.#settled.has(runner.way ?? runner)) this.#settle(runner);
    const results = collect(runner.graph.outputs, runner.takeOutputs(), fetches);
    return isTurnDue() ? afterTurn(results) : results;
  }

  /** After a runner's first complete run, its weights are in linear memory, so that the model's bytes can be freed. */
  #settle(runner: Executor): void {
    this.#hasRun = true;
    this.#settled.add(runner.way ?? runner);
    if (runner.isWhole) this.#wasm?.releaseSources(this.#graph);
  }

  /** The tensors that a runner's outputs are written into, by position; undefined if there is none. */
  #targetsOf({ graph }: Executor, fetches: Fetches): (TensorValue | undefined)[] {
    for (let i = 0; i < graph.outputs.length; i++)
      this.#targets[i] = givenFor(fetches, (graph.outputs[i] as Value).name) ?? undefined;
    return this.#targets;
  }

  #reject(error: unknown): Promise<never> {
    return rejectAdvised(blamed(this.#graph, this.#feeds, error));
  }
}

const afterTurn = async (results: Results): Promise<Results> => {
  await nextTurn();
  return results;
};

const rejectAdvised = async (error: unknown): Promise<never> => {
  if (isTurnDue()) await nextTurn();
  throw await advised(error);
};
