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

/** What all plans of a session share. */
export interface PlanningContext {
  readonly engine: Engine;
  readonly arena: Arena;
  readonly weights: Weights;
  /** Bytes of guard zone around every buffer. */
  readonly guardBytes: number;
  /** What the plans that are kept for one graph may take. */
  readonly planBytes?: number;
  readonly revising: Revising;
  /** Where the graph has outputs that may stay in linear memory until they are fed again. */
  readonly caching?: Caching | undefined;
}

/** How plans are made from one for other shapes, once that is loaded: a second shape asks for it. */
export interface Revising {
  reviseStage: ReviseStage | null;
  beginMoving?: BeginMoving | undefined;
  explainStage?: ExplainStage | undefined;
  isWanted: boolean;
}

/** The stage for other types of what the host holds, or what varies where that takes another plan. */
export type ReviseStage = (
  context: PlanningContext,
  base: BaseStage,
  types: ReadonlyMap<Value, ValueType>,
) => Stage | Variation;

/** One stage for all sizes that a trace of `base` allows, which is moved to those of each run. */
export interface Moving {
  readonly stage: Stage;
  readonly base: BaseStage;
  /** Moves the stage to the sizes of these inputs, those of the graph; false where a guard fails. */
  moveTo(inputs: readonly (HostValue | undefined)[]): boolean;
  release(): void;
}

/** Traces a stage of `graph`; undefined where it cannot be moved. */
export type BeginMoving = (context: PlanningContext, graph: Graph, base: BaseStage) => Moving | undefined;

/** For which sizes a stage serves; null where it cannot be moved. */
export type ExplainStage = (context: PlanningContext, base: BaseStage) => PlanExplanation | null;
