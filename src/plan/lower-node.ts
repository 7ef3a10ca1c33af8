import type { Engine } from '../../bindings/engine.js';
import { type KernelName, pointersIn } from '../../bindings/parameters.js';
import type { Place, Pointer } from '../../bindings/place.js';
import type { KernelParams } from '../../build/kernels.js';
import { account } from '../account.js';
import type { Effects, Lowering, Made } from '../backends/wasm/lowering.js';
import type { Facts } from '../graph/facts.js';
import type { Node, Value } from '../graph/graph.js';
import { NodeView } from '../ops/node-view.js';
import { byteLength, type ElementType } from '../tensor/element-types.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import type { Launch } from './launch.js';
import { type Buffer, buffer, fixed, NEVER, rootOf, shifted, type Table, table } from './places.js';
import type { Guard, HostCall } from './stage.js';
import type { Weights } from './weights.js';

/** What the lowering of one stage collects, in order. */
export interface Draft {
  readonly engine: Engine;
  /** The session's constants, and those that only this plan has. */
  readonly weights: Weights;
  readonly own: Weights;
  readonly places: Map<Value, Pointer>;
  readonly buffers: Set<Buffer>;
  readonly tables: Table[];
  tableBytes: number;
  readonly guards: Guard[];
  readonly steps: (Launch | HostCall)[];
  /** Position of the last node that reads a value; values that outlive the stage are read at Infinity. */
  readonly lastUse: ReadonlyMap<Value, number>;
  /** The node that is being lowered, and its position. */
  node: Node | undefined;
  position: number;
}

/** Marks every buffer behind `pointers` as used by the step that is emitted next. */
export function touch(draft: Draft, pointers: readonly Pointer[]): void {
  const now = draft.steps.length + 1;
  for (const pointer of pointers) {
    const root = rootOf(pointer)?.buffer;
    if (!root) continue;
    if (root.first < 0) root.first = now;
    root.last = Math.max(root.last, now);
    draft.buffers.add(root);
  }
}

/** Where `value` lies: in the arena, among the weights, or in a table of this program. */
export function placeOf(draft: Draft, facts: Facts, value: Value): Pointer {
  const known = draft.places.get(value);
  if (known !== undefined) return known;
  const fact = facts.get(value);
  if (fact?.type.kind !== 'tensor') throw new Error(`"${value.name}" is not a tensor`);
  const place = fact.contents
    ? value.constant === fact.contents
      ? fixed(weightsFor(draft, fact.contents).plain(draft.node, fact.contents))
      : tableOf(draft, fact.contents.data as ArrayBufferView)
    : buffer(byteLength(fact.type.element, elementCount(fact.type.dims as number[])), draft.lastUse.get(value));
  draft.places.set(value, place);
  return place;
}

/** The pointers, and those that lie in the tables among them. */
function withTables(pointers: readonly Pointer[]): Pointer[] {
  const all = [...pointers];
  for (const pointer of pointers) {
    if (typeof pointer === 'number' || pointer.kind !== 'table') continue;
    const { words } = pointer as Table;
    if (Array.isArray(words)) for (const word of words) if (typeof word === 'object') all.push(word);
  }
  return all;
}

const weightsFor = ({ weights, own }: Draft, constant: TensorValue) => (weights.has(constant) ? weights : own);

function tableOf(draft: Draft, words: Table['words']): Table {
  const made = table(words);
  draft.tableBytes += ArrayBuffer.isView(words) ? words.byteLength : words.length * 4;
  account()?.demandAlone(draft.tableBytes, 'tables of the plan');
  draft.tables.push(made);
  return made;
}

/** A node whose shapes are numbers, with the means to emit launches. */
export class LoweringView extends NodeView implements Lowering<Record<string, unknown>> {
  constructor(
    node: Node,
    facts: Facts,
    private readonly draft: Draft,
  ) {
    super(node, facts);
  }

  get engine(): Engine {
    return this.draft.engine;
  }

  shape(i: number): readonly number[] {
    return this.dims(i) as readonly number[];
  }

