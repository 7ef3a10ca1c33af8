import type { Node } from '../graph/graph.js';
import type { StepTiming } from './step-timing.js';

/** Notes how long each step of the runs takes. */
export class StepTimer {
  readonly timings: StepTiming[] = [];

  start(): number {
    return performance.now();
  }

  stop(started: number, { name, op }: Pick<Node, 'name' | 'op'>, provider: string, kernel: string, tiles = 1): void {
    // The clock may have been set back.
    const milliseconds = Math.max(0, performance.now() - started);
    this.timings.push({ node: name, operator: op, provider, kernel, tiles, milliseconds });
  }
}
