import type { Engine } from '../../../../bindings/engine.js';
import type { Pointer } from '../../../../bindings/place.js';
import { account } from '../../../account.js';
import type { Fact, Facts } from '../../../graph/facts.js';
import type { Value } from '../../../graph/graph.js';
import { formatType, type ValueType } from '../../../graph/types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { PlanningContext } from './context.js';
import { buffersOf, bytesOf, type Draft, isReadInStep, type Proposal, pointersOf, type Variation } from './draft.js';
import type { Launch } from './launch.js';
import { locate, lowerNode, resident } from './lower-node.js';
import { type Buffer, buffer, bufferOf, bytesIn, rootOf, type Table, table } from './places.js';
import { segmentsOf, settled } from './planner.js';
import { reviseProgram } from './program.js';
import { sameParts } from './same-parts.js';
import { type Outcome, outcomeOf } from './specialize.js';
import type { BaseStage, Guard, HostCall, Lowered, Resident, Rest, Stage } from './stage.js';
import { Weights } from './weights.js';

/**
 * The stage `base` for other `types` of what the host holds, where that takes the same launches on other sizes, within the room
 * that its buffers have: only nodes of which something has changed are looked at, and only their parameters are written. Else
 * what varies between the two.
 */
export function reviseStage(
  context: PlanningContext,
  base: BaseStage,
  types: ReadonlyMap<Value, ValueType>,
): Stage | Variation {
  const own = new Weights(context.engine);
  const heldBefore = account()?.held ?? 0;
  const { start } = base.origin;
  const facts = start.facts.fork();
  const revision = new Revision(context, own, base);
  try {
    for (const [value, type] of types) revision.learn(value, { type }, facts);
    const ends =
      revision.differsInSizes(types.keys(), facts) &&
      respecialize(base, facts, revision) &&
      relower(base, facts, revision)
        ? endsOf(base, facts, revision)
        : undefined;
    if (ends && !revision.differs) return revised(context, base, facts, revision, ends, heldBefore);
    undo(own, heldBefore);
    return { values: revision.changed, facts: start.facts };
  } catch (error) {
    undo(own, heldBefore);
    throw error;
  }
}

function undo(own: Weights, heldBefore: number): void {
  own.release();
  const limits = account();
  limits?.hold(heldBefore - limits.held);
}

/** Finds what becomes of the nodes that read something else now; false where that is of another kind. */
function respecialize({ origin }: BaseStage, facts: Facts, revision: Revision): boolean {
  const { start, specialized } = origin;
  const evaluating = { now: start.evaluates, held: start.lasting };
  for (const { node, operands, outcome } of specialized.findings) {
    if (!operands.some((value) => revision.changed.has(value))) continue;
    const found = outcomeOf(node, operands, facts, evaluating, revision.differsInSizes(operands, facts));
    if (!sameOutcome(outcome, found, (value, fact) => revision.learn(value, fact, facts))) return false;
    if (found.kind === 'parts') continue;
    for (const value of node.outputs) {
      const fact = value && facts.get(value);
      if (fact) revision.learn(value, fact, facts);
    }
  }
  return true;
}

function sameOutcome(before: Outcome, now: Outcome, learn: (value: Value, fact: Fact) => void): boolean {
  if (before.kind === 'parts') return now.kind === 'parts' && sameParts(before.nodes, now.nodes, learn);
  if (before.kind === 'runnable') return now.kind === 'runnable' && sameItems(before.dynamic, now.dynamic);
  if (before.kind === 'deferred') return now.kind === 'deferred' && sameItems(before.missing, now.missing);
  return now.kind === 'folded';
}

