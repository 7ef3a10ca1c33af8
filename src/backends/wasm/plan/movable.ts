import { account } from '../../../account.js';
import { NodeView } from '../../../analysis/node-view.js';
import { type Fact, type Facts, sizesOf } from '../../../graph/facts.js';
import type { Value } from '../../../graph/graph.js';
import { type TensorType, tensorType } from '../../../graph/types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { bytesOf } from '../../../tensor/stored-rows.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { PlanExplanation, PlanGuard } from '../../plan-explanation.js';
import type { PlanningContext } from './context.js';
import { sameItems, sameType } from './equality.js';
import { type AnyPlace, bytesIn, type Table } from './places.js';
import { tilesOf } from './program.js';
import { lowerAgain, type Replacements, rewrite } from './relower.js';
import { sameOutcome } from './same-outcome.js';
import { type Finding, foldNode, outcomeOf } from './specialize.js';
import type { Given, GivenTensor, Guard, HostCall, Movable, Segment, SlotUse, Source, Stage } from './stage.js';
import {
  type Bound,
  LEAST_SYMBOL,
  type MovingWord,
  type NodeMoves,
  type NumericFinding,
  type Trace,
  type TracedGuard,
  type TracedInput,
  type TracedNode,
  type TracedValue,
  traceStage,
} from './trace.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The limit in bytes on contents kept for sizes that may recur. */
const MOST_KEPT_BYTES = 1 << 20;

/**
 * Traces `stage`, so that it can be moved to other sizes: words of its program and tables are rewritten, and dims of its
 * outputs change, in place. Undefined if it cannot be moved.
 */
export function makeMovable(
  context: PlanningContext,
  stage: Stage,
  varied: ReadonlySet<string> | null,
): Movable | undefined {
  const trace = traceStage(context, stage, varied);
  return trace && new MovableStage(context, stage, trace);
}

const holds = ({ kind, a, b }: TracedGuard, values: readonly number[]): boolean => {
  const [x, y] = [values[a] as number, values[b] as number];
  return kind === 'at most' ? x <= y : kind === 'equal' ? x === y : x !== y;
};

const areBounds = (contents: TracedInput['contents']): contents is readonly Bound[] => Array.isArray(contents);

/** The numbers of an input that may be symbols: its dims, then its contents as sizes. */
const boundsOf = ({ dims, contents }: TracedInput): readonly Bound[] =>
  areBounds(contents) ? [...dims, ...contents] : dims;

/** The numbers of a given tensor, in the order of `boundsOf`; undefined if it is not of the traced kind. */
function numbersOf({ element, dims, contents }: TracedInput, given: GivenTensor | undefined) {
  if (given?.type !== element || given.dims.length !== dims.length) return undefined;
  if (!contents) return given.dims;
  if (!given.data) return undefined;
  if (!areBounds(contents)) return sameItems(given.data, contents.data) ? given.dims : undefined;
  const sizes = sizesOf(given as TensorValue);
  return sizes?.length === contents.length ? [...given.dims, ...sizes] : undefined;
}

class MovableStage implements Movable {
  readonly #values: number[];
  /** For each number from outside, the slot of its symbol; null if it is fixed. */
  readonly #bound: readonly Bound[];
  /** The numbers from outside that the program currently serves. */
  #at: readonly number[];
  /** Nodes whose current launches are not those of the trace. */
  #lowered: readonly TracedNode[] = [];
  readonly #words: readonly MovingWord[];
  /** Words that hold addresses, and their current offsets in buffers. */
  readonly #pointers: readonly { readonly word: number; readonly slot: number; offset: number }[];
  /** Contents that are stored in tables of the program. */
  readonly #tables: readonly { readonly value: Value; readonly table: Table }[];
  /** The segments of the stage, with the calls that were planned. */
  readonly #segments: readonly (readonly [Mutable<Segment>, HostCall | null])[];
  /** Where values that vary are read after the stage, or by the host. */
  readonly #sources: readonly (readonly [Value, Mutable<Source>])[];
  /** Facts that repeated findings read. */
  readonly #facts: Facts;
  /** Contents that findings have computed at the sizes in `#values`. */
  readonly #made = new Map<Value, TensorValue>();
  readonly #lastReads = new Map<NumericFinding, readonly number[]>();
  /** Results of findings, by the numbers that they depend on. */
  readonly #kept = new Map<string, [Value, Fact][]>();
  #keptBytes = 0;

