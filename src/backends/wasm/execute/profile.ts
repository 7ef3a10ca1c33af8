import type { Engine } from '../../../../bindings/engine.js';
import type { Node } from '../../../graph/graph.js';
import type { StepTiming } from '../../step-timing.js';
import type { Launch } from '../plan/launch.js';
import { tilesOf } from '../plan/program.js';
import type { Stage } from '../plan/stage.js';
import type { Steps } from './steps.js';

/** Runs programs step by step and notes how long each step takes. */
export class StepTimer implements Steps {
  readonly timings: StepTiming[] = [];
  #started = 0;

  start(): number {
    return performance.now();
  }

  stop(started: number, node: Node, kernel: string, tiles = 1): void {
    // The clock may have been set back.
    const milliseconds = Math.max(0, performance.now() - started);
    this.timings.push({ node: node.name, operator: node.op, kernel, tiles, milliseconds });
  }

  runStep(engine: Engine, { program }: Stage, _arenaBase: number, index: number): boolean {
    const { node, kernel } = program.launches[index] as Launch;
    const tiles = tilesOf(engine, program, index, index + 1);
    if (!engine.isWaiting) this.#started = this.start();
    if (!engine.run(program.address, index, index + 1, 0, tiles)) return false;
    this.stop(this.#started, node, kernel, tiles);
    return true;
  }
}