  outputShape(i: number): readonly number[] {
    return this.#outputType(i).dims as readonly number[];
  }

  outputElement(i: number): ElementType {
    return this.#outputType(i).element;
  }

  input(i: number): Place {
    this.element(i);
    return placeOf(this.draft, this.facts, this.operand(i)) as Place;
  }

  output(i: number): Place {
    return placeOf(this.draft, this.facts, this.#outputValue(i)) as Place;
  }

  temporary(bytes: number): Place {
    return buffer(bytes);
  }

  at(place: Place, bytes: number): Place {
    return shifted(place, bytes);
  }

  table(words: Table['words']): Place {
    return tableOf(this.draft, words);
  }

  packed(i: number, form: string, bytes: number, pack: (source: number, target: number) => void): Place {
    const constant = this.contents(i) ?? this.fail('INVALID_GRAPH', `input ${i} is not constant`);
    return fixed(weightsFor(this.draft, constant).packed(this.node, constant, form, bytes, pack));
  }

  made<F>(source: object, form: string, make: () => Made<F>): { place: Place; facts: F } {
    const { address, facts } = this.draft.weights.made(source, form, make);
    return { place: fixed(address), facts };
  }

  guard(i: number, complaint: (data: TensorValue) => string): Place {
    const word = tableOf(this.draft, Int32Array.of(0));
    const place = this.input(i);
    const root = rootOf(place)?.buffer;
    if (root) root.until = Number.POSITIVE_INFINITY;
    const source = { kind: 'memory', type: this.element(i), dims: this.shape(i), place } as const;
    this.draft.guards.push({ word, node: this.node, source, complaint });
    return word;
  }

  choose<T>(name: string, decide: () => T): T {
    return this.draft.weights.choose(this.node, name, decide);
  }

  alias(i: number, j: number, bytes = 0): void {
    const output = this.node.outputs[i];
    if (!output) return;
    const place = shifted(this.input(j), bytes);
    this.draft.places.set(output, place);
    const root = rootOf(place)?.buffer;
    if (root) root.until = Math.max(root.until, this.draft.lastUse.get(output) ?? NEVER);
  }

  launch<K extends KernelName>(kernel: K, params: KernelParams[K], tiles: number, effects: Effects): void {
    if (tiles <= 0) return;
    const pointers = withTables(pointersIn(kernel, params));
    this.#share(effects, pointers);
    touch(this.draft, pointers);
    const writes = effects.writes;
    const reads = pointers.filter((pointer) => !writes.includes(pointer as Place));
    const position = this.draft.steps.length + 1;
    this.draft.steps.push({ kernel, params, tiles, reads, writes, node: this.node, position });
  }

  /**
   * Lets a fresh output take over an input's memory where this launch is the input's last use and reads it nowhere but
   * in step with what it writes.
   */
  #share({ inPlace = [] }: Effects, pointers: readonly Pointer[]): void {
    for (const [written, read] of inPlace) {
      const target = rootOf(written);
      const source = rootOf(read);
      const fresh = target && target.buffer.first < 0 && target.offset === 0 && !target.buffer.within;
      if (!fresh || !source || source.buffer === target.buffer || source.offset !== 0) continue;
      if (source.buffer.bytes !== target.buffer.bytes || source.buffer.until > this.draft.position) continue;
      const reads = pointers.filter((pointer) => rootOf(pointer)?.buffer === source.buffer).length;
      if (reads > inPlace.filter((pair) => rootOf(pair[1])?.buffer === source.buffer).length) continue;
      source.buffer.until = target.buffer.until;
      target.buffer.within = { buffer: source.buffer, offset: 0 };
      return;
    }
  }

  #outputValue(i: number): Value {
    return this.node.outputs[i] ?? this.fail('INVALID_GRAPH', `its output ${i} is not there`);
  }

  #outputType(i: number) {
    const type = this.facts.get(this.#outputValue(i))?.type;
    if (type?.kind !== 'tensor') return this.fail('INVALID_TYPE', `output ${i} is not a tensor`);
    return type;
  }
}
