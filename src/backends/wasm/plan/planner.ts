import { account } from '../../../account.js';
import { asSardonyxError } from '../../../base/errors.js';
import { operandsOf } from '../../../graph/captures.js';
import type { Facts } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import { neededFor } from '../../../graph/needed.js';
import type { Arena } from './arena.js';
import type { PlanningContext } from './context.js';
import { StageDraft } from './draft.js';
import { growingWith } from './growth.js';
import type { PlannedLaunch } from './launch.js';
import { isResident, locate, lowerNode, resident } from './lower-node.js';
import { placeBuffers } from './placement.js';
import { type Buffer, fixed, NEVER, rootOf, shifted } from './places.js';
import { fixedAddress, layOut, type Program, writeProgram } from './program.js';
import { type Specialized, specialize } from './specialize.js';
import {
  type CopyIn,
  type HostCall,
  type HostSide,
  newVariants,
  type Resident,
  type Rest,
  type Segment,
  type Source,
  type Stage,
  type StageStart,
} from './stage.js';
import { Weights } from './weights.js';

/**
 * Plans as many of the nodes as known shapes allow; known dimensions are numbers. Values whose sizes differ from those in
 * the stage planned `before` get room to grow.
 */
export function planStage(context: PlanningContext, start: StageStart, before?: Stage): Stage {
  const own = new Weights(context.engine);
  try {
    return drawUp(context, start, own, before);
  } catch (error) {
    own.release();
    throw error;
  }
}

function drawUp(context: PlanningContext, start: StageStart, own: Weights, before?: Stage): Stage {
  const { engine, arena, weights, guardBytes } = context;
  const { facts } = start;
  const heldBefore = account()?.held ?? 0;
  const specialized = specialize(start.nodes, facts, { now: start.evaluates, held: start.lasting });
  const ends = endsOf(start, specialized);
  const needed = neededFor(specialized.runnable, [...ends.kept, ...specialized.dynamic]);

  const draft = new StageDraft(engine, weights, own, lastUses(needed, ends.kept), before);
  adopt(draft, start.resident);
  const host = hostSideOf(start, specialized);
  const slots = (ends.isLast && start.resident.size === 0 && context.caching?.placeSlots(draft, needed, start)) || [];
  draft.expect(growingWith(slots, needed, facts));
  const feeds = placeFeeds(draft, facts, start.held, needed, ends.kept);
  for (const node of needed) {
    draft.begin(node, operandsOf(node), facts);
    draft.end(lowerNode(draft, facts, node, host));
    weights.finish(node);
  }

  const sourceOf = (value: Value) => locate(draft, facts, host.values, value);
  const observed = specialized.observed.map((value) => ({ value, source: sourceOf(value) }));
  const outputs = ends.outputs.map((value, index) => ({ index, value, source: sourceOf(value) }));
  const later = residents(draft, facts, host.values, ends.later);
  for (const { source } of [...observed, ...outputs]) outlive(draft, source);
  for (const source of [...later.values(), ...draft.guards.map((guard) => guard.source)]) outlive(draft, source);
  const copies = copyFeeds(draft, feeds, start.lasting);
  for (const value of start.lasting) {
    if (!draft.places.has(value)) continue;
    const source = resident(draft, facts, value);
    outlive(draft, source);
    later.set(value, source);
  }

  const buffers = [...draft.buffers];
  const arenaBytes = placeBuffers(buffers, guardBytes);
  const launches = draft.steps.filter(isLaunch);
  const layout = layOut(launches, draft.tables);
  const isRead = start.resident.size > 0 || start.lasting.size > 0;
  const address = reserve(arena, arenaBytes, draft, buffers, isRead, () => engine.allocate(layout.bytes));
  const program = writeProgram(engine, arena, launches, draft.tables, own, layout, address);
  return {
    copies,
    segments: segmentsOf(draft.steps),
    program,
    guards: draft.guards,
    slots,
    outputs,
    buffers,
    values: draft.places,
    arenaBytes,
    contentsBytes: (account()?.held ?? 0) - heldBefore,
    rest: ends.isLast ? null : restOf(specialized, observed, settled(later, program), host.values),
    blueprint: { start, specialized, lowered: draft.lowered, host },
    movable: null,
  };
}

/** The values that a stage must leave behind. */
interface Ends {
  readonly isLast: boolean;
  /** The graph's outputs, if this is the last stage. */
  readonly outputs: readonly Value[];
  /** Values that are read after this stage's last node. */
  readonly kept: ReadonlySet<Value>;
  /** Values that later stages read. */
  readonly later: readonly Value[];
}

function endsOf({ facts, outputs, lasting }: StageStart, { deferred, dynamic, observed }: Specialized): Ends {
  const isLast = deferred.length === 0 && dynamic.length === 0;
  const later = new Set(deferred.flatMap(operandsOf));
  for (const value of outputs) if (!facts.has(value)) later.add(value);
  const kept = new Set<Value>([...observed, ...outputs, ...later, ...lasting]);
  return { isLast, outputs: isLast ? outputs : [], kept, later: isLast ? [] : [...later, ...outputs] };
}

const hostSideOf = ({ onHost, held }: StageStart, { dynamic }: Specialized): HostSide => ({
  dynamic: new Set(dynamic),
  values: new Set<Value>([...onHost, ...held]),
});

