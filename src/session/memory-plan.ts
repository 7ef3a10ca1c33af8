import type { GraphRunner } from '../execute/graph-runner.js';
import { lowerBound } from '../plan/placement.js';
import { rootOf } from '../plan/places.js';
import type { Stage } from '../plan/stage.js';

/** Where one value lies in the arena, and from which to which step its memory is its own. */
export interface PlacedValue {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
  readonly first: number;
  readonly last: number;
}

/** The arena of the last run, in bytes. Where shapes depend on computed data, that of its largest stage. */
export interface MemoryPlan {
  /** What the arena needs. */
  readonly peak: number;
  /** The largest sum of values alive at one time: no placement can need less. */
  readonly lowerBound: number;
  /** Values in the arena; views of one buffer lie in one place, and temporaries have no value of their own. */
  readonly values: readonly PlacedValue[];
  /** The whole linear memory, weights and programs included. */
  readonly linearMemory: number;
}

export function memoryPlanOf(runner: GraphRunner): MemoryPlan | null {
  const [first, ...rest] = runner.lastStages;
  if (!first) return null;
  const stage = rest.reduce((largest, next) => (next.arenaBytes > largest.arenaBytes ? next : largest), first);
  return {
    peak: stage.arenaBytes,
    lowerBound: lowerBound(stage.buffers),
    values: placedValues(stage),
    linearMemory: runner.linearMemory,
  };
}

function placedValues({ values }: Stage): PlacedValue[] {
  return [...values].flatMap(([{ name }, place]) => {
    const root = rootOf(place);
    if (!root || root.buffer.offset < 0) return [];
    const { offset, bytes, first, last } = root.buffer;
    return [{ name, offset: offset + root.offset, bytes: bytes - root.offset, first, last }];
  });
}
