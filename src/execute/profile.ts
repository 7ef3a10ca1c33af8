import type { Engine } from '../../bindings/engine.js';
import type { Node } from '../graph/graph.js';
import type { Stage } from '../plan/stage.js';
import type { StepTiming } from './step-timing.js';
import type { Steps } from './steps.js';

/** Runs programs step by step and notes how long each step takes. */
export class StepTimer implements Steps {
  readonly timings: StepTiming[] = [];

  start(): number {
    return performance.now();
  }

  stop(started: number, node: Node, kernel: string, tiles = 1): void {
    this.timings.push({ node: node.name, operator: node.op, kernel, tiles, milliseconds: performance.now() - started });
  }

  runSteps(engine: Engine, { program }: Stage, _arenaBase: number, begin: number, end: number): void {
    for (let i = begin; i < end; i++) {
      const launch = program.launches[i];
      if (!launch) return;
      const started = this.start();
      engine.run(program.address, i, i + 1);
      this.stop(started, launch.node, launch.kernel, launch.tiles);
    }
  }
}
