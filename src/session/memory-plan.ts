import type { GraphRunner } from '../execute/graph-runner.js';
import { lowerBound } from '../plan/placement.js';

/** One buffer of the arena: from its first to its last step it holds values, elsewhere others may. */
export interface PlacedBuffer {
  readonly offset: number;
  readonly bytes: number;
  readonly first: number;
  readonly last: number;
}

/** Memory of the plan that ran last. All figures are bytes. */
export interface MemoryPlan {
  /** What the arena needs. */
  readonly peak: number;
  /** The largest sum of values alive at one time: no placement can need less. */
  readonly lowerBound: number;
  readonly buffers: readonly PlacedBuffer[];
  /** The whole linear memory, weights and programs included. */
  readonly linearMemory: number;
}

export function memoryPlanOf(runner: GraphRunner): MemoryPlan | null {
  const stage = runner.lastStage;
  if (!stage) return null;
  return {
    peak: stage.arenaBytes,
    lowerBound: lowerBound(stage.buffers),
    buffers: stage.buffers.map(({ offset, bytes, first, last }) => ({ offset, bytes, first, last })),
    linearMemory: runner.linearMemory,
  };
}
