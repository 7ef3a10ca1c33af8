import type { Engine } from '../../../../bindings/engine.js';
import { pointersIn } from '../../../../bindings/parameters.js';
import type { Place, Pointer } from '../../../../bindings/place.js';
import { account } from '../../../account.js';
import { EVERYTHING } from '../../../analysis/node-view.js';
import type { Facts } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { byteLength } from '../../../tensor/element-types.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { sameType } from './equality.js';
import type { PlannedLaunch, Takeover } from './launch.js';
import {
  type Buffer,
  buffer,
  bufferOf,
  bytesIn,
  type Contents,
  fixed,
  inTable,
  NEVER,
  rootOf,
  type Table,
  table,
} from './places.js';
import type { Guard, HostCall, Lowered, Stage } from './stage.js';
import type { Weights } from './weights.js';

/** The target of lowering. */
export interface Draft {
  readonly engine: Engine;
  /** The session's constants, and those that belong to this plan alone. */
  readonly weights: Weights;
  readonly own: Weights;
  /** The place of `value`: in the arena, among the weights, or in a table of this program. */
  placeOf(value: Value, facts: Facts): Pointer;
  temporary(bytes: Size): Place;
  table(contents: Contents): Table;
  /** Makes `output` a view of `place`; nothing runs. */
  alias(output: Value, place: Pointer): void;
  guard(guard: Guard): void;
  launch(launch: Proposal): void;
  call(call: HostCall): void;
}

/** A launch, the places it writes, and the pairs [written, read] that may share memory. */
export type Proposal = Pick<PlannedLaunch, 'kernel' | 'params' | 'phase' | 'node'> & {
  readonly tiles: Size;
  readonly writes: readonly Pointer[];
  readonly inPlace: readonly (readonly [Pointer, Pointer])[];
};

/**
 * Capacity for a buffer or table that varies. Its room to grow is a kilobyte, three times its size up to 4 MiB, or a
 * quarter of its size, whichever is most.
 */
const roomy = (bytes: number) => bytes + Math.max(1024, Math.min(3 * bytes, 4 << 20), Math.ceil(bytes / 4));

/** The first lowering of a stage, which determines its buffers and their lifetimes. */
export class StageDraft implements Draft {
  readonly places = new Map<Value, Pointer>();
  readonly buffers = new Set<Buffer>();
  readonly tables: Table[] = [];
  readonly guards: Guard[] = [];
  readonly steps: (PlannedLaunch | HostCall)[] = [];
  readonly lowered: Lowered[] = [];
  readonly #varying = new Set<Value>();
  #launches = 0;
  #tableBytes = 0;
  #current: Lowered | undefined;
  /** Whether operands or results of the current node vary. */
  #varies = false;

  constructor(
    readonly engine: Engine,
    readonly weights: Weights,
    readonly own: Weights,
    /** Position of the last node that reads a value; Infinity for values that outlive the stage. */
    readonly lastUse: ReadonlyMap<Value, number>,
    /** The stage that was planned before, for other sizes: buffers whose size has varied get room to grow. */
    private readonly before?: Stage,
  ) {}

  /** Gives these values room to grow, unless it is already known which values vary. */
  expect(values: readonly Value[]): void {
    if (!this.before) for (const value of values) this.#varying.add(value);
  }

  begin(node: Node, operands: readonly Value[], facts: Facts): void {
    const firstLaunch = this.#launches;
    this.#current = {
      node,
      operands,
      firstLaunch,
      looked: EVERYTHING,
      steps: [],
      temporaries: [],
      tables: [],
      guards: [],
    };
    this.lowered.push(this.#current);
    this.#varies = [...operands, ...node.outputs].some((value) => value && this.#hasVaried(value, facts));
    // Decomposition makes new values each time, which no earlier stage knows.
    const earlier = this.#varies ? this.before?.blueprint.start.facts : undefined;
    for (const value of node.outputs) if (value && earlier?.has(value) === false) this.#varying.add(value);
  }

