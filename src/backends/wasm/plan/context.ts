import type { Engine } from '../../../../bindings/engine.js';
import type { Graph, Value } from '../../../graph/graph.js';
import type { ValueType } from '../../../graph/types.js';
import type { HostValue } from '../../../tensor/tensor-value.js';
import type { Caching } from '../caches/index.js';
import type { Ahead } from './ahead.js';
import type { Arena } from './arena.js';
import type { Variation } from './draft.js';
import type { Row } from './row.js';
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

/** How plans are made from one for other shapes, and foreseen, once that is loaded: a second shape asks for it. */
export interface Revising {
  reviseStage: ReviseStage | null;
  Ahead?: (new () => Ahead) | undefined;
  beginProgression?: BeginProgression | undefined;
  isWanted: boolean;
}

/** The stage for other types of what the host holds, or what varies where that takes another plan. */
export type ReviseStage = (
  context: PlanningContext,
  base: BaseStage,
  types: ReadonlyMap<Value, ValueType>,
) => Stage | Variation;

/** One stage for a row of sizes with equal steps between, which is moved to those of each run. */
export interface Moving {
  readonly stage: Stage;
  readonly base: BaseStage;
  /** The shapes of the inputs that the stage is for now. */
  readonly shapes: Row['shapes'];
  /** Has the stage be for these inputs; false where they are on another line or too far on it. */
  moveTo(inputs: readonly (HostValue | undefined)[]): boolean;
  release(): void;
}

/** That for the first of some rows of sizes of the graph's inputs; undefined where in each something does not change by equal steps. */
export type BeginProgression = (
  context: PlanningContext,
  graph: Graph,
  base: BaseStage,
  rows: readonly Row[],
) => Moving | undefined;
