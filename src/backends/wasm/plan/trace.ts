import { type Engine, STEP_BYTES } from '../../../../bindings/engine.js';
import { fieldsOf } from '../../../../bindings/parameters.js';
import type { Place, Pointer } from '../../../../bindings/place.js';
import { NodeView } from '../../../analysis/node-view.js';
import { subgraphsOf } from '../../../graph/captures.js';
import { type Facts, sizesOf } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import { formatGuard, type Guard, type GuardLog, recording } from '../../../graph/guards.js';
import {
  add,
  ceilDivide,
  type Expression,
  formatSize,
  freshSymbol,
  hasUnnamed,
  isExpression,
  isKnown,
  keyOf,
  multiply,
  product,
  type Size,
} from '../../../graph/sizes.js';
import { type TensorType, tensorType, type ValueType } from '../../../graph/types.js';
import { operatorOf } from '../../../schema/registry.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { Formula } from '../lowering.js';
import { loweringOf } from '../lowerings.js';
import type { PlanningContext } from './context.js';
import type { Draft, Proposal } from './draft.js';
import { sameItems } from './equality.js';
import { lowerNode } from './lower-node.js';
import { type AnyPlace, type Buffer, bufferOf, type Contents, isFormula, type Table } from './places.js';
import { STEP_TILES } from './program.js';
import { isRepeated } from './relower.js';
import type { Finding, Outcome } from './specialize.js';
import type { Guard as DataGuard, Given, Lowered, SlotUse, Stage } from './stage.js';
import { Tape } from './tape.js';
import type { Weights } from './weights.js';

/** A stage whose sizes are expressions of the sizes of its inputs. */
export interface Trace {
  readonly tape: Tape;
  /** Symbols of the inputs, with their values in the stage. */
  readonly symbols: readonly (readonly [name: string, size: number])[];
  readonly inputs: readonly TracedInput[];
  /** Findings that are not traced, in order. */
  readonly numeric: readonly NumericFinding[];
  /** Guards of the whole stage, including the capacities of its buffers. */
  readonly guards: readonly TracedGuard[];
  readonly nodes: readonly TracedNode[];
  readonly values: ReadonlyMap<Value, TracedValue>;
  /** For each slot of the stage, the tape slot of the number of rows that a run adds. */
  readonly fresh: readonly number[];
}

/** A tensor from outside the stage. */
export interface TracedInput {
  readonly value: Value;
  readonly element: ElementType;
  readonly dims: readonly Bound[];
  /** If the stage was planned for its contents: each number of a list of sizes, or contents that do not vary. */
  readonly contents: readonly Bound[] | TensorValue | null;
}

/** A number that does not vary, or the slot of its symbol. */
export type Bound = { readonly size: number } | { readonly slot: number };

type KnownType = Pick<TensorType, 'element'> & { readonly dims: readonly number[] };

/** A value whose sizes or contents depend on symbols. */
export interface TracedValue {
  readonly element: ElementType;
  readonly dims: readonly number[];
  /** Slots of its numbers; `made` if a finding computes them; null if the run does. */
  readonly contents: readonly number[] | 'made' | null;
}

/** A finding that is not traced. Its outputs' sizes are symbols, which it sets after the code before `at` has run. */
export interface NumericFinding {
  readonly finding: Finding;
  readonly at: number;
  /** Slots that it depends on. */
  readonly reads: readonly number[];
  /** Whether the sizes of its outputs are on the tape, so that it computes only contents. */
  isInferred: boolean;
}

export interface TracedGuard {
  readonly kind: Guard['kind'];
  /** Slots. */
  readonly a: number;
  readonly b: number;
  readonly text: () => string;
}

/** A word of the program, by its index in 32-bit words, and the slot of its value. */
export interface MovingWord {
  readonly word: number;
  readonly slot: number;
}

/** A node whose launches depend on symbols. */
export interface TracedNode {
  readonly lowered: Lowered;
  /** Null if the node is lowered again for other sizes. */
  readonly moves: NodeMoves | null;
}

export interface NodeMoves {
  readonly guards: readonly TracedGuard[];
  readonly words: readonly MovingWord[];
  /** Words that hold addresses, and the slots of their offsets. */
  readonly pointers: readonly MovingWord[];
  readonly tables: readonly {
    readonly table: Table;
    readonly slots: readonly number[];
    readonly make: Formula['make'];
  }[];
  /** For each data check, the slots of the dims of the data and of the sizes that its complaint depends on. */
  readonly checks: readonly {
    readonly guard: DataGuard;
    readonly dims: readonly number[];
    readonly sizes: readonly number[];
  }[];
}