  /** Ends the current node; `looked` is the bit mask of inputs whose contents it depends on. */
  end(looked: number): void {
    (this.#current as Lowered).looked = looked;
  }

  placeOf(value: Value, facts: Facts): Pointer {
    const known = this.places.get(value);
    if (known !== undefined) return known;
    const place = this.#newPlace(value, facts);
    this.places.set(value, place);
    return place;
  }

  #newPlace(value: Value, facts: Facts): Pointer {
    const { contents } = facts.get(value) ?? {};
    const varies = this.#hasVaried(value, facts);
    if (contents && value.constant === contents)
      return fixed(weightsFor(this, contents).plain(this.#current?.node, contents));
    if (contents) return this.#addTable(contents.data as ArrayBufferView, varies);
    const bytes = bytesOf(value, facts);
    return buffer(bytes, this.lastUse.get(value), varies ? roomy(bytes) : bytes);
  }

  /** Whether a value differs from the earlier stage in size, or is folded now and was unknown before. */
  #hasVaried(value: Value, facts: Facts): boolean {
    if (this.#varying.has(value)) return true;
    const { movable, blueprint } = this.before ?? {};
    if (!blueprint) return false;
    if (movable?.varies(value)) return true;
    const [earlier, now] = [blueprint.start.facts.get(value), facts.get(value)];
    return earlier && now ? !sameType(earlier.type, now.type) : now?.contents !== undefined;
  }

  temporary(size: Size): Buffer {
    const bytes = size as number;
    const made = buffer(bytes, NEVER, this.#varies ? roomy(bytes) : bytes);
    this.#current?.temporaries.push(made);
    return made;
  }

  table(contents: Contents): Table {
    const made = this.#addTable(contents, this.#varies);
    this.#current?.tables.push(made);
    return made;
  }

  #addTable(contents: Contents, varies: boolean): Table {
    const found = inTable(contents);
    const bytes = bytesIn(found.words);
    const made = table(found, varies ? roomy(bytes) : bytes);
    this.#tableBytes += made.capacity;
    account()?.demandAlone(this.#tableBytes, 'tables of the plan');
    this.tables.push(made);
    return made;
  }

  alias(output: Value, place: Pointer): void {
    this.places.set(output, place);
    const root = bufferOf(place);
    if (root) root.until = Math.max(root.until, this.lastUse.get(output) ?? NEVER);
  }

  guard(guard: Guard): void {
    const root = bufferOf(guard.source.place);
    if (root) root.until = Number.POSITIVE_INFINITY;
    this.guards.push(guard);
    this.#current?.guards.push(guard);
  }

  launch(proposal: Proposal): void {
    const { kernel, params, tiles, phase, node, inPlace } = proposal;
    const read = readsOf(proposal);
    const takeover = this.#takeOver(inPlace, buffersOf(read));
    const [reads, writes] = [buffersOf(read), buffersOf(proposal.writes)];
    this.touch(reads);
    this.touch(writes);
    this.#launches++;
    this.#add({
      kernel,
      params,
      tiles: tiles as number,
      phase,
      node,
      reads,
      writes,
      takeover,
      position: this.steps.length + 1,
    });
  }

  call(call: HostCall): void {
    this.touch(pointersOf(call));
    this.#add(call);
  }

  #add(step: PlannedLaunch | HostCall): void {
    this.steps.push(step);
    this.#current?.steps.push(step);
  }

  /** Marks every buffer behind `pointers` as used by the next step. */
  touch(pointers: readonly Pointer[]): void {
    const now = this.steps.length + 1;
    for (const pointer of pointers) {
      const root = bufferOf(pointer);
      if (!root) continue;
      if (root.first < 0) root.first = now;
      root.last = Math.max(root.last, now);
      this.keep(root);
    }
  }

  /** Adds a buffer to the arena, unless it is a slot. */
  keep(buffer: Buffer): void {
    if (!buffer.slot) this.buffers.add(buffer);
  }

  /** Lets a new output take over an input's memory if this launch is the input's last use. */
  #takeOver(inPlace: Proposal['inPlace'], reads: readonly Buffer[]): Takeover | null {
    const position = this.lowered.length - 1;
    for (const [written, read] of inPlace) {
      const target = rootOf(written);
      const source = rootOf(read);
      const fresh = target && target.buffer.first < 0 && target.offset === 0 && !target.buffer.within;
      if (!fresh || !source || source.buffer === target.buffer || source.offset !== 0) continue;
      if (!isAsLarge(source.buffer, target.buffer) || source.buffer.until > position) continue;
      if (!isReadInStep(source.buffer, inPlace, reads)) continue;
      source.buffer.until = target.buffer.until;
      target.buffer.within = { buffer: source.buffer, offset: 0 };
      return { target: target.buffer, source: source.buffer };
    }
    return null;
  }
}

const isAsLarge = (a: Buffer, b: Buffer) => a.bytes === b.bytes && a.capacity === b.capacity;

/** The buffers of the arena behind pointers. */
export function buffersOf(pointers: readonly Pointer[]): Buffer[] {
  const buffers: Buffer[] = [];
  for (const pointer of pointers) {
    const found = bufferOf(pointer);
    if (found) buffers.push(found);
  }
  return buffers;
}

/** Whether a launch reads `source` only in step with its writes. */
export function isReadInStep(source: Buffer, inPlace: Proposal['inPlace'], reads: readonly Buffer[]): boolean {
  const all = reads.filter((buffer) => buffer === source).length;
  return all <= inPlace.filter(([, read]) => bufferOf(read) === source).length;
}

export const weightsFor = ({ weights, own }: Draft, constant: TensorValue): Weights =>
  weights.has(constant) ? weights : own;

/** The places in linear memory that a host call reads and writes. */
export function pointersOf({ inputs, captured, outputs }: HostCall): Pointer[] {
  const sources = [...inputs, ...captured.map(({ source }) => source), ...outputs];
  return sources.flatMap((source) => (source?.kind === 'memory' ? [source.place] : []));
}

/** Size of a tensor in bytes, by the fact about it. */
export function bytesOf(value: Value, facts: Facts): number {
  const type = facts.get(value)?.type;
  if (type?.kind !== 'tensor') throw new Error(`"${value.name}" is not a tensor`);
  return byteLength(type.element, elementCount(type.dims as number[]));
}

/** The places that a launch reads: all in its parameter block that it does not write. */
export const readsOf = (proposal: Proposal): Pointer[] =>
  pointersOfLaunch(proposal).filter((pointer) => !proposal.writes.includes(pointer));

/** The places in a launch's parameter block, and in the tables that it names. */
function pointersOfLaunch({ kernel, params }: Proposal): Pointer[] {
  const pointers = pointersIn(kernel, params as never);
  for (const pointer of [...pointers]) {
    if (typeof pointer === 'number' || pointer.kind !== 'table') continue;
    const { words } = pointer as Table;
    if (Array.isArray(words)) for (const word of words) if (typeof word === 'object') pointers.push(word);
  }
  return pointers;
}
