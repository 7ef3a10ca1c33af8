import type { Engine } from '../../../../bindings/engine.js';
import type { StepTimer } from '../../step-timer.js';
import type { Launch } from '../plan/launch.js';
import { tilesOf } from '../plan/program.js';
import type { Stage } from '../plan/stage.js';
import type { Steps } from './steps.js';

/** Runs programs step by step and has each timed. */
export class TimedSteps implements Steps {
  #started = 0;

  constructor(readonly timer: StepTimer) {}

  runStep(engine: Engine, { program }: Stage, _arenaBase: number, index: number): boolean {
    const { node, kernel } = program.launches[index] as Launch;
    const tiles = tilesOf(engine, program, index, index + 1);
    if (!engine.isWaiting) this.#started = this.timer.start();
    if (!engine.run(program.address, index, index + 1, 0, tiles)) return false;
    this.timer.stop(this.#started, node, 'wasm', kernel, tiles);
    return true;
  }
}