/** Smaller input sizes do not become symbols: 1 broadcasts, and 0 leaves nothing to run. */
export const LEAST_SYMBOL = 2;

const nameOfSize = ({ name }: Value, axis: number) => `${name}[${axis}]`;
const nameOfNumber = ({ name }: Value, i: number) => `${name}(${i})`;

/** The names of sizes and contents from outside that differ from those that a stage was planned for. */
export function namesOfVarying({ blueprint: { start } }: Stage, given: Given): string[] {
  return start.given.flatMap((value) => {
    const { type, contents } = start.facts.get(value) ?? {};
    const now = given(value);
    if (type?.kind !== 'tensor' || !now) return [];
    const differing = (before: readonly unknown[], after: readonly number[]) =>
      after.flatMap((number, i) => (number === before[i] ? [] : [i]));
    const numbers = contents && now.data ? [sizesOf(contents), sizesOf(now as TensorValue)] : [];
    return [
      ...differing(type.dims ?? [], now.dims).map((axis) => nameOfSize(value, axis)),
      ...differing(numbers[0] ?? [], numbers[1] ?? []).map((i) => nameOfNumber(value, i)),
    ];
  });
}

/** Thrown if a node cannot be traced. */
class Untraceable extends Error {}

const untraceable = (): never => {
  throw new Untraceable();
};

/**
 * Traces a stage: infers its nodes and lowers them again with symbols for its open sizes; the values of the symbols are
 * those of the stage. Open are the sizes and contents named in `varied` or, if that is null, the sizes that no declaration
 * fixes. Undefined if the stage depends on more than sizes.
 */
export function traceStage(
  context: PlanningContext,
  stage: Stage,
  varied: ReadonlySet<string> | null,
): Trace | undefined {
  const { blueprint, rest, outputs, slots } = stage;
  try {
    const tracer = new Tracer(context, stage);
    if (!tracer.declareInputs(varied)) return undefined;
    for (const finding of blueprint.specialized.findings) tracer.find(finding);
    const nodes = blueprint.lowered.flatMap((lowered) => tracer.lower(lowered) ?? []);
    for (const { value } of outputs) tracer.checkInPlace(value);
    for (const { value } of rest?.observed ?? []) tracer.checkInPlace(value);
    for (const value of rest?.resident.keys() ?? []) tracer.checkInPlace(value);
    return tracer.finish(nodes, slots);
  } catch (error) {
    if (error instanceof Untraceable) return undefined;
    throw error;
  }
}

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

class Tracer implements Draft, GuardLog {
  readonly engine: Engine;
  readonly weights: Weights;
  readonly own: Weights;
  readonly #tape = new Tape();
  readonly #facts: Facts;
  readonly #symbols = new Map<string, { readonly symbol: Expression; readonly now: number }>();
  readonly #inputs: TracedInput[] = [];
  readonly #numeric: NumericFinding[] = [];
  readonly #guards: TracedGuard[] = [];
  readonly #values = new Map<Value, TracedValue>();
  /** Values whose offsets depend on symbols. */
  readonly #places = new Map<Value, Place>();
  #assumed = new Map<string, Guard>();
  #now: Progress | undefined;

  constructor(
    { engine, weights }: PlanningContext,
    private readonly stage: Stage,
  ) {
    this.engine = engine;
    this.weights = weights;
    this.own = stage.program.constants;
    this.#facts = stage.blueprint.start.facts.fork();
  }

  valueOf(size: Size): number {
    return this.#tape.valueOf(size);
  }

  assume(guard: Guard): void {
    this.#assumed.set(`${guard.kind} ${keyOf(guard.a)} ${keyOf(guard.b)}`, guard);
  }

  /** Assigns symbols to open sizes; false if there are none. Equal sizes of the same declared name share a symbol. */
  declareInputs(varied: ReadonlySet<string> | null): boolean {
    for (const value of this.stage.blueprint.start.given) this.#declare(value, varied);
    return this.#symbols.size > 0;
  }

