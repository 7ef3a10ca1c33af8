import { type Engine, STEP_BYTES } from '../../../../bindings/engine.js';
import { fieldsOf } from '../../../../bindings/parameters.js';
import type { Place, Pointer } from '../../../../bindings/place.js';
import type { Value } from '../../../graph/graph.js';
import { add, ceilDivide, isExpression, isKnown, multiply, product, type Size } from '../../../graph/sizes.js';
import type { TensorType } from '../../../graph/types.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import type { PlanningContext } from './context.js';
import type { Draft, Proposal } from './draft.js';
import { sameItems } from './equality.js';
import { lowerNode } from './lower-node.js';
import { type AnyPlace, type Buffer, bufferOf, type Contents, isFormula, type Table } from './places.js';
import { STEP_TILES } from './program.js';
import { isRepeated } from './relower.js';
import type { Guard as DataGuard, Lowered, SlotUse, Stage } from './stage.js';
import type { SymbolicFacts } from './symbolic-facts.js';
import { Untraceable, untraceable } from './tape.js';
import type { NodeMoves, TracedNode, TraceLog } from './traced.js';
import type { Weights } from './weights.js';

/** The node that is being lowered, and the progress so far. */
interface Progress {
  readonly lowered: Lowered;
  steps: number;
  temporaries: number;
  tables: number;
  guards: number;
  readonly moves: { [K in keyof NodeMoves]: NodeMoves[K][number][] };
  readonly room: (readonly [bytes: Size, most: number])[];
  readonly places: [Value, Place][];
}

/** Lowers the nodes of a stage with symbolic sizes, to the launches that it has. */
export class SymbolicDraft implements Draft {
  readonly engine: Engine;
  readonly weights: Weights;
  readonly own: Weights;
  /** Values whose offsets depend on symbols. */
  readonly #places = new Map<Value, Place>();
  #now: Progress | undefined;

  constructor(
    { engine, weights }: PlanningContext,
    private readonly log: TraceLog,
    private readonly stage: Stage,
    private readonly known: SymbolicFacts,
  ) {
    this.engine = engine;
    this.weights = weights;
    this.own = stage.program.constants;
  }

