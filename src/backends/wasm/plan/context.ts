import type { Engine } from '../../../../bindings/engine.js';
import type { Value } from '../../../graph/graph.js';
import type { ValueType } from '../../../graph/types.js';
import type { Caching } from '../caches/index.js';
import type { Ahead } from './ahead.js';
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

/** How plans are made from one for other shapes, and foreseen, once that is loaded: a second shape asks for it. */
export interface Revising {
  reviseStage: ReviseStage | null;
  Ahead?: (new () => Ahead) | undefined;
  isWanted: boolean;
}

/** The stage for other types of what the host holds, or what varies where that takes another plan. */
export type ReviseStage = (
  context: PlanningContext,
  base: BaseStage,
  types: ReadonlyMap<Value, ValueType>,
) => Stage | Variation;
