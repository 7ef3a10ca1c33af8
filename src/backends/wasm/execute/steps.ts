import type { Engine } from '../../../../bindings/engine.js';
import type { Stage } from '../plan/stage.js';

/** A way to run a stage's program step by step. */
export interface Steps {
  /** Runs one step; like `Engine.run`, it may have to be called again. */
  runStep(engine: Engine, stage: Stage, arenaBase: number, index: number): boolean;
}
