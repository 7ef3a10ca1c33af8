import type { Engine } from '../../../../bindings/engine.js';
import type { StepTimer } from '../../step-timer.js';
import type { Launch } from '../plan/launch.js';
import { tilesOf } from '../plan/program.js';
import { factsOf, type Stage } from '../plan/stage.js';
import type { Steps } from './steps.js';

/** Runs programs step by step and has each timed. */
export class TimedSteps implements Steps {
  #started = 0;

  constructor(readonly timer: StepTimer) {}

  runStep(engine: Engine, stage: Stage, _arenaBase: number, index: number): boolean {
    const { program } = stage;
    const { node, kernel } = program.launches[index] as Launch;
    const tiles = tilesOf(engine, program, index, index + 1);
    if (!engine.isWaiting) this.#started = this.timer.start();
    if (!engine.run(program.address, index, index + 1, 0, tiles)) return false;
    this.timer.stop(this.#started, { node, provider: 'wasm', kernel, tiles, facts: () => factsOf(stage) });
    return true;
  }
}
