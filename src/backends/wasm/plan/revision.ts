import type { Engine } from '../../../../bindings/engine.js';
import { pointersIn } from '../../../../bindings/parameters.js';
import type { Pointer } from '../../../../bindings/place.js';
import { bitOf, EVERYTHING } from '../../../analysis/node-view.js';
import type { Fact, Facts } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import type { PlanningContext } from './context.js';
import { buffersOf, bytesOf, type Draft, isReadInStep, type Proposal, pointersOf, readsOf } from './draft.js';
import { sameFact, sameItems, sameType } from './facts-alike.js';
import type { Launch, PlannedLaunch } from './launch.js';
import {
  type AnyPlace,
  type Buffer,
  buffer,
  bufferOf,
  bytesIn,
  type Contents,
  inTable,
  rootOf,
  type Table,
  table,
} from './places.js';
import type { Repeat } from './revise-program.js';
import type { BaseStage, Guard, HostCall, Lowered } from './stage.js';
import type { Weights } from './weights.js';

/** The progress of lowering a node again. */
export interface Come {
  readonly lowered: Lowered;
  /** Counts of launches and calls, temporaries, tables and guards so far. */
  steps: number;
  temporaries: number;
  tables: number;
  guards: number;
  /** Whether its launches and views still point to the same places. */
  isInPlace: boolean;
}

/** Lowers a stage again for other sizes; memory, lifetimes and order stay the same. */
export class Revision implements Draft {
  readonly engine: Engine;
  readonly weights: Weights;
  /** Values with different facts than before, and those among them of a different type. */
  readonly changed = new Set<Value>();
  readonly #resized = new Set<Value>();
  readonly calls = new Map<HostCall, HostCall>();
  readonly guards = new Map<Guard, Guard>();
  /** Values at a different place than before. */
  readonly moved = new Map<Value, Pointer>();
  readonly launches = new Map<number, Repeat>();
  readonly tables = new Map<number, Table>();
  #now: Come | undefined;
  /** Whether something differs from before, or does not fit. */
  differs = false;

  constructor(
    { engine, weights }: PlanningContext,
    readonly own: Weights,
    private readonly base: BaseStage,
    readonly facts: Facts,
  ) {
    this.engine = engine;
    this.weights = weights;
  }

  /** Records the current fact about `value`. */
  learn(value: Value, fact: Fact): void {
    const before = this.base.origin.start.facts.get(value);
    if (before && sameFact(before, fact)) return;
    if (this.facts.get(value) !== fact) this.facts.set(value, fact);
    this.changed.add(value);
    if (!before || !sameType(before.type, fact.type)) this.#resized.add(value);
  }

  /** Whether only sizes or contents of `values` have changed. */
  differsInSizes(values: Iterable<Value>): boolean {
    for (const value of values) if (!this.#isAlike(value)) return false;
    return true;
  }

  #isAlike(value: Value): boolean {
    if (!this.#resized.has(value)) return true;
    const before = this.base.origin.start.facts.get(value)?.type;
    const now = this.facts.get(value)?.type;
    return (
      before?.kind === 'tensor' &&
      now?.kind === 'tensor' &&
      before.element === now.element &&
      before.dims?.length === now.dims?.length
    );
  }

  isOther(value: Value): boolean {
    return this.changed.has(value) || this.moved.has(value);
  }

  /** Whether something that a node reads has changed; `looked` is the bit mask of inputs whose contents it reads. */
  matters(node: Node, operands: readonly Value[], looked: number): boolean {
    if (looked === EVERYTHING) return operands.some((value) => this.changed.has(value));
    for (let i = 0; i < node.inputs.length; i++) {
      const value = node.inputs[i];
      if (!value || !this.changed.has(value)) continue;
      if (this.#resized.has(value) || (looked & bitOf(i)) !== 0) return true;
    }
    return false;
  }

  concerns({ node, operands, looked }: Lowered): boolean {
    if (this.matters(node, operands, looked)) return true;
    for (const value of operands) if (this.moved.has(value)) return true;
    for (const value of node.outputs) if (value && this.isOther(value)) return true;
    return false;
  }

  begin(lowered: Lowered): Come {
    const isInPlace = !this.#isMoved(lowered);
    this.#now = {
      lowered,
      steps: 0,
      temporaries: 0,
      tables: 0,
      guards: 0,
      isInPlace,
    };
    return this.#now;
  }

  #isMoved({ node, operands }: Lowered): boolean {
    if (this.moved.size === 0) return false;
    return (
      operands.some((value) => this.moved.has(value)) || node.outputs.some((value) => value && this.moved.has(value))
    );
  }

  /** Whether the node has been lowered to the same steps, temporaries, tables and guards as before. */
  isWhole({ lowered, steps, temporaries, tables, guards }: Come): boolean {
    return (
      !this.differs &&
      steps === lowered.steps.length &&
      temporaries === lowered.temporaries.length &&
      tables === lowered.tables.length &&
      guards === lowered.guards.length
    );
  }

  /** Replaces the tables that hold changed contents. */
  renewContents(): boolean {
    for (const value of this.changed)
      if (this.base.values.has(value) && this.facts.get(value)?.contents) this.placeOf(value, this.facts);
    return !this.differs;
  }

