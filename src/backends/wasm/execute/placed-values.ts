import type { MemoryPlan, PlacedValue } from '../../memory-plan.js';
import { lowerBound } from '../plan/placement.js';
import { rootOf } from '../plan/places.js';
import type { Stage } from '../plan/stage.js';

/** The plan of the largest of these stages. */
export function memoryPlanOf([first, ...rest]: readonly Stage[], linearMemory: number): MemoryPlan | null {
  if (!first) return null;
  const stage = rest.reduce((largest, next) => (next.arenaBytes > largest.arenaBytes ? next : largest), first);
  return {
    peak: stage.arenaBytes,
    lowerBound: lowerBound(stage.buffers),
    values: placedValues(stage),
    linearMemory,
  };
}

function placedValues({ values, origin }: Stage): PlacedValue[] {
  const all = origin.kind === 'revised' ? new Map([...origin.base.values, ...values]) : values;
  return [...all].flatMap(([{ name }, place]) => {
    const root = rootOf(place);
    if (!root || root.buffer.offset < 0 || root.buffer.slot) return [];
    const { offset, bytes, first, last } = root.buffer;
    return [{ name, offset: offset + root.offset, bytes: bytes - root.offset, first, last }];
  });
}
