import type { Engine } from '../../bindings/engine.js';
import type { Pointer } from '../../bindings/place.js';
import { account } from '../account.js';
import { loweringOf } from '../backends/wasm/lowerings.js';
import { asSardonyxError, onBehalfOf, SardonyxError } from '../errors.js';
import { capturesOf, operandsOf, subgraphsOf } from '../graph/captures.js';
import type { Facts } from '../graph/facts.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import { neededFor } from '../graph/needed.js';
import { formatType, type ValueType } from '../graph/types.js';
import type { AnyOperator } from '../ops/definition.js';
import { NodeView } from '../ops/node-view.js';
import { operatorOf } from '../ops/registry.js';
import { byteLength } from '../tensor/element-types.js';
import { elementCount } from '../tensor/tensor-value.js';
import type { Arena } from './arena.js';
import type { Launch } from './launch.js';
import { type Draft, LoweringView, placeOf, touch } from './lower-node.js';
import { placeBuffers } from './placement.js';
import { type Buffer, fixed, NEVER, rootOf, shifted } from './places.js';
import { fixedAddress, type Program, writeProgram } from './program.js';
import { specialize } from './specialize.js';
import type { CopyIn, HostCall, Resident, Segment, Source, Stage } from './stage.js';
import { Weights } from './weights.js';

/** What all plans of a session share. */
export interface PlanningContext {
  readonly engine: Engine;
  readonly arena: Arena;
  readonly weights: Weights;
  /** Bytes of guard zone around every buffer. */
  readonly guardBytes: number;
}

/** What a stage starts from. */
export interface StageStart {
  readonly nodes: readonly Node[];
  readonly facts: Facts;
  /** Values the host holds when the stage starts. */
  readonly held: readonly Value[];
  /** Values earlier stages left with the host. */
  readonly onHost: ReadonlySet<Value>;
  /** Values earlier stages left in the arena. */
  readonly resident: ReadonlyMap<Value, Resident>;
  readonly outputs: Graph['outputs'];
  /** Values that stay in the arena, once copied, from run to run. */
  readonly lasting: ReadonlySet<Value>;
  /** Whether nodes whose plan would depend on contents run on the host, where they can. */
  readonly evaluates: boolean;
}

/** Plans as many of the nodes as shapes allow; every dimension known so far is a number. */
export function planStage(context: PlanningContext, start: StageStart): Stage {
  const own = new Weights(context.engine);
  try {
    return drawUp(context, start, own);
  } catch (error) {
    own.release();
    throw error;
  }
}

