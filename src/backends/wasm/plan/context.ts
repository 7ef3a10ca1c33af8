import type { Engine } from '../../../../bindings/engine.js';
import type { Graph, Value } from '../../../graph/graph.js';
import type { ValueType } from '../../../graph/types.js';
import type { HostValue } from '../../../tensor/tensor-value.js';
import type { PlanExplanation } from '../../plan-explanation.js';
import type { Caching } from '../caches/index.js';
import type { Arena } from './arena.js';
import type { Variation } from './draft.js';
import type { BaseStage, Stage } from './stage.js';
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
  readonly revising: Revising;
  /** Present if the graph has outputs that may stay in linear memory until they are fed again. */
  readonly caching?: Caching | undefined;
}

/** Functions that derive plans for other shapes; they are loaded when a second shape occurs. */
export interface Revising {
  reviseStage: ReviseStage | null;
  beginMoving?: BeginMoving | undefined;
  explainStage?: ExplainStage | undefined;
  isWanted: boolean;
}

/** Returns the stage for other types of values on the host, or the variation if they need another plan. */
export type ReviseStage = (
  context: PlanningContext,
  base: BaseStage,
  types: ReadonlyMap<Value, ValueType>,
) => Stage | Variation;

/** One stage for all sizes that a trace of `base` allows; each run moves it to its own sizes. */
export interface Moving {
  readonly stage: Stage;
  readonly base: BaseStage;
  /** Moves the stage to the sizes of the graph's inputs; false if a guard fails. */
  moveTo(inputs: readonly (HostValue | undefined)[]): boolean;
  release(): void;
}

/** Traces a stage of `graph`; undefined if it cannot be moved. */
export type BeginMoving = (context: PlanningContext, graph: Graph, base: BaseStage) => Moving | undefined;

/** The sizes that a stage serves; null if it cannot be moved. */
export type ExplainStage = (context: PlanningContext, base: BaseStage) => PlanExplanation | null;