const isLaunch = (step: PlannedLaunch | HostCall): step is PlannedLaunch => 'kernel' in step;

const restOf = (
  { deferred: nodes, dynamic, canEvaluate }: Specialized,
  observed: Rest['observed'],
  resident: Rest['resident'],
  onHost: Rest['onHost'],
): Rest => {
  const variants = newVariants(new Set());
  return { nodes, observed, dynamic, resident, onHost, variants, canEvaluate, contentsSeen: 0 };
};

/** Replaces tables of this stage's program by their addresses, for use in other stages. */
function settled(residents: ReadonlyMap<Value, Resident>, { address }: Program): Map<Value, Resident> {
  return new Map(
    [...residents].map(([value, resident]) => [
      value,
      rootOf(resident.place) ? resident : { ...resident, place: fixed(fixedAddress(resident.place, address)) },
    ]),
  );
}

function lastUses(nodes: readonly Node[], kept: ReadonlySet<Value>): Map<Value, number> {
  const uses = new Map<Value, number>();
  for (const [position, node] of nodes.entries()) for (const value of operandsOf(node)) uses.set(value, position);
  for (const value of kept) uses.set(value, Number.POSITIVE_INFINITY);
  return uses;
}

/** Adopts buffers of earlier stages at their offsets, alive from the start. Views share their buffer as before. */
function adopt(draft: StageDraft, residents: ReadonlyMap<Value, Resident>): void {
  const adopted = new Map<Buffer, Buffer>();
  for (const [value, { place }] of residents) {
    const root = rootOf(place);
    if (!root) {
      draft.places.set(value, place);
      continue;
    }
    const taken = adopted.get(root.buffer) ?? { ...root.buffer, first: 0, last: 0, until: NEVER };
    adopted.set(root.buffer, taken);
    taken.until = Math.max(taken.until, draft.lastUse.get(value) ?? NEVER);
    draft.buffers.add(taken);
    draft.places.set(value, shifted(taken, root.offset));
  }
}

/** Places the values that the host holds, alive from the start of the stage. */
function placeFeeds(
  draft: StageDraft,
  facts: Facts,
  held: readonly Value[],
  nodes: readonly Node[],
  kept: ReadonlySet<Value>,
): Omit<CopyIn, 'lasts'>[] {
  const read = new Set(nodes.flatMap(operandsOf));
  return held
    .filter((value) => (read.has(value) || kept.has(value)) && isResident(facts.get(value)?.type))
    .map((value) => ({ value, target: resident(draft, facts, value) }))
    .filter(({ target }) => {
      const root = rootOf(target.place)?.buffer;
      if (root && !root.slot) {
        root.first = 0;
        root.last = 0;
        draft.keep(root);
      }
      return !root?.slot;
    });
}

/** The copies that a launch or a later stage reads; values that only the host reads need none. */
function copyFeeds(draft: StageDraft, feeds: readonly Omit<CopyIn, 'lasts'>[], lasting: ReadonlySet<Value>): CopyIn[] {
  return feeds.flatMap(({ value, target }) => {
    const root = rootOf(target.place)?.buffer;
    if (root?.last === 0) {
      draft.buffers.delete(root);
      draft.places.delete(value);
      return [];
    }
    return [{ value, target, lasts: lasting.has(value) }];
  });
}

/** Makes room behind what `allocate` takes; if memory runs out, the error names the node with the largest buffer. */
function reserve(
  arena: Arena,
  bytes: number,
  { steps }: StageDraft,
  buffers: readonly Buffer[],
  isRead: boolean,
  allocate: () => number,
): number {
  try {
    return arena.reserve(bytes, isRead, allocate);
  } catch (error) {
    const largest = buffers.reduce((a, b) => (b.bytes > a.bytes ? b : a));
    const step = steps[largest.first - 1];
    const node = step && ('kernel' in step ? step.node : step.view.node);
    throw asSardonyxError(error, node && { node: node.name, operator: node.op });
  }
}

function residents(
  draft: StageDraft,
  facts: Facts,
  hostValues: ReadonlySet<Value>,
  values: readonly Value[],
): Map<Value, Resident> {
  const found = new Map<Value, Resident>();
  for (const value of values) {
    const fact = facts.get(value);
    if (!fact || fact.contents || (hostValues.has(value) && !draft.places.has(value))) continue;
    found.set(value, resident(draft, facts, value));
  }
  return found;
}

/** Keeps a value's buffer until the stage's end. */
function outlive(draft: StageDraft, source: Source): void {
  const root = source.kind === 'memory' ? rootOf(source.place)?.buffer : undefined;
  if (!root) return;
  if (root.first < 0) root.first = 0;
  root.last = draft.steps.length + 1;
  draft.keep(root);
}

/** Consecutive launches form one segment. */
function segmentsOf(steps: readonly (PlannedLaunch | HostCall)[]): Segment[] {
  const segments: Segment[] = [];
  let [begin, end, tiles] = [0, 0, 0];
  const close = () => {
    if (end > begin) segments.push({ kind: 'program', begin, end, tiles });
    [begin, tiles] = [end, 0];
  };
  for (const step of steps) {
    if ('kernel' in step) {
      end++;
      tiles += step.tiles;
    } else {
      close();
      segments.push({ kind: 'host', call: step });
    }
  }
  close();
  return segments;
}