  #declare(value: Value, varied: ReadonlySet<string> | null): void {
    const { type, contents } = this.#before(value);
    const { element } = type;
    const numbers = contents && sizesOf(contents);
    const dims = type.dims.map((size, axis): Size => {
      const name = varied ? nameOfSize(value, axis) : openName(value, axis);
      const isOpen = !contents && size >= LEAST_SYMBOL && name !== null && varied?.has(name) !== false;
      return isOpen ? this.#symbol(name, LEAST_SYMBOL, size) : size;
    });
    const sizes = numbers?.map((number, i): Size => {
      const name = nameOfNumber(value, i);
      return varied?.has(name) ? this.#symbol(name, Number.NEGATIVE_INFINITY, number) : number;
    });
    const bound = (size: Size): Bound => (typeof size === 'number' ? { size } : { slot: this.#tape.slotOf(size) });
    const known = sizes?.map(bound) ?? contents ?? null;
    this.#inputs.push({ value, element, dims: dims.map(bound), contents: known });
    if (!contents || sizes) this.#learn(value, tensorType(element, dims), sizes);
  }

  #symbol(name: string, least: number, now: number): Expression {
    const key = `${name} ${now}`;
    const known = this.#symbols.get(key);
    if (known) return known.symbol;
    const symbol = freshSymbol(name, least);
    this.#symbols.set(key, { symbol, now });
    this.#tape.declare(symbol, now);
    return symbol;
  }

