import type { Node, Value } from '../../../graph/graph.js';
import { idsOf, joined } from '../../../graph/origins.js';
import type { MemoryPlan, PlacedBuffer, PlacedValue } from '../../memory-plan.js';
import { lowerBound } from '../plan/placement.js';
import { type Buffer, bufferOf, rootOf } from '../plan/places.js';
import type { Segment, Stage } from '../plan/stage.js';

/** The memory plan of the largest of these stages. */
export function memoryPlanOf([first, ...rest]: readonly Stage[], linearMemory: number): MemoryPlan | null {
  if (!first) return null;
  const stage = rest.reduce((largest, next) => (next.arenaBytes > largest.arenaBytes ? next : largest), first);
  return {
    peak: stage.arenaBytes,
    lowerBound: lowerBound(stage.buffers),
    values: placedValues(stage),
    buffers: placedBuffers(stage),
    steps: stage.segments.reduce((sum, segment) => sum + stepsIn(segment), 0),
    linearMemory,
  };
}

const stepsIn = (segment: Segment) => (segment.kind === 'host' ? 1 : segment.end - segment.begin);

function makersOf(stage: Stage): ReadonlyMap<Value | null, Node> {
  const { lowered } = stage.blueprint;
  return new Map(lowered.flatMap(({ node }) => node.outputs.map((value) => [value, node])));
}

function placedValues(stage: Stage): PlacedValue[] {
  const makers = makersOf(stage);
  return [...stage.values].flatMap(([value, place]) => {
    const root = rootOf(place);
    if (!root || root.buffer.offset < 0 || root.buffer.slot) return [];
    const { offset, bytes, first, last } = root.buffer;
    const origins = idsOf(makers.get(value) ?? {});
    return [{ name: value.name, offset: offset + root.offset, bytes: bytes - root.offset, first, last, origins }];
  });
}

function placedBuffers(stage: Stage): PlacedBuffer[] {
  const makers = makersOf(stage);
  const held = new Map<Buffer, { names: string[]; nodes: Node[] }>();
  const heldIn = (buffer: Buffer) => {
    const found = held.get(buffer) ?? { names: [], nodes: [] };
    held.set(buffer, found);
    return found;
  };
  for (const [value, place] of stage.values) {
    const buffer = bufferOf(place);
    const maker = makers.get(value);
    if (buffer) heldIn(buffer).names.push(value.name);
    if (buffer && maker) heldIn(buffer).nodes.push(maker);
  }
  for (const { node, temporaries } of stage.blueprint.lowered)
    for (const temporary of temporaries) heldIn(bufferOf(temporary) as Buffer).nodes.push(node);
  return stage.buffers.map((buffer) => {
    const { names = [], nodes = [] } = held.get(buffer) ?? {};
    const { offset, capacity: bytes, first, last } = buffer;
    return { values: names, offset, bytes, first, last, origins: idsOf({ origins: joined(nodes) }) };
  });
}