function drawUp(context: PlanningContext, start: StageStart, own: Weights): Stage {
  const { facts, outputs } = start;
  const heldBefore = account()?.held ?? 0;
  const evaluating = { now: start.evaluates, held: start.lasting };
  const { runnable, deferred, observed, dynamic, canEvaluate } = specialize(start.nodes, facts, evaluating);

  const restNeeds = new Set(deferred.flatMap(operandsOf));
  const isLast = deferred.length === 0 && dynamic.length === 0;
  for (const value of outputs) if (!facts.has(value)) restNeeds.add(value);
  const kept = new Set<Value>([...observed, ...outputs, ...restNeeds, ...start.lasting]);
  const needed = neededFor(runnable, [...kept, ...dynamic]);

  const draft: Draft = {
    engine: context.engine,
    weights: context.weights,
    own,
    places: new Map(),
    buffers: new Set(),
    tables: [],
    tableBytes: 0,
    guards: [],
    steps: [],
    lastUse: lastUses(needed, kept),
    node: undefined,
    position: -1,
  };
  adopt(draft, start.resident);
  const dynamicSet = new Set(dynamic);
  const hostValues = new Set<Value>([...start.onHost, ...start.held]);
  const feeds = placeFeeds(draft, facts, start.held, needed, kept);
  for (const [position, node] of needed.entries()) {
    draft.position = position;
    draft.node = node;
    lowerNode(draft, facts, node, dynamicSet, hostValues);
    context.weights.finish(node);
  }

  const sourceOf = (value: Value) => locate(draft, facts, hostValues, value);
  const here = isLast ? outputs : [];
  const observedSources = observed.map((value) => ({ value, source: sourceOf(value) }));
  const outputSources = here.map((value, index) => ({ index, source: sourceOf(value) }));
  const residentLater = isLast
    ? new Map<Value, Resident>()
    : residents(draft, facts, hostValues, [...restNeeds, ...outputs]);
  const lasting = [...observedSources, ...outputSources]
    .map((entry) => entry.source)
    .concat([...residentLater.values()]);
  for (const source of [...lasting, ...draft.guards.map((guard) => guard.source)]) outlive(draft, source);
  const copies = copyFeeds(draft, feeds, start.lasting);
  for (const value of start.lasting) {
    if (!draft.places.has(value)) continue;
    const source = resident(draft, facts, value);
    outlive(draft, source);
    residentLater.set(value, source);
  }

  const buffers = [...draft.buffers];
  const arenaBytes = placeBuffers(buffers, context.guardBytes);
  reserve(context.arena, arenaBytes, draft, buffers);
  const launches = draft.steps.filter((step): step is Launch => 'kernel' in step);
  const program = writeProgram(context.engine, context.arena, launches, draft.tables, own);
  return {
    copies,
    segments: segmentsOf(draft.steps),
    program,
    guards: draft.guards,
    outputs: outputSources,
    buffers,
    values: draft.places,
    arenaBytes,
    contentsBytes: (account()?.held ?? 0) - heldBefore,
    rest: isLast
      ? null
      : {
          nodes: deferred,
          facts,
          observed: observedSources,
          dynamic,
          resident: settled(residentLater, program),
          onHost: hostValues,
          cache: new Map(),
          canEvaluate,
          contentsSeen: 0,
        },
  };
}

/** Tables lie beside this stage's program: to other stages they are at an address. */
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

