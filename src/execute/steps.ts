import type { Engine } from '../../bindings/engine.js';
import type { Stage } from '../plan/stage.js';

/** A way to run the steps `begin…end` of a stage's program other than all at once. */
export interface Steps {
  runSteps(engine: Engine, stage: Stage, arenaBase: number, begin: number, end: number): void;
}
