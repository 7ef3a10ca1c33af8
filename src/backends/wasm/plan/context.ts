import type { Engine } from '../../../../bindings/engine.js';
import type { Caching } from '../caches/index.js';
import type { Arena } from './arena.js';
import type { Given, Movable, Stage } from './stage.js';
import type { Weights } from './weights.js';

/** State that all plans of a session share. */
export interface PlanningContext {
  readonly engine: Engine;
  readonly arena: Arena;
  readonly weights: Weights;
  /** Bytes of guard zone around every buffer. */
  readonly guardBytes: number;
  /** The limit in bytes on the plans that are kept for one graph. */
  readonly planBytes?: number;
  readonly tracing: LazyTracing;
  /** Present if the graph has outputs that may stay in linear memory until they are fed again. */
  readonly caching?: Caching | undefined;
}

/** Functions that trace stages; they are loaded when a second shape occurs. */
export interface Tracing {
  /** `varied` names the sizes that become symbols; null: those that no declaration fixes. */
  readonly makeMovable?: (
    context: PlanningContext,
    stage: Stage,
    varied: ReadonlySet<string> | null,
  ) => Movable | undefined;
  /** The names of sizes and contents from outside that differ from those that a stage was planned for. */
  readonly namesOfVarying?: (stage: Stage, given: Given) => readonly string[];
}

export interface LazyTracing {
  functions: Tracing;
  isWanted: boolean;
}
