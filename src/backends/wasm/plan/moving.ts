import { account } from '../../../account.js';
import { NodeView } from '../../../analysis/node-view.js';
import type { Fact, Facts } from '../../../graph/facts.js';
import type { Graph, Value } from '../../../graph/graph.js';
import { type TensorType, tensorType, type ValueType } from '../../../graph/types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { bytesOf } from '../../../tensor/stored-rows.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../../tensor/tensor-value.js';
import type { PlanExplanation, PlanGuard } from '../../plan-explanation.js';
import type { Moving, PlanningContext } from './context.js';
import { sameItems } from './facts-alike.js';
import { type AnyPlace, bytesIn, type Table } from './places.js';
import { freeProgram, tilesOf } from './program.js';
import { lowerAgain, replayed, sameOutcome } from './revise.js';
import { type Replacements, reviseProgram, rewrite } from './revise-program.js';
import { Revision } from './revision.js';
import { type Finding, foldNode, outcomeOf } from './specialize.js';
import type { BaseStage, Guard, ProgramSegment, Resident, SlotUse, Stage } from './stage.js';
import {
  type MovingWord,
  type NodeMoves,
  type NumericFinding,
  type Trace,
  type TracedGuard,
  type TracedNode,
  type TracedValue,
  traceStage,
} from './trace.js';
import { Weights } from './weights.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The limit in bytes on contents kept for sizes that may recur. */
const MOST_KEPT_BYTES = 1 << 20;

const holds = ({ kind, a, b }: TracedGuard, values: readonly number[]): boolean => {
  const [x, y] = [values[a] as number, values[b] as number];
  return kind === 'at most' ? x <= y : kind === 'equal' ? x === y : x !== y;
};

/** Traces `base` and copies its program, whose words are rewritten for other sizes. */
export function beginMoving(context: PlanningContext, graph: Graph, base: BaseStage): Moving | undefined {
  const trace = traceStage(context, base);
  return trace && new MovingStage(context, graph, base, trace);
}