function sameItems(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Lowers the nodes of which something has changed; false where that takes other launches or more room. */
function relower({ origin }: BaseStage, facts: Facts, revision: Revision): boolean {
  for (const lowered of origin.lowered) {
    if (!revision.concerns(lowered)) continue;
    revision.begin(lowered);
    lowerNode(revision, facts, lowered.node, origin.host);
    if (!revision.isWhole()) return false;
  }
  return true;
}

/** Where the values are that come from outside the stage or outlive it. */
interface Ends extends Pick<Stage, 'copies' | 'outputs'> {
  readonly observed: Rest['observed'];
  readonly later: ReadonlyMap<Value, Resident>;
}

function endsOf({ copies, outputs, rest, origin }: BaseStage, facts: Facts, revision: Revision): Ends {
  const isOther = ({ value }: { readonly value: Value }) => revision.isOther(value);
  const residentOf = (value: Value) => resident(revision, facts, value);
  const sourceOf = (value: Value) => locate(revision, facts, origin.host.values, value);
  return {
    copies: copies.map((copy) => (isOther(copy) ? { ...copy, target: residentOf(copy.value) } : copy)),
    outputs: outputs.map((output) => (isOther(output) ? { ...output, source: sourceOf(output.value) } : output)),
    observed: (rest?.observed ?? []).map(({ value }) => ({ value, source: sourceOf(value) })),
    later: new Map(Array.from(rest?.resident.keys() ?? [], (value) => [value, residentOf(value)])),
  };
}

function revised(
  { engine, arena }: PlanningContext,
  base: BaseStage,
  facts: Facts,
  revision: Revision,
  { copies, outputs, observed, later }: Ends,
  heldBefore: number,
): Stage {
  const program = reviseProgram(engine, arena, base.program, revision.replacements(), revision.own);
  const resident = settled(later, program);
  return {
    ...base,
    copies,
    outputs,
    segments: segmentsOf(revision.steps),
    guards: base.guards.map((guard) => revision.guards.get(guard) ?? guard),
    program,
    values: revision.moved,
    contentsBytes: (account()?.held ?? 0) - heldBefore,
    rest: base.rest && { ...base.rest, facts, observed, resident, cache: new Map(), contentsSeen: 0 },
    origin: { kind: 'revised', base },
  };
}

/** The lowering of a stage once more, for other sizes: memory, lifetimes and order stay what they are. */
class Revision implements Draft {
  readonly engine: Engine;
  readonly weights: Weights;
  /** Values of which other things are known than before. */
  readonly changed = new Set<Value>();
  readonly steps: (Launch | HostCall)[];
  readonly guards = new Map<Guard, Guard>();
  readonly #moved = new Map<Value, Pointer>();
  readonly #launches = new Map<number, Launch>();
  readonly #tables: Table[] = [];
  #lowered: Lowered | undefined;
  /** How much of what the node came to before it has come to again. */
  #done = { steps: 0, launches: 0, temporaries: 0, tables: 0, guards: 0 };
  /** Whether something has come out otherwise than before, or does not fit. */
  differs = false;

  constructor(
    { engine, weights }: PlanningContext,
    readonly own: Weights,
    private readonly base: BaseStage,
  ) {
    this.engine = engine;
    this.weights = weights;
    this.steps = [...base.origin.steps];
  }

  /** Takes note of what is known of `value` now. */
  learn(value: Value, fact: Fact, facts: Facts): void {
    const before = this.base.origin.start.facts.get(value);
    if (before && sameFact(before, fact)) return;
    if (facts.get(value) !== fact) facts.set(value, fact);
    this.changed.add(value);
  }

  /** Whether only sizes or contents of `values` have changed. */
  differsInSizes(values: Iterable<Value>, facts: Facts): boolean {
    for (const value of values) if (!this.#isAlike(value, facts)) return false;
    return true;
  }

  #isAlike(value: Value, facts: Facts): boolean {
    if (!this.changed.has(value)) return true;
    const before = this.base.origin.start.facts.get(value)?.type;
    const now = facts.get(value)?.type;
    return (
      before?.kind === 'tensor' &&
      now?.kind === 'tensor' &&
      before.element === now.element &&
      before.dims?.length === now.dims?.length
    );
  }

  isOther(value: Value): boolean {
    return this.changed.has(value) || this.#moved.has(value);
  }

  concerns({ node, operands }: Lowered): boolean {
    for (const value of operands) if (this.isOther(value)) return true;
    for (const value of node.outputs) if (value && this.isOther(value)) return true;
    return false;
  }

  begin(lowered: Lowered): void {
    this.#lowered = lowered;
    this.#done = { steps: 0, launches: 0, temporaries: 0, tables: 0, guards: 0 };
  }

  /** Whether the node has come to just what it came to before. */
  isWhole(): boolean {
    const { steps, temporaries, tables, guards } = this.#lowered as Lowered;
    const done = this.#done;
    return (
      !this.differs &&
      done.steps === steps.length &&
      done.temporaries === temporaries.length &&
      done.tables === tables.length &&
      done.guards === guards.length
    );
  }

  replacements() {
    return { launches: this.#launches, tables: this.#tables };
  }

  /** Values that lie elsewhere than before. */
  get moved(): ReadonlyMap<Value, Pointer> {
    return this.#moved;
  }

  placeOf(value: Value, facts: Facts): Pointer {
    const moved = this.#moved.get(value);
    if (moved !== undefined) return moved;
    const place = this.base.values.get(value);
    if (place === undefined) return this.#refuse(buffer(0));
    if (!this.changed.has(value)) return place;
    const contents = facts.get(value)?.contents;
    if (!contents) return hasRoom(place, bytesOf(value, facts)) ? place : this.#refuse(place);
    if (typeof place !== 'object' || place.kind !== 'table') return this.#refuse(place);
    const other = this.#replace(place as Table, contents.data as ArrayBufferView);
    this.#moved.set(value, other);
    return other;
  }

  temporary(bytes: number): Buffer {
    const made = this.#lowered?.temporaries[this.#done.temporaries++];
    return made && hasRoom(made, bytes) ? made : this.#refuse(buffer(bytes));
  }

  table(words: Table['words']): Table {
    const before = this.#lowered?.tables[this.#done.tables++];
    return before ? this.#replace(before, words) : this.#refuse(table(words));
  }

  #replace(before: Table, words: Table['words']): Table {
    const other = { ...before, words };
    this.#tables.push(other);
    return bytesIn(words) <= before.capacity ? other : this.#refuse(other);
  }

  alias(output: Value, place: Pointer): void {
    const before = this.base.values.get(output);
    if (before === undefined || !sameRoot(before, place)) this.differs = true;
    else if (rootOf(before)?.offset !== rootOf(place)?.offset || !rootOf(place)) this.#moved.set(output, place);
  }

  guard(guard: Guard): void {
    const before = this.#lowered?.guards[this.#done.guards++];
    if (!before || !sameRoot(before.source.place, guard.source.place)) this.differs = true;
    else this.guards.set(before, guard);
  }

  launch(proposal: Proposal): void {
    const { steps, before } = this.#lowered as Lowered;
    const last = steps[this.#done.steps];
    if (!last || !('kernel' in last) || !isRepeated(last, proposal)) {
      this.differs = true;
      return;
    }
    const repeated: Launch = { ...last, params: proposal.params, tiles: proposal.tiles };
    this.steps[before.steps + this.#done.steps++] = repeated;
    this.#launches.set(before.launches + this.#done.launches++, repeated);
  }

  call(call: HostCall): void {
    const { steps, before } = this.#lowered as Lowered;
    const last = steps[this.#done.steps];
    if (!last || !('view' in last) || !sameItems(buffersOf(pointersOf(last)), buffersOf(pointersOf(call))))
      this.differs = true;
    else this.steps[before.steps + this.#done.steps++] = call;
  }

  #refuse<T>(instead: T): T {
    this.differs = true;
    return instead;
  }
}

/** Whether a launch is `before` on other sizes: with another kernel or other memory, lifetimes and barriers would not hold. */
function isRepeated({ kernel, reads, writes, takeover }: Launch, now: Proposal): boolean {
  if (kernel !== now.kernel || !sameBuffers(reads, now.reads) || !sameBuffers(writes, now.writes)) return false;
  if (!takeover) return true;
  const { source, target } = takeover;
  const isPair = now.inPlace.some(([written, read]) => written === target && bufferOf(read) === source);
  return isPair && isReadInStep(source, now.inPlace, reads);
}

const sameBuffers = (buffers: readonly Buffer[], pointers: readonly Pointer[]) =>
  sameItems(buffers, buffersOf(pointers));

const sameRoot = (a: Pointer, b: Pointer) => a === b || bufferOf(a) === bufferOf(b);

function hasRoom(place: Pointer, bytes: number): boolean {
  const root = rootOf(place);
  return root !== undefined && root.offset + bytes <= root.buffer.capacity;
}

function sameFact(a: Fact, b: Fact): boolean {
  return a === b || (sameType(a.type, b.type) && sameContents(a.contents, b.contents));
}

function sameType(a: ValueType, b: ValueType): boolean {
  if (a === b) return true;
  if (a.kind !== 'tensor' || b.kind !== 'tensor') return formatType(a) === formatType(b);
  return a.element === b.element && a.dims !== undefined && b.dims !== undefined && sameItems(a.dims, b.dims);
}

function sameContents(a: TensorValue | undefined, b: TensorValue | undefined): boolean {
  if (a === b || !a || !b) return a === b;
  return sameItems(a.data, b.data);
}