  /** Traces the outcome for a node; a finding that cannot be traced is repeated for other sizes. */
  find(finding: Finding): void {
    const { node, operands, outcome } = finding;
    if (outcome.kind === 'deferred' || !operands.some((value) => this.#values.has(value))) return;
    const isBySize = outcome.kind !== 'parts' && subgraphsOf(node).length === 0 && dynamicIn(outcome).length === 0;
    const guards = isBySize ? this.#attempt(() => this.#infer(finding)) : undefined;
    if (guards) this.#guards.push(...guards);
    else this.#findByNumbers(finding);
  }

  /** Runs `trace`; returns the guards that it assumes, or undefined if it fails. */
  #attempt(trace: () => void): TracedGuard[] | undefined {
    this.#assumed = new Map();
    try {
      recording(this, trace);
    } catch {
      return undefined;
    }
    return [...this.#assumed.values()].map((guard) => this.#compiled(guard));
  }

  #compiled({ kind, a, b }: Guard): TracedGuard {
    return { kind, a: this.#tape.slotOf(a), b: this.#tape.slotOf(b), text: () => formatGuard({ kind, a, b }) };
  }

  #infer({ node, outcome }: Finding): void {
    const view = new NodeView(node, this.#facts);
    const { operator } = view;
    if (!operator.guarded) untraceable();
    const isFolded = outcome.kind === 'folded';
    const types = isFolded ? operator.infer(view) : view.outputTypes();
    const sizes = isFolded ? (operator.sizes?.(view) ?? untraceable()) : undefined;
    const learned = node.outputs.flatMap((value, i) => (value ? [[value, types[i]] as const] : []));
    for (const [value, type] of learned) this.#check(value, type ?? undefined, sizes);
    for (const [value, type] of learned) this.#learn(value, type as TensorType, sizes);
  }

  /** Checks that sizes evaluate to those of the stage. */
  #check(value: Value, type: ValueType | undefined, sizes: readonly Size[] | undefined): void {
    const before = this.#before(value);
    if (type?.kind !== 'tensor' || !type.dims || type.element !== before.type.element) throw new Untraceable();
    if ([...type.dims, ...(sizes ?? [])].some(hasUnnamed)) untraceable();
    const numbers = before.contents && sizesOf(before.contents);
    if (!this.#areNow(type.dims, before.type.dims) || !sizes !== !before.contents) untraceable();
    if (sizes && !this.#areNow(sizes, numbers ?? [])) untraceable();
  }

  /** Whether sizes evaluate to these numbers in the traced stage. */
  #areNow(sizes: readonly Size[], numbers: readonly number[]): boolean {
    return sameItems(
      sizes.map((size) => this.valueOf(size)),
      numbers,
    );
  }

  #before(value: Value): { readonly type: KnownType; readonly contents: TensorValue | undefined } {
    const { type, contents } = this.stage.blueprint.start.facts.get(value) ?? {};
    return type?.kind === 'tensor' ? { type: type as KnownType, contents } : untraceable();
  }

  #learn(value: Value, type: TensorType, sizes: readonly Size[] | undefined): void {
    const { contents } = this.#before(value);
    const dims = type.dims as readonly Size[];
    if (isKnown(dims) && (!contents || (sizes && isKnown(sizes)))) return;
    const slotsOf = (list: readonly Size[]) => list.map((size) => this.#tape.slotOf(size));
    this.#values.set(value, {
      element: type.element,
      dims: slotsOf(dims),
      contents: contents ? (sizes ? slotsOf(sizes) : 'made') : null,
    });
    this.#facts.set(value, { type, sizes, contents: contents && unreadable(type) });
  }

  #findByNumbers(finding: Finding): void {
    const { node, operands, outcome } = finding;
    const at = this.#tape.end;
    const reads = new Set(operands.flatMap((value) => this.#slotsOf(value)));
    const numeric: NumericFinding = { finding, at, reads: [...reads], isInferred: false };
    this.#numeric.push(numeric);
    if (outcome.kind === 'parts') return;
    const types = this.#typesOf(node);
    const { guarded } = operatorOf(node);
    let symbols = 0;
    node.outputs.forEach((value, i) => {
      if (!value || dynamicIn(outcome).includes(value)) return;
      if (!(guarded && this.#learnContents(value, types[i]))) {
        this.#learnSymbols(value, types[i]);
        symbols++;
      }
    });
    numeric.isInferred = outcome.kind === 'folded' && symbols === 0;
  }

  /** Slots of a value; for contents that a finding computes, the slots that these depend on. */
  #slotsOf(value: Value): readonly number[] {
    const { dims = [], contents } = this.#values.get(value) ?? {};
    const own = this.#numeric.find(({ finding }) => finding.node.outputs.includes(value));
    return [...dims, ...(contents === 'made' ? (own?.reads ?? []) : (contents ?? []))];
  }

  /** Types by the operator's rule. If it is not guarded, the finding checks them again. */
  #typesOf(node: Node): readonly (ValueType | null)[] {
    let types: readonly (ValueType | null)[] = [];
    const guards = this.#attempt(() => {
      types = operatorOf(node).infer(new NodeView(node, this.#facts));
    });
    if (operatorOf(node).guarded) this.#guards.push(...(guards ?? []));
    return guards ? types : [];
  }

  /** Records inferred dims of a value whose contents a finding computes; false if the dims are not expressions. */
  #learnContents(value: Value, type: ValueType | null | undefined): boolean {
    if (type?.kind !== 'tensor' || !type.dims || isKnown(type.dims) || type.dims.some(hasUnnamed)) return false;
    if (!this.#areNow(type.dims, this.#before(value).type.dims)) return false;
    this.#learn(value, type, undefined);
    return true;
  }

  /** Makes symbols of the sizes that a finding computes, and of the integers if their number is known. */
  #learnSymbols(value: Value, inferred: ValueType | null | undefined): void {
    const { type, contents } = this.#before(value);
    const known = inferred?.kind === 'tensor' ? inferred.dims : undefined;
    const symbolOf = (name: string, least: number, now: number) => {
      const made = freshSymbol(name, least);
      this.#tape.declare(made, now);
      return made;
    };
    const dims = type.dims.map((size, axis) =>
      known?.[axis] === size ? size : symbolOf(`${value.name}[${axis}]`, 0, size),
    );
    const numbers = contents && known && isKnown(known) ? sizesOf(contents) : undefined;
    const sizes = numbers?.map((now, i) => symbolOf(`${value.name}(${i})`, Number.NEGATIVE_INFINITY, now));
    this.#learn(value, tensorType(type.element, dims), sizes);
  }

  /** Traces the launches of a node; undefined if none depends on symbols. */
  lower(lowered: Lowered): TracedNode | undefined {
    const { node, operands } = lowered;
    const values = [...operands, ...node.outputs.filter((value) => value !== null)];
    if (!values.some((value) => this.#values.has(value) || this.#places.has(value))) return undefined;
    const now = startOf(lowered);
    this.#now = now;
    const isBySize = loweringOf(operatorOf(node))?.bySize;
    const guards = isBySize ? this.#attempt(() => this.#lowerBySize(now)) : undefined;
    if (!guards) {
      if (operands.some((value) => this.#places.has(value))) untraceable();
      return { lowered, moves: null };
    }
    for (const [value, place] of now.places) this.#places.set(value, place);
    for (const [bytes, most] of now.room) this.#guards.push(this.#compiled({ kind: 'at most', a: bytes, b: most }));
    return { lowered, moves: { ...now.moves, guards } };
  }

  #lowerBySize(now: Progress): void {
    const { lowered } = now;
    lowerNode(this, this.#facts, lowered.node, this.stage.blueprint.host);
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
      const words = make(sizes.map((size) => this.valueOf(size))) ?? untraceable();
      if (!sameItems(words, table.words as Int32Array)) untraceable();
      if (!isKnown(sizes)) moves.tables.push({ table, slots: sizes.map((size) => this.#tape.slotOf(size)), make });
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
    if (!isSameRoot(before.root, now.root) || this.valueOf(now.offset) !== before.offset) untraceable();
    if (typeof now.offset !== 'number') (this.#now as Progress).places.push([output, place as Place]);
  }

  guard({ source, sizes }: DataGuard): void {
    const { lowered, moves, guards } = this.#now as Progress;
    const guard = lowered.guards[guards] ?? untraceable();
    (this.#now as Progress).guards++;
    const slotsOf = (list: readonly Size[]) => list.map((size) => this.#tape.slotOf(size));
    moves.checks.push({ guard, dims: slotsOf(source.dims), sizes: slotsOf(sizes) });
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
      if (this.valueOf(now) !== before) untraceable();
      moves.words.push({ word, slot: this.#tape.slotOf(now) });
    } else {
      const [from, to] = [strip(before), strip(now)];
      if (!isSameRoot(from.root, to.root) || this.valueOf(to.offset) !== from.offset) untraceable();
      if (typeof to.offset !== 'number') moves.pointers.push({ word, slot: this.#tape.slotOf(to.offset) });
    }
  }

  /** Checks that a value that is read after the stage stays in place. */
  checkInPlace(value: Value): void {
    if (this.#places.has(value)) untraceable();
  }

  finish(nodes: readonly TracedNode[], slots: readonly SlotUse[]): Trace {
    const fresh = slots.map((slot) => this.#traceSlot(slot));
    for (const value of this.#values.keys()) this.#requireRoom(value);
    return {
      tape: this.#tape,
      symbols: [...this.#symbols.values()].map(({ symbol, now }) => [formatSize(symbol), now]),
      inputs: this.#inputs,
      numeric: this.#numeric,
      guards: this.#guards,
      nodes,
      values: this.#values,
      fresh,
    };
  }

  #requireRoom(value: Value): void {
    const place = this.#places.get(value) ?? this.stage.values.get(value);
    if (place === undefined) return;
    const { root, offset } = strip(place);
    if (typeof root !== 'object' || root.kind !== 'buffer' || root.slot) return;
    const a = add(this.#bytesOf(value), offset);
    if (typeof a !== 'number') this.#guards.push(this.#compiled({ kind: 'at most', a, b: root.capacity }));
  }

  #bytesOf(value: Value): Size {
    const type = this.#facts.get(value)?.type;
    if (type?.kind !== 'tensor' || !type.dims) return untraceable();
    return ceilDivide(multiply(product(type.dims), ELEMENTS[type.element].bits), 8);
  }

  /** The tape slot of the rows that a run adds to a cache, of which only the number of rows may vary. */
  #traceSlot({ kind, present, added, pitch }: SlotUse): number {
    const dimsOf = (value: Value) => (this.#facts.get(value)?.type as TensorType | undefined)?.dims ?? [];
    const rows = (value: Value): Size => dimsOf(value).at(-2) ?? 0;
    if (kind === 'grows') {
      const dims = dimsOf(present);
      if (!isKnown([...dims.slice(0, -2), dims.at(-1) as Size])) untraceable();
      if (typeof rows(present) !== 'number')
        this.#guards.push(this.#compiled({ kind: 'at most', a: rows(present), b: pitch }));
    }
    return this.#tape.slotOf(rows(added));
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

const dynamicIn = (outcome: Outcome): readonly Value[] => (outcome.kind === 'runnable' ? outcome.dynamic : []);

/** The declared name of a size, or its position if it has none; null if the declaration fixes it. */
function openName(value: Value, axis: number): string | null {
  const size = value.type?.kind === 'tensor' ? value.type.dims?.[axis] : undefined;
  if (typeof size === 'number') return null;
  return size !== undefined && !hasUnnamed(size) ? formatSize(size) : nameOfSize(value, axis);
}

/** Contents that depend on symbols; a node that reads them is not traced. */
const unreadable = ({ element, dims }: TensorType): TensorValue =>
  ({
    type: element,
    dims,
    get data() {
      return untraceable();
    },
  }) as unknown as TensorValue;

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
