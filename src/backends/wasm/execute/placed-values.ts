import type { MemoryPlan, PlacedValue } from '../../memory-plan.js';
import { lowerBound } from '../plan/placement.js';
import { rootOf } from '../plan/places.js';
import type { Stage } from '../plan/stage.js';
import type { GraphRunner } from './graph-runner.js';

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

function placedValues({ values, origin }: Stage): PlacedValue[] {
  const all = origin.kind === 'revised' ? new Map([...origin.base.values, ...values]) : values;
  return [...all].flatMap(([{ name }, place]) => {
    const root = rootOf(place);
    if (!root || root.buffer.offset < 0) return [];
    const { offset, bytes, first, last } = root.buffer;
    return [{ name, offset: offset + root.offset, bytes: bytes - root.offset, first, last }];
  });
}
