import { account } from '../../../account.js';
import { type Fact, type Facts, sizesOf } from '../../../graph/facts.js';
import type { Value } from '../../../graph/graph.js';
import { bytesOf } from '../../../tensor/stored-rows.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { PlanExplanation, PlanGuard } from '../../plan-explanation.js';
import type { PlanningContext } from './context.js';
import { CurrentFacts, holds } from './current-facts.js';
import { sameItems } from './equality.js';
import { type AnyPlace, bytesIn, type Table } from './places.js';
import { tilesOf } from './program.js';
import { lowerAgain, type Replacements, rewrite } from './relower.js';
import type { Given, GivenTensor, Guard, HostCall, Movable, Segment, SlotUse, Source, Stage } from './stage.js';
import { LEAST_SYMBOL } from './symbolic-facts.js';
import { traceStage } from './trace.js';
import type {
  Bound,
  MovingWord,
  NodeMoves,
  Trace,
  TracedGuard,
  TracedInput,
  TracedNode,
  TracedValue,
} from './traced.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

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
  readonly #now: CurrentFacts;
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
  constructor(
    private readonly context: PlanningContext,
    private readonly stage: Stage,
    private readonly trace: Trace,
  ) {
    const bound = trace.inputs.flatMap(boundsOf);
    this.#now = new CurrentFacts(stage, trace, bound);
    const { values } = this.#now;
    this.#at = bound.map((each) => ('size' in each ? each.size : (values[each.slot] as number)));
    const moves = trace.nodes.flatMap((node) => node.moves ?? []);
    this.#words = moves.flatMap(({ words }) => words);
    this.#pointers = moves.flatMap(({ pointers }) =>
      pointers.map(({ word, slot }) => ({ word, slot, offset: values[slot] as number })),
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
    const limits = account();
    const held = limits?.held ?? 0;
    const hasMoved = this.#attempt(at);
    if (!hasMoved) this.#now.compute(this.#at);
    // Contents replace those of the former sizes.
    limits?.hold(held - limits.held);
    return hasMoved;
  }

  factOf(value: Value): Fact {
    return this.#now.factOf(value);
  }

  #attempt(at: readonly number[]): boolean {
    try {
      return this.#now.compute(at) && this.#move(at);
    } catch {
      // Planning these sizes from the graph reports the error.
      return false;
    }
  }

  factsLater(): () => Facts {
    return this.#now.factsLater();
  }

  explain(): PlanExplanation {
    return explanationOf(this.trace);
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
    for (let i = 0; i < guards.length; i++) if (!holds(guards[i] as TracedGuard, this.#now.values)) return false;
    for (const { table, slots, make } of tables) {
      const words = make(slots.map((slot) => this.#now.values[slot] as number));
      if (!words || bytesIn(words) > table.capacity) return false;
      made.push([table, words]);
    }
    return true;
  }

  /** Makes contents that follow from sizes; false if a table has no room for them. */
  #makeContents(made: [Table, ArrayBufferView][]): boolean {
    for (const { value, table } of this.#tables) {
      const data = this.#now.factOf(value).contents?.data as ArrayBufferView;
      if (data.byteLength > table.capacity) return false;
      made.push([table, data]);
    }
    return true;
  }

  #lowerByNumbers(nodes: Trace['nodes']): Replacements {
    const facts = this.stage.blueprint.start.facts.fork();
    for (const { lowered } of nodes)
      for (const value of [...lowered.operands, ...lowered.node.outputs])
        if (value && this.varies(value)) facts.set(value, this.#now.factOf(value));
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
    const values = this.#now.values;
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
    for (const [table, data] of tables) u8.set(bytesOf(data as Uint8Array), program.address + table.offset);
    rewrite(engine, program, lowered);
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
      if (source.kind === 'contents') source.contents = this.#now.factOf(value).contents as TensorValue;
      if (source.kind !== 'memory') continue;
      const { dims } = this.trace.values.get(value) as TracedValue;
      const now = this.#now.read(dims);
      if (!sameItems(now, last)) last = Object.freeze(now);
      source.dims = last;
    }
    for (const [i, slot] of (this.stage.slots as readonly Mutable<SlotUse>[]).entries())
      slot.fresh = this.#now.values[this.trace.fresh[i] as number] as number;
    for (const node of this.trace.nodes) {
      if (!node.moves || again.includes(node)) continue;
      for (const { guard, dims, sizes } of node.moves.checks)
        this.#check(guard, this.#now.read(dims), this.#now.read(sizes));
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
