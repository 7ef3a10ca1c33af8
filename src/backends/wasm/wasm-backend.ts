import type { Engine } from '../../../bindings/engine.js';
import type { Team } from '../../../workers/team.js';
import { onForgotten, remembered } from '../../base/forgotten.js';
import { onDemand } from '../../base/on-demand.js';
import type { Graph } from '../../graph/graph.js';
import { allNodes, constantsOf } from '../../graph/walk.js';
import type { Backend, Executor } from '../backend.js';
import type { Caching } from './caches/index.js';
import { type ExecutionContext, GraphRunner } from './execute/graph-runner.js';
import type { Steps } from './execute/steps.js';
import { Arena } from './plan/arena.js';
import type { LazyTracing } from './plan/context.js';
import { loadTracing } from './plan/load-tracing.js';
import type { Staging } from './plan/staging.js';
import { Weights } from './plan/weights.js';

/** Compiles a graph whose inputs select branches. */
export type Branched = (context: ExecutionContext, graph: Graph) => Executor | undefined;

/** The parts that a backend is built from. */
export interface Foundations {
  readonly engine: Engine;
  readonly staging: Staging;
  readonly team: Team | null;
  readonly guards: Steps | null;
  readonly caching: Caching | undefined;
  readonly branched: Branched | undefined;
}

/** Kernels in WebAssembly, their memory and their threads: one instance for each session. */
export class WasmBackend implements Backend {
  readonly name = 'wasm';
  readonly names = ['wasm'];
  readonly #context: ExecutionContext;
  readonly #tracing: LazyTracing = { functions: {}, isWanted: false };
  /** Created once, because each run asks for it and must not allocate. */
  readonly #loadTracing = () => loadTracing(this.#tracing);
  #team: Team | null;
  readonly #branched: Branched | undefined;

  /** @param graph the whole graph; parts that are compiled share its constants */
  constructor({ engine, staging, team, guards, caching, branched }: Foundations, graph: Graph, guardBytes = 0) {
    staging.serve(graph);
    const weights = new Weights(engine, constantsOf(graph), staging);
    const arena = new Arena(engine);
    this.#context = { engine, arena, weights, guardBytes, guards, caching, tracing: this.#tracing, timing: {} };
    this.#team = team;
    this.#branched = branched;
    if (team) onForgotten(this, dismiss, team); // Busy threads hold their engine and continue.
  }

  /** The host runs nodes that have no kernel. */
  supports(): boolean {
    return true;
  }

  compile(graph: Graph): Executor {
    return this.#branched?.(this.#context, graph) ?? new GraphRunner(this.#context, graph);
  }

  providerOf(): string {
    return this.name;
  }

  /** Bytes of the whole linear memory. */
  get linearMemory(): number {
    return this.#context.engine.memory.buffer.byteLength;
  }

  /** The current number of threads, including the caller's. */
  get threads(): number {
    return this.#team?.size ?? 1;
  }

  /** The number of threads once all have joined. */
  get plannedThreads(): number {
    return this.#team?.isStarting ? this.#team.planned : this.threads;
  }

  /** Sets the number of rows that caches have room for at first. */
  reserve(rows: number): void {
    this.#context.caching?.reserve(rows);
  }

  /**
   * A function to await before the next run, if any: it gathers threads that started during the first run, or loads the
   * functions that derive plans, once a second shape has occurred.
   */
  prerequisite(hasRun: boolean): (() => Promise<void>) | null {
    if (hasRun && this.#team?.isStarting) return this.#team.gather;
    return this.#tracing.isWanted ? this.#loadTracing : null;
  }

  /** The same for a run that is timed. */
  untimed(): (() => Promise<void>) | null {
    const { timing, engine } = this.#context;
    if (timing.stepsFor) return null;
    return async () => {
      const { timedStepsOf } = await onDemand('timed-steps', () => import('./execute/timed-steps.js'));
      timing.stepsFor ??= await timedStepsOf(engine, this.#team);
    };
  }

  /** The same for a run that only prepares others. */
  gathering(): (() => Promise<void>) | null {
    return this.#team?.isStarting ? this.#team.gather : null;
  }

  /** Whether a thread has died with work that no other thread can finish. */
  get hasLost(): boolean {
    return this.#team?.hasLost ?? false;
  }

  /** Continues with one thread; the run has to start again. */
  async goOnAlone(): Promise<void> {
    remembered(this);
    await this.#team?.dismiss();
    this.#team = null;
  }

  /** Releases the model's bytes, once the constants that these nodes read are in linear memory. */
  releaseSources(graph: Graph): void {
    this.#context.weights.releaseSources(allNodes(graph));
  }

  async release(): Promise<void> {
    this.#context.caching?.release();
    const shared = this.#team ? this.linearMemory : 0;
    await this.goOnAlone();
    announceGarbage(shared);
  }
}

const dismiss = (team: Team) => team.dismiss();

/**
 * V8 does not count shared memory, and so sees no need to collect what was released: 200 sessions of 8 MB piled up to
 * 2 GB. It does count an array buffer of that size, even if it is never touched.
 */
function announceGarbage(bytes: number): void {
  try {
    if (bytes > 0) new ArrayBuffer(bytes);
  } catch {}
}

/** Only tests use guard zones. */
export async function guardsOf(guardBytes = 0): Promise<Steps | null> {
  if (guardBytes <= 0) return null;
  const { GuardedSteps } = await onDemand('guarded-steps', () => import('./execute/guarded-steps.js'));
  return new GuardedSteps(guardBytes);
}
