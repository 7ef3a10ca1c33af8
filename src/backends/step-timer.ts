import type { Node } from '../graph/graph.js';
import { idsOf } from '../graph/origins.js';
import type { StepTiming } from './step-timing.js';

type TimedNode = Pick<Node, 'name' | 'op' | 'origins'>;

/** Notes how long each step of the runs takes. */
export class StepTimer {
  readonly timings: StepTiming[] = [];

  start(): number {
    return performance.now();
  }

  stop(started: number, node: TimedNode, provider: string, kernel: string, tiles = 1): void {
    // The clock may have been set back.
    const milliseconds = Math.max(0, performance.now() - started);
    const { name, op } = node;
    this.timings.push({ node: name, operator: op, origins: idsOf(node), provider, kernel, tiles, milliseconds });
  }
}