  placeOf(value: Value, facts: Facts): Pointer {
    const place = this.moved.get(value) ?? this.base.values.get(value);
    if (place === undefined) return this.#refuse(buffer(0));
    if (!this.changed.has(value) || this.moved.has(value)) return place;
    const contents = facts.get(value)?.contents;
    if (!contents) return hasRoom(place, bytesOf(value, facts)) ? place : this.#refuse(place);
    if (typeof place !== 'object' || place.kind !== 'table') return this.#refuse(place);
    const before = place as Table;
    if (!this.tables.has(before.number)) this.#replace(before, contents.data as ArrayBufferView);
    return place;
  }

  temporary(size: Size): Buffer {
    const bytes = size as number;
    const now = this.#now as Come;
    const made = now.lowered.temporaries[now.temporaries++];
    return made && hasRoom(made, bytes) ? made : this.#refuse(buffer(bytes));
  }

  table(contents: Contents): Table {
    const now = this.#now as Come;
    const before = now.lowered.tables[now.tables++];
    return before ? this.#replace(before, contents) : this.#refuse(table(inTable(contents)));
  }

  #replace(before: Table, contents: Contents): Table {
    const other = { ...before, ...inTable(contents) };
    this.tables.set(before.number, other);
    return bytesIn(other.words) <= before.capacity ? other : this.#refuse(other);
  }

  alias(output: Value, place: Pointer): void {
    const before = this.base.values.get(output);
    if (before === undefined || !sameRoot(before, place)) this.differs = true;
    else if (!samePlace(before, place)) {
      this.moved.set(output, place);
      (this.#now as Come).isInPlace = false;
    }
  }

  guard(guard: Guard): void {
    const now = this.#now as Come;
    const before = now.lowered.guards[now.guards++];
    if (!before || !sameRoot(before.source.place, guard.source.place)) this.differs = true;
    else this.guards.set(before, guard);
  }

  launch(proposal: Proposal): void {
    const { lowered, steps } = this.#now as Come;
    const last = lowered.steps[steps];
    if (!last || !('kernel' in last)) {
      this.differs = true;
      return;
    }
    const keepsPointers = pointAlike(last, proposal);
    if (isRepeated(last, proposal, keepsPointers))
      this.#repeat({ params: proposal.params, tiles: proposal.tiles as number, keepsPointers });
    else this.differs = true;
  }

  #repeat(repeat: Repeat): void {
    const now = this.#now as Come;
    this.launches.set(now.lowered.firstLaunch + now.steps++, repeat);
    now.isInPlace &&= repeat.keepsPointers;
  }

  call(call: HostCall): void {
    const now = this.#now as Come;
    const last = now.lowered.steps[now.steps++];
    if (!last || !('view' in last) || !sameItems(buffersOf(pointersOf(last)), buffersOf(pointersOf(call))))
      this.differs = true;
    else this.calls.set(last, call);
  }

  #refuse<T>(instead: T): T {
    this.differs = true;
    return instead;
  }
}

/** Whether `now` is the same launch at other sizes: lifetimes and barriers require the same kernel and memory. */
export function isRepeated(
  { kernel, phase, reads, writes, takeover }: Launch,
  now: Proposal,
  keepsPointers: boolean,
): boolean {
  if (kernel !== now.kernel || phase !== now.phase) return false;
  if (!keepsPointers && !(sameBuffers(reads, readsOf(now)) && sameBuffers(writes, now.writes))) return false;
  if (!takeover) return true;
  const { source, target } = takeover;
  const isPair = now.inPlace.some(([written, read]) => written === target && bufferOf(read) === source);
  return isPair && isReadInStep(source, now.inPlace, reads);
}

/** Whether two launches of a kernel point to the same places, and write the same buffers. */
function pointAlike({ kernel, params, writes }: PlannedLaunch, now: Proposal): boolean {
  if (kernel !== now.kernel || !sameBuffers(writes, now.writes)) return false;
  const [before, after] = [pointersIn(kernel, params as never), pointersIn(kernel, now.params as never)];
  return before.every((pointer, i) => samePlace(pointer, after[i] as Pointer));
}

const sameBuffers = (buffers: readonly Buffer[], pointers: readonly Pointer[]) =>
  sameItems(buffers, buffersOf(pointers));

const sameRoot = (a: Pointer, b: Pointer) => a === b || bufferOf(a) === bufferOf(b);

/** Whether two pointers point to the same place, which holds no pointers itself. */
export function samePlace(a: Pointer, b: Pointer): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  const [x, y] = [a as AnyPlace, b as AnyPlace];
  if (x.kind === 'table') return y.kind === 'table' && x.number === y.number && ArrayBuffer.isView(y.words);
  if (x === y) return true;
  if (x.kind === 'shifted') return y.kind === 'shifted' && x.bytes === y.bytes && samePlace(x.base, y.base);
  return x.kind === 'fixed' && y.kind === 'fixed' && x.address === y.address;
}

function hasRoom(place: Pointer, bytes: number): boolean {
  const root = rootOf(place);
  return root !== undefined && root.offset + bytes <= root.buffer.capacity;
}