  /** Traces the launches of a node; undefined if none depends on symbols. */
  lower(lowered: Lowered): TracedNode | undefined {
    const { node, operands } = lowered;
    const values = [...operands, ...node.outputs.filter((value) => value !== null)];
    if (!values.some((value) => this.known.values.has(value) || this.#places.has(value))) return undefined;
    const now = startOf(lowered);
    this.#now = now;
    const guards = this.log.attempt(() => this.#lower(now));
    if (!guards) {
      if (operands.some((value) => this.#places.has(value))) untraceable();
      return { lowered, moves: null };
    }
    for (const [value, place] of now.places) this.#places.set(value, place);
    for (const [bytes, most] of now.room) this.log.requireAtMost(bytes, most);
    return { lowered, moves: { ...now.moves, guards } };
  }

  #lower(now: Progress): void {
    const { lowered } = now;
    lowerNode(this, this.known.facts, lowered.node, this.stage.blueprint.host);
    const isWhole =
      now.steps === lowered.steps.length &&
      now.temporaries === lowered.temporaries.length &&
      now.tables === lowered.tables.length &&
      now.guards === lowered.guards.length;
    if (!isWhole) untraceable();
  }

  placeOf(value: Value): Pointer {
    return this.#places.get(value) ?? this.stage.values.get(value) ?? untraceable();
  }

  temporary(bytes: Size): Place {
    const now = this.#now as Progress;
    const made = now.lowered.temporaries[now.temporaries++] ?? untraceable();
    if (typeof bytes !== 'number') now.room.push([bytes, (bufferOf(made) as Buffer).capacity]);
    return made;
  }

  table(contents: Contents): Table {
    const { lowered, moves, ...now } = this.#now as Progress;
    const table = lowered.tables[now.tables] ?? untraceable();
    (this.#now as Progress).tables++;
    if (isFormula(contents)) {
      const { sizes, make } = contents;
      const words = make(sizes.map((size) => this.log.valueOf(size))) ?? untraceable();
      if (!sameItems(words, table.words as Int32Array)) untraceable();
      if (!isKnown(sizes)) moves.tables.push({ table, slots: this.log.slotsOf(sizes), make });
    } else if (ArrayBuffer.isView(contents)) {
      if (!sameItems(contents as Int32Array, table.words as Int32Array)) untraceable();
    } else {
      const before = table.words as readonly Pointer[];
      if (before.length !== contents.length) untraceable();
      for (const [i, word] of contents.entries()) this.#trace(before[i] as Pointer, word, (table.offset + 4 * i) / 4);
    }
    return table;
  }

  alias(output: Value, place: Pointer): void {
    const [before, now] = [strip(this.stage.values.get(output) ?? untraceable()), strip(place)];
    if (!isSameRoot(before.root, now.root) || this.log.valueOf(now.offset) !== before.offset) untraceable();
    if (typeof now.offset !== 'number') (this.#now as Progress).places.push([output, place as Place]);
  }

  guard({ source, sizes }: DataGuard): void {
    const { lowered, moves, guards } = this.#now as Progress;
    const guard = lowered.guards[guards] ?? untraceable();
    (this.#now as Progress).guards++;
    moves.checks.push({ guard, dims: this.log.slotsOf(source.dims), sizes: this.log.slotsOf(sizes) });
  }

  call(): never {
    return untraceable();
  }

  launch(proposal: Proposal): void {
    const now = this.#now as Progress;
    const step = now.lowered.steps[now.steps];
    if (!step || !('kernel' in step) || !isRepeated(step, proposal)) throw new Untraceable();
    const index = now.lowered.firstLaunch + now.steps++;
    this.#trace(step.tiles, proposal.tiles, (index * STEP_BYTES) / 4 + STEP_TILES);
    const start = this.stage.program.paramsAt[index] as number;
    const [before, after] = [step.params, proposal.params] as Record<string, Pointer | Size>[];
    for (const { name, kind, offset } of fieldsOf(step.kernel)) {
      if (kind === 'f32' && before?.[name] !== after?.[name]) untraceable();
      this.#trace(before?.[name] as Pointer, after?.[name] as Pointer, (start + offset) / 4);
    }
  }

  /** Compares a word with the stage's, and records whether it depends on symbols. */
  #trace(before: Pointer, now: Pointer | Size, word: number): void {
    const { moves } = this.#now as Progress;
    if (typeof now === 'number') {
      if (!Object.is(now, before)) untraceable();
    } else if (isExpression(now)) {
      if (this.log.valueOf(now) !== before) untraceable();
      moves.words.push({ word, slot: this.log.tape.slotOf(now) });
    } else {
      const [from, to] = [strip(before), strip(now)];
      if (!isSameRoot(from.root, to.root) || this.log.valueOf(to.offset) !== from.offset) untraceable();
      if (typeof to.offset !== 'number') moves.pointers.push({ word, slot: this.log.tape.slotOf(to.offset) });
    }
  }

  /** Checks that a value that is read after the stage stays in place. */
  checkInPlace(value: Value): void {
    if (this.#places.has(value)) untraceable();
  }

  /** Adds a guard that the buffer of a value has room for it. */
  requireRoom(value: Value): void {
    const place = this.#places.get(value) ?? this.stage.values.get(value);
    if (place === undefined) return;
    const { root, offset } = strip(place);
    if (typeof root !== 'object' || root.kind !== 'buffer' || root.slot) return;
    this.log.requireAtMost(add(this.#bytesOf(value), offset), root.capacity);
  }

  #bytesOf(value: Value): Size {
    const type = this.known.facts.get(value)?.type;
    if (type?.kind !== 'tensor' || !type.dims) return untraceable();
    return ceilDivide(multiply(product(type.dims), ELEMENTS[type.element].bits), 8);
  }

  /** The tape slot of the rows that a run adds to a cache, of which only the number of rows may vary. */
  traceSlot({ kind, present, added, pitch }: SlotUse): number {
    const dimsOf = (value: Value) => (this.known.facts.get(value)?.type as TensorType | undefined)?.dims ?? [];
    const rows = (value: Value): Size => dimsOf(value).at(-2) ?? 0;
    if (kind === 'grows') {
      const dims = dimsOf(present);
      if (!isKnown([...dims.slice(0, -2), dims.at(-1) as Size])) untraceable();
      this.log.requireAtMost(rows(present), pitch);
    }
    return this.log.tape.slotOf(rows(added));
  }
}

const startOf = (lowered: Lowered): Progress => ({
  lowered,
  steps: 0,
  temporaries: 0,
  tables: 0,
  guards: 0,
  moves: { guards: [], words: [], pointers: [], tables: [], checks: [] },
  room: [],
  places: [],
});

/** A pointer as an offset from its root place. */
function strip(pointer: Pointer): { readonly root: AnyPlace | number; readonly offset: Size } {
  let root = pointer as AnyPlace | number;
  let offset: Size = 0;
  for (;;) {
    if (typeof root === 'object' && root.kind === 'shifted') {
      offset = add(offset, root.bytes as Size);
      root = root.base as AnyPlace;
    } else if (typeof root === 'object' && root.kind === 'buffer' && root.within) {
      offset = add(offset, root.within.offset);
      root = root.within.buffer;
    } else {
      return { root, offset };
    }
  }
}

function isSameRoot(a: AnyPlace | number, b: AnyPlace | number): boolean {
  if (typeof a === 'number' || typeof b === 'number' || a === b) return a === b;
  if (a.kind === 'fixed') return b.kind === 'fixed' && a.address === b.address;
  return a.kind === 'table' && b.kind === 'table' && a.number === b.number;
}