/** The sizes that a stage serves; null if it cannot be moved. */
export function explainStage(context: PlanningContext, base: BaseStage): PlanExplanation | null {
  const trace = traceStage(context, base);
  if (!trace) return null;
  const { symbols, guards, nodes, numeric } = trace;
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

class MovingStage implements Moving {
  readonly stage: Stage;
  /** Positions of the traced inputs among those of the graph. */
  readonly #positions: readonly number[];
  readonly #values: number[];
  /** The input sizes that the program currently serves. */
  #at: readonly number[];
  readonly #dataGuards = new Map<Guard, Mutable<Guard>>();
  readonly #segments: readonly Mutable<ProgramSegment>[];
  readonly #outputs: readonly { readonly dims: readonly number[]; readonly source: Mutable<Resident> }[];
  readonly #slots: readonly Mutable<SlotUse>[];
  /** Nodes whose current launches are not those of the trace. */
  #lowered: readonly TracedNode[] = [];
  readonly #words: readonly MovingWord[];
  /** Words that hold addresses, and their current offsets in buffers. */
  readonly #pointers: readonly { readonly word: number; readonly slot: number; offset: number }[];
  /** Contents that are stored in tables of the program. */
  readonly #tables: readonly { readonly value: Value; readonly table: Table }[];
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
    graph: Graph,
    readonly base: BaseStage,
    private readonly trace: Trace,
  ) {
    const { engine, arena } = context;
    this.#values = trace.tape.values;
    this.#facts = base.origin.start.facts.fork();
    this.#positions = trace.inputs.map(({ value }) => graph.inputs.indexOf(value));
    this.#at = trace.inputs.flatMap(({ dims }) =>
      dims.map((dim) => ('size' in dim ? dim.size : (this.#values[dim.slot] as number))),
    );
    for (const found of trace.numeric) {
      this.#lastReads.set(
        found,
        found.reads.map((slot) => this.#values[slot] as number),
      );
      for (const value of found.finding.node.outputs) {
        const contents = value && base.origin.start.facts.get(value)?.contents;
        if (contents) this.#made.set(value, contents);
      }
    }
    const own = new Weights(engine);
    const program = reviseProgram(engine, arena, base.program, { launches: new Map(), tables: new Map() }, own);
    const segments = base.segments.map((segment) => ({ ...segment }));
    this.#segments = segments.filter((segment) => segment.kind === 'program');
    const outputs = base.outputs.map((output) => ({ ...output, source: { ...output.source } }));
    this.#outputs = outputs.flatMap(({ value, source }) => {
      const traced = trace.values.get(value);
      return traced && source.kind === 'memory' ? [{ dims: traced.dims, source }] : [];
    });
    const guards = base.guards.map((guard): Mutable<Guard> => {
      const made = { ...guard, source: { ...guard.source } };
      this.#dataGuards.set(guard, made);
      return made;
    });
    this.#slots = base.slots.map((slot) => ({ ...slot }));
    const moves = trace.nodes.flatMap((node) => node.moves ?? []);
    this.#words = moves.flatMap(({ words }) => words);
    this.#pointers = moves.flatMap(({ pointers }) =>
      pointers.map(({ word, slot }) => ({ word, slot, offset: this.#values[slot] as number })),
    );
    this.#tables = [...trace.values].flatMap(([value, { contents }]) => {
      const place = base.values.get(value) as AnyPlace | number | undefined;
      return contents && typeof place === 'object' && place.kind === 'table' ? [{ value, table: place }] : [];
    });
    // For the current sizes, because profiles read facts after the stage has been moved again.
    const factsNow = () => replayed(base, this.#types());
    this.stage = {
      ...base,
      segments,
      outputs,
      guards,
      slots: this.#slots,
      program,
      contentsBytes: 0,
      origin: {
        kind: 'revised',
        base,
        get facts() {
          return factsNow();
        },
      },
    };
  }

  release(): void {
    const { engine, arena } = this.context;
    freeProgram(engine, arena, this.stage.program);
    this.stage.program.constants.release();
  }

  moveTo(inputs: readonly (HostValue | undefined)[]): boolean {
    const at = this.#bind(inputs);
    if (!at) return false;
    if (sameItems(at, this.#at)) return true;
    if (account()) return false;
    try {
      return this.#compute() && this.#move(at);
    } catch {
      // Planning these sizes from the graph reports the error.
      return false;
    }
  }

  #types(): ReadonlyMap<Value, ValueType> {
    let size = 0;
    return new Map(
      this.trace.inputs.map(({ value, element, dims }) => [
        value,
        tensorType(
          element,
          dims.map(() => this.#at[size++] as number),
        ),
      ]),
    );
  }

  /** Binds symbols to the sizes of the inputs; undefined if a fixed size differs, or a symbol would have two values. */
  #bind(inputs: readonly (HostValue | undefined)[]): number[] | undefined {
    const { inputs: traced } = this.trace;
    const at: number[] = [];
    const bound = new Set<number>();
    for (let i = 0; i < traced.length; i++) {
      const { element, dims } = traced[i] as Trace['inputs'][number];
      const input = inputs[this.#positions[i] as number];
      if (!isTensorValue(input) || input.type !== element || input.dims.length !== dims.length) return undefined;
      for (let axis = 0; axis < dims.length; axis++) {
        const dim = dims[axis] as (typeof dims)[number];
        const size = input.dims[axis] as number;
        if ('size' in dim ? size !== dim.size : size < 2) return undefined;
        if ('slot' in dim) {
          if (bound.has(dim.slot) && this.#values[dim.slot] !== size) return undefined;
          this.#values[dim.slot] = size;
          bound.add(dim.slot);
        }
        at.push(size);
      }
    }
    return at;
  }

  /** Computes all sizes; returns whether the guards of the stage hold. */
  #compute(): boolean {
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
    const now = reads.map((slot) => this.#values[slot] as number);
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
    for (const value of operands) if (this.trace.values.has(value)) facts.set(value, this.#factOf(value));
    const types = isInferred ? node.outputs.map((value) => value && this.#typeOf(value)) : undefined;
    const isSame = outcome.kind === 'folded' ? foldNode(new NodeView(node, facts), types) : this.#isSame(finding);
    if (!isSame) return undefined;
    const outputs = outcome.kind === 'parts' ? [] : node.outputs.filter((value) => value !== null);
    return outputs.map((value) => [value, facts.get(value) as Fact]);
  }

  /** Caches facts, because sizes recur, as in each conversation with a language model. */
  #keep(key: string, facts: [Value, Fact][]): void {
    if (this.#kept.has(key)) return;
    this.#keptBytes += 64 + facts.reduce((sum, [, { contents }]) => sum + 8 * (contents?.data.length ?? 0), 0);
    if (this.#keptBytes <= MOST_KEPT_BYTES) this.#kept.set(key, facts);
  }

  /** Whether a node has the same outcome as in the base, including the constants of its decomposition. */
  #isSame({ node, operands, outcome }: Finding): boolean {
    const { start } = this.base.origin;
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
    return tensorType(
      element,
      dims.map((slot) => this.#values[slot] as number),
    );
  }

  /** The fact about a value at the current sizes. */
  #factOf(value: Value): Fact {
    const { element, contents } = this.trace.values.get(value) as TracedValue;
    const type = this.#typeOf(value);
    if (!contents) return { type };
    if (contents === 'made') return { type, contents: this.#made.get(value) };
    const numbers = contents.map((slot) => this.#values[slot] as number);
    return { type, contents: tensorOf(element, type.dims as readonly number[], numbers) };
  }

  /** Computes all changes, then writes them. */
  #move(at: readonly number[]): boolean {
    const tables: [Table, ArrayBufferView][] = [];
    const again: TracedNode[] = [];
    for (const node of this.trace.nodes) if (!node.moves || !this.#makeTables(node.moves, tables)) again.push(node);
    const lowered = this.#makeContents(tables) ? this.#lowerByNumbers(again) : undefined;
    if (!lowered) return false;
    for (const node of this.#lowered) if (!again.includes(node)) this.#restore(node);
    this.#write(tables, lowered);
    this.#lowered = again;
    this.#at = at;
    this.#show(again);
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
      const data = this.#factOf(value).contents?.data as ArrayBufferView;
      if (data.byteLength > table.capacity) return false;
      made.push([table, data]);
    }
    return true;
  }

  #lowerByNumbers(nodes: Trace['nodes']): Replacements | undefined {
    const none = { launches: new Map(), tables: new Map(), guards: new Map<Guard, Guard>() };
    if (nodes.length === 0) return none;
    const { base, context } = this;
    const { start, host } = base.origin;
    const revision = new Revision(context, base.program.constants, base, start.facts.fork());
    for (const { lowered } of nodes)
      for (const value of [...lowered.operands, ...lowered.node.outputs])
        if (value && this.trace.values.has(value)) revision.learn(value, this.#factOf(value));
    for (const { lowered } of nodes) {
      const now = lowerAgain(revision, lowered, host);
      if (!revision.isWhole(now) || !now.isInPlace) return undefined;
    }
    for (const [before, now] of revision.guards) Object.assign(this.#dataGuards.get(before) as object, now);
    return revision;
  }

  #write(tables: readonly [Table, ArrayBufferView][], lowered: Replacements): void {
    const { engine, arena } = this.context;
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
    rewrite(engine, arena, program, lowered);
    for (const [table, data] of tables) u8.set(bytesOf(data as Uint8Array), program.address + table.offset);
    for (const segment of this.#segments) segment.tiles = tilesOf(engine, program, segment.begin, segment.end);
  }

  /** Writes the launches of a node as planned, because it has been lowered differently since. */
  #restore({ lowered }: TracedNode): void {
    const { engine, arena } = this.context;
    const launches = new Map(
      lowered.steps.flatMap((step, i) =>
        'kernel' in step
          ? [[lowered.firstLaunch + i, { params: step.params, tiles: step.tiles, keepsPointers: true }] as const]
          : [],
      ),
    );
    const tables = new Map(lowered.tables.map((table) => [table.number, table]));
    rewrite(engine, arena, this.stage.program, { launches, tables });
  }

  /** Updates outputs, caches and data checks to the current sizes. */
  #show(again: readonly TracedNode[]): void {
    const values = this.#values;
    let last: readonly number[] = [];
    for (const { dims, source } of this.#outputs) {
      const now = dims.map((slot) => values[slot] as number);
      if (!sameItems(now, last)) last = Object.freeze(now);
      source.dims = last;
    }
    this.#slots.forEach((slot, i) => {
      slot.fresh = values[this.trace.fresh[i] as number] as number;
    });
    for (const node of this.trace.nodes) {
      if (!node.moves || again.includes(node)) continue;
      for (const { guard, dims, sizes } of node.moves.checks) {
        const made = this.#dataGuards.get(guard) as Mutable<Guard>;
        made.complaint = guard.complaint;
        made.sizes = sizes.map((slot) => values[slot] as number);
        made.source = { ...guard.source, dims: dims.map((slot) => values[slot] as number) };
      }
    }
  }
}