  constructor(
    private readonly context: PlanningContext,
    private readonly stage: Stage,
    private readonly trace: Trace,
  ) {
    const { start } = stage.blueprint;
    this.#values = trace.tape.values;
    this.#facts = start.facts.fork();
    this.#bound = trace.inputs.flatMap(boundsOf);
    this.#at = this.#bound.map((bound) => ('size' in bound ? bound.size : (this.#values[bound.slot] as number)));
    for (const found of trace.numeric) {
      this.#lastReads.set(found, this.#read(found.reads));
      for (const value of found.finding.node.outputs) {
        const contents = value && start.facts.get(value)?.contents;
        if (contents) this.#made.set(value, contents);
      }
    }
    const moves = trace.nodes.flatMap((node) => node.moves ?? []);
    this.#words = moves.flatMap(({ words }) => words);
    this.#pointers = moves.flatMap(({ pointers }) =>
      pointers.map(({ word, slot }) => ({ word, slot, offset: this.#values[slot] as number })),
    );
    this.#tables = [...trace.values].flatMap(([value, { contents }]) => {
      const place = stage.values.get(value) as AnyPlace | number | undefined;
      return contents && typeof place === 'object' && place.kind === 'table' ? [{ value, table: place }] : [];
    });
    this.#segments = stage.segments.map((segment) => [segment, segment.kind === 'host' ? segment.call : null]);
    const { outputs, rest } = stage;
    const ends = [...outputs, ...(rest?.observed ?? [])].map(({ value, source }) => [value, source] as const);
    this.#sources = [...ends, ...(rest?.resident ?? [])].filter(([value]) => this.varies(value));
    stage.program.constants.seal();
  }

  get sizes(): readonly number[] {
    return this.#at;
  }

  varies(value: Value): boolean {
    return this.trace.values.has(value);
  }