/** Buffers of earlier stages keep their place; here they live from the start. Views share their buffer as before. */
function adopt(draft: Draft, residents: ReadonlyMap<Value, Resident>): void {
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

/** Gives the values that the host holds a place from the stage's start. */
function placeFeeds(
  draft: Draft,
  facts: Facts,
  held: readonly Value[],
  nodes: readonly Node[],
  kept: ReadonlySet<Value>,
): Omit<CopyIn, 'lasts'>[] {
  const read = new Set(nodes.flatMap(operandsOf));
  return held
    .filter((value) => (read.has(value) || kept.has(value)) && isResident(facts.get(value)?.type))
    .map((value) => {
      const target = resident(draft, facts, value);
      const root = rootOf(target.place)?.buffer;
      if (root) {
        root.first = 0;
        root.last = 0;
        draft.buffers.add(root);
      }
      return { value, target };
    });
}

/** The copies that a launch or a later stage reads; what only the host reads needs none. */
function copyFeeds(draft: Draft, feeds: readonly Omit<CopyIn, 'lasts'>[], lasting: ReadonlySet<Value>): CopyIn[] {
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

const isResident = (type: ValueType | undefined) => type?.kind === 'tensor' && type.element !== 'string';

function resident(draft: Draft, facts: Facts, value: Value): Resident {
  const type = facts.get(value)?.type;
  if (type?.kind !== 'tensor') throw new Error(`"${value.name}" is not a tensor`);
  return { kind: 'memory', type: type.element, dims: type.dims as number[], place: placeOf(draft, facts, value) };
}

/** Makes room; where there is none, the error names the node that asks for the most. */
function reserve(arena: Arena, bytes: number, { steps }: Draft, buffers: readonly Buffer[]): void {
  try {
    arena.reserve(bytes);
  } catch (error) {
    const largest = buffers.reduce((a, b) => (b.bytes > a.bytes ? b : a));
    const step = steps[largest.first - 1];
    const node = step && ('kernel' in step ? step.node : step.view.node);
    throw asSardonyxError(error, node && { node: node.name, operator: node.op });
  }
}

function lowerNode(draft: Draft, facts: Facts, node: Node, dynamic: ReadonlySet<Value>, hostValues: Set<Value>): void {
  const operator = operatorOf(node);
  const onHost = node.outputs.some((value) => value && (dynamic.has(value) || !isResident(facts.get(value)?.type)));
  const lower = onHost ? undefined : loweringOf(operator);
  if (lower) {
    const view = new LoweringView(node, facts, draft);
    const lowered = onBehalfOf(node, () => {
      account()?.demandAlone(resultBytes(facts, node), 'its results');
      return lower(view);
    });
    if (lowered !== 'host') return;
  }
  if (!operator.evaluate && !operator.iterate) throw unsupported(node, operator, facts);
  draft.steps.push(hostCall(draft, facts, node, dynamic, hostValues));
}

const resultBytes = (facts: Facts, node: Node) =>
  node.outputs.reduce((sum, value) => sum + (value ? factBytes(facts, value) : 0), 0);

function unsupported(node: Node, operator: AnyOperator, facts: Facts): SardonyxError {
  const types = node.inputs.map((value) => (value ? formatType(facts.get(value)?.type) : 'none')).join(', ');
  return new SardonyxError('UNSUPPORTED_TYPE', `cannot run on (${types})`, {
    node: node.name,
    operator: operator.name,
  });
}

function hostCall(
  draft: Draft,
  facts: Facts,
  node: Node,
  dynamic: ReadonlySet<Value>,
  hostValues: Set<Value>,
): HostCall {
  const inputs = node.inputs.map((value) => value && locate(draft, facts, hostValues, value));
  const captured = [...new Set(subgraphsOf(node).flatMap(capturesOf))].map((value) => ({
    value,
    source: locate(draft, facts, hostValues, value),
  }));
  const outputs = node.outputs.map((value) => {
    if (!value) return null;
    if (!dynamic.has(value) && isResident(facts.get(value)?.type)) return resident(draft, facts, value);
    hostValues.add(value);
    return { kind: 'host' as const, value };
  });
  const sources = [...inputs, ...captured.map((c) => c.source), ...outputs].filter((s) => s !== null);
  touch(
    draft,
    sources.flatMap((s): Pointer[] => (s.kind === 'memory' ? [s.place] : [])),
  );
  return { view: new NodeView(node, facts), inputs, captured, outputs };
}

function locate(draft: Draft, facts: Facts, hostValues: ReadonlySet<Value>, value: Value): Source {
  const fact = facts.get(value);
  if (fact?.contents) return { kind: 'contents', contents: fact.contents };
  return hostValues.has(value) ? { kind: 'host', value } : resident(draft, facts, value);
}

function residents(
  draft: Draft,
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
function outlive(draft: Draft, source: Source): void {
  const root = source.kind === 'memory' ? rootOf(source.place)?.buffer : undefined;
  if (!root) return;
  if (root.first < 0) root.first = 0;
  root.last = draft.steps.length + 1;
  draft.buffers.add(root);
}

function segmentsOf(steps: readonly (Launch | HostCall)[]): Segment[] {
  const segments: Segment[] = [];
  let launched = 0;
  for (const step of steps) {
    if (!('kernel' in step)) {
      segments.push({ kind: 'host', call: step });
      continue;
    }
    const last = segments.at(-1);
    const { tiles } = step;
    if (last?.kind === 'program')
      segments[segments.length - 1] = { ...last, end: launched + 1, tiles: last.tiles + tiles };
    else segments.push({ kind: 'program', begin: launched, end: launched + 1, tiles });
    launched++;
  }
  return segments;
}

/** Bytes of a tensor value that a fact describes. */
export const factBytes = (facts: Facts, value: Value): number => {
  const type = facts.get(value)?.type;
  return type?.kind === 'tensor' ? byteLength(type.element, elementCount(type.dims as number[])) : 0;
};