  moveTo(given: Given): boolean {
    const at: number[] = [];
    for (const input of this.trace.inputs) {
      const numbers = numbersOf(input, given(input.value));
      if (!numbers) return false;
      for (let i = 0; i < numbers.length; i++) {
        // Smaller sizes than symbols stand for are other plans.
        if (i < input.dims.length && 'slot' in (input.dims[i] as Bound) && (numbers[i] as number) < LEAST_SYMBOL)
          return false;
        at.push(numbers[i] as number);
      }
    }
    if (sameItems(at, this.#at)) return true;
    if (account()) return false;
    if (this.#attempt(at)) return true;
    this.#compute(this.#at);
    return false;
  }

  #attempt(at: readonly number[]): boolean {
    try {
      return this.#compute(at) && this.#move(at);
    } catch {
      // Planning these sizes from the graph reports the error.
      return false;
    }
  }

  factsLater(): () => Facts {
    const { start, specialized } = this.stage.blueprint;
    const given = this.trace.inputs.map(({ value }) => [value, this.factOf(value)] as const);
    let known: Facts | undefined;
    return () => {
      if (known) return known;
      const facts = start.facts.fork();
      known = facts;
      for (const [value, fact] of given) facts.set(value, fact);
      const evaluating = { now: start.evaluates, held: start.lasting };
      for (const { node, operands, outcome } of specialized.findings) {
        const found = outcomeOf(new NodeView(node, facts), operands, evaluating, true);
        sameOutcome(outcome, found, (value, fact) => facts.set(value, fact));
      }
      return facts;
    };
  }

  explain(): PlanExplanation {
    return explanationOf(this.trace);
  }

  #read(slots: readonly number[]): number[] {
    return slots.map((slot) => this.#values[slot] as number);
  }

  /** Sets the symbols; false if a fixed number differs, or a symbol would have two values. */
  #bind(at: readonly number[]): boolean {
    for (let i = 0; i < at.length; i++) {
      const bound = this.#bound[i] as Bound;
      if ('slot' in bound) this.#values[bound.slot] = at[i] as number;
    }
    return this.#bound.every((bound, i) => at[i] === ('slot' in bound ? this.#values[bound.slot] : bound.size));
  }

  /** Computes all sizes; returns whether the guards of the stage hold. */
  #compute(at: readonly number[]): boolean {
    if (!this.#bind(at)) return false;
    const { tape, numeric, guards } = this.trace;
    let from = 0;
    for (const each of numeric) {
      tape.run(from, each.at);
      from = each.at;
      if (!this.#update(each)) return false;
    }
    tape.run(from, tape.end);
    return guards.every((guard) => holds(guard, this.#values));
  }

  /** Repeats a finding at the current sizes; false if the outcome differs. */
  #update(found: NumericFinding): boolean {
    const { reads } = found;
    const now = this.#read(reads);
    if (sameItems(now, this.#lastReads.get(found) ?? [])) return true;
    this.#lastReads.delete(found);
    const key = `${this.trace.numeric.indexOf(found)}: ${now}`;
    const facts = this.#kept.get(key) ?? this.#inferByNumbers(found);
    if (!facts) return false;
    for (const [value, fact] of facts) this.#note(value, fact);
    this.#keep(key, facts);
    this.#lastReads.set(found, now);
    return true;
  }

  /** Facts about a node's outputs at the current sizes; undefined if the outcome differs. */
  #inferByNumbers({ finding, isInferred }: NumericFinding): [Value, Fact][] | undefined {
    const { node, operands, outcome } = finding;
    const facts = this.#facts;
    for (const value of operands) if (this.trace.values.has(value)) facts.set(value, this.factOf(value));
    const types = isInferred ? node.outputs.map((value) => value && this.#typeOf(value)) : undefined;
    const isSame = outcome.kind === 'folded' ? foldNode(new NodeView(node, facts), types) : this.#isSame(finding);
    if (!isSame) return undefined;
    if (outcome.kind === 'parts') return [];
    return node.outputs.flatMap((value): [Value, Fact][] => {
      const fact = value && facts.get(value);
      return fact ? [[value, fact]] : [];
    });
  }

  /** Caches facts, because sizes recur, as in each conversation with a language model. */
  #keep(key: string, facts: [Value, Fact][]): void {
    if (this.#kept.has(key)) return;
    this.#keptBytes += 64 + facts.reduce((sum, [, { contents }]) => sum + 8 * (contents?.data.length ?? 0), 0);
    if (this.#keptBytes <= MOST_KEPT_BYTES) this.#kept.set(key, facts);
  }

  /** Whether a node has the same outcome as in the base, including the constants of its decomposition. */
  #isSame({ node, operands, outcome }: Finding): boolean {
    const { start } = this.stage.blueprint;
    const evaluating = { now: start.evaluates, held: start.lasting };
    const now = outcomeOf(new NodeView(node, this.#facts), operands, evaluating, true);
    let isConstant = true;
    const isSame = sameOutcome(outcome, now, (value, { contents }) => {
      isConstant &&= sameItems(contents?.data ?? [], value.constant?.data ?? []);
    });
    return isSame && isConstant;
  }

  /** Writes the sizes and numbers of a value to their slots. */
  #note(value: Value, fact: Fact): void {
    const traced = this.trace.values.get(value);
    const before = this.stage.blueprint.start.facts.get(value) as Fact;
    if (!traced && sameType(before.type, fact.type)) return;
    if (!traced || fact.type.kind !== 'tensor') throw new Error(`"${value.name}" has become something else`);
    for (const [axis, slot] of traced.dims.entries()) this.#set(slot, fact.type.dims?.[axis] as number);
    if (fact.contents) this.#made.set(value, fact.contents);
    if (!traced.contents || traced.contents === 'made') return;
    if (fact.contents?.data.length !== traced.contents.length) throw new Error(`"${value.name}" has another length`);
    for (const [i, slot] of traced.contents.entries()) this.#set(slot, Number(fact.contents?.data[i]));
  }

  /** Sets a symbol, or checks a size that the tape computes. */
  #set(slot: number, value: number): void {
    if (this.trace.tape.isSymbol(slot)) this.#values[slot] = value;
    else if (this.#values[slot] !== value) throw new Error(`a size of ${value} is not ${this.#values[slot]}`);
  }

  #typeOf(value: Value): TensorType {
    const { element, dims } = this.trace.values.get(value) as TracedValue;
    return tensorType(element, this.#read(dims));
  }

  factOf(value: Value): Fact {
    const traced = this.trace.values.get(value);
    if (!traced) return this.stage.blueprint.start.facts.get(value) as Fact;
    const { element, contents } = traced;
    const type = this.#typeOf(value);
    if (!contents) return { type };
    if (contents === 'made') return { type, contents: this.#made.get(value) };
    return { type, contents: tensorOf(element, type.dims as readonly number[], this.#read(contents)) };
  }

  /** Computes all changes, then writes them. */
  #move(at: readonly number[]): boolean {
    const tables: [Table, ArrayBufferView][] = [];
    const again: TracedNode[] = [];
    for (const node of this.trace.nodes) if (!node.moves || !this.#makeTables(node.moves, tables)) again.push(node);
    if (!this.#makeContents(tables)) return false;
    const lowered = this.#lowerByNumbers(again);
    for (const node of this.#lowered) if (!again.includes(node)) this.#restore(node);
    this.#write(tables, lowered);
    this.#lowered = again;
    this.#at = at;
    this.#show(again, lowered);
    return true;
  }

  /** Makes the tables of a node; false if a guard fails or a table cannot be made: the node is lowered again. */
  #makeTables({ guards, tables }: NodeMoves, made: [Table, ArrayBufferView][]): boolean {
    for (let i = 0; i < guards.length; i++) if (!holds(guards[i] as TracedGuard, this.#values)) return false;
    for (const { table, slots, make } of tables) {
      const words = make(slots.map((slot) => this.#values[slot] as number));
      if (!words || bytesIn(words) > table.capacity) return false;
      made.push([table, words]);
    }
    return true;
  }

  /** Makes contents that follow from sizes; false if a table has no room for them. */
  #makeContents(made: [Table, ArrayBufferView][]): boolean {
    for (const { value, table } of this.#tables) {
      const data = this.factOf(value).contents?.data as ArrayBufferView;
      if (data.byteLength > table.capacity) return false;
      made.push([table, data]);
    }
    return true;
  }

  #lowerByNumbers(nodes: Trace['nodes']): Replacements {
    const facts = this.stage.blueprint.start.facts.fork();
    for (const { lowered } of nodes)
      for (const value of [...lowered.operands, ...lowered.node.outputs])
        if (value && this.varies(value)) facts.set(value, this.factOf(value));
    return lowerAgain(
      this.context,
      this.stage,
      facts,
      nodes.map(({ lowered }) => lowered),
    );
  }

  #write(tables: readonly [Table, ArrayBufferView][], lowered: Replacements): void {
    const { engine } = this.context;
    const { program } = this.stage;
    const { i32, u8 } = engine;
    const start = program.address / 4;
    const values = this.#values;
    for (let i = 0; i < this.#words.length; i++) {
      const { word, slot } = this.#words[i] as MovingWord;
      i32[start + word] = values[slot] as number;
    }
    for (const pointer of this.#pointers) {
      const offset = values[pointer.slot] as number;
      const word = start + pointer.word;
      i32[word] = (i32[word] as number) + offset - pointer.offset;
      pointer.offset = offset;
    }
    rewrite(engine, program, lowered);
    for (const [table, data] of tables) u8.set(bytesOf(data as Uint8Array), program.address + table.offset);
    for (const [segment, call] of this.#segments)
      if (segment.kind === 'program') segment.tiles = tilesOf(engine, program, segment.begin, segment.end);
      else segment.call = lowered.calls.get(call as HostCall) ?? segment.call;
  }

  /** Writes the launches of a node as planned, because it has been lowered differently since. */
  #restore({ lowered }: TracedNode): void {
    const launches = new Map(
      lowered.steps.flatMap((step, i) => ('kernel' in step ? [[lowered.firstLaunch + i, step] as const] : [])),
    );
    rewrite(this.context.engine, this.stage.program, { launches, tables: lowered.tables });
  }

  /** Updates what is read after the stage, caches and data checks to the current sizes. */
  #show(again: readonly TracedNode[], { guards }: Replacements): void {
    let last: readonly number[] = [];
    for (const [value, source] of this.#sources) {
      if (source.kind === 'contents') source.contents = this.factOf(value).contents as TensorValue;
      if (source.kind !== 'memory') continue;
      const { dims } = this.trace.values.get(value) as TracedValue;
      const now = this.#read(dims);
      if (!sameItems(now, last)) last = Object.freeze(now);
      source.dims = last;
    }
    for (const [i, slot] of (this.stage.slots as readonly Mutable<SlotUse>[]).entries())
      slot.fresh = this.#values[this.trace.fresh[i] as number] as number;
    for (const node of this.trace.nodes) {
      if (!node.moves || again.includes(node)) continue;
      for (const { guard, dims, sizes } of node.moves.checks) this.#check(guard, this.#read(dims), this.#read(sizes));
    }
    for (const [guard, { source, sizes, complaint }] of guards) {
      this.#check(guard, source.dims, sizes);
      (guard as Mutable<Guard>).complaint = complaint;
    }
  }

  #check(guard: Mutable<Guard>, dims: readonly number[], sizes: readonly number[]): void {
    guard.sizes = sizes;
    guard.source = { ...guard.source, dims };
  }
}

/** The symbols and guards of a trace. */
export function explanationOf({ symbols, guards, nodes, numeric }: Trace): PlanExplanation {
  const conditions = (all: readonly TracedGuard[], node: string | null) =>
    all.map(({ text }): PlanGuard => ({ condition: text(), node }));
  const all = [
    ...conditions(guards, null),
    ...nodes.flatMap(({ lowered, moves }) => conditions(moves?.guards ?? [], lowered.node.name)),
  ];
  const repeated = [
    ...numeric.map(({ finding }) => finding.node.name),
    ...nodes.flatMap(({ lowered, moves }) => (moves ? [] : [lowered.node.name])),
  ];
  const known = new Map(all.map((guard) => [`${guard.node} ${guard.condition}`, guard]));
  return { sizes: Object.fromEntries(symbols), guards: [...known.values()], repeated: [...new Set(repeated)] };
}
