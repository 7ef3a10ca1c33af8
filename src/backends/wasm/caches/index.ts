// Outputs that stay in linear memory, since they are likely to be fed again: loaded with the models that have such.
import type { Engine } from '../../../../bindings/engine.js';
import { SardonyxError } from '../../../base/errors.js';
import type { Graph, Node, Value } from '../../../graph/graph.js';
import type { HostValue, TensorValue } from '../../../tensor/tensor-value.js';
import type { StageDraft } from '../plan/draft.js';
import { bufferOf } from '../plan/places.js';
import type { SlotUse, Source, Stage, StageStart } from '../plan/stage.js';
import type { Cache } from './cache.js';
import { Caches } from './caches.js';
import { findCaches } from './find-caches.js';
import { extentOf, placeSlot, slotBuffer } from './slots.js';
import { rowsAfter, type Steady, steadyOf } from './steady.js';

/** Rows that caches have room for where nobody says more. */
const LEAST_ROWS = 64;

/** A mask that is longer than the caches and what is new would leave rows between them that nobody has written. */
function checkRows(rows: number, { dims }: TensorValue, { fresh, past }: SlotUse): void {
  const before = dims.at(-2) as number;
  if (rows === before + fresh) return;
  throw new SardonyxError('INVALID_VALUE', `${before} rows and ${fresh} new ones are not the ${rows} of the mask`, {
    value: past.name,
  });
}

/** Caches that are said to have `room` rows, of which `rows` will be filled. */
interface Said {
  readonly room: number;
  readonly rows: number;
  /** What was fed. */
  readonly inputs: readonly (HostValue | undefined)[];
}

/** The caches of a session, as plans and runs see them. */
export class Caching {
  readonly #caches: Caches;
  #leastRows = LEAST_ROWS;
  readonly #steady = new WeakMap<Graph, Steady | null>();
  /** What the run that goes on has been told in place of its feeds. */
  #said: Said | null = null;
  readonly #roomyInputs: (HostValue | undefined)[] = [];
  readonly #largerPasts: (TensorValue | undefined)[] = [];
  #mask: TensorValue<'int64'> | undefined;

  constructor(private readonly engine: Engine) {
    this.#caches = new Caches(engine);
  }

  /** Has caches begin with room for so many rows. */
  reserve(rows: number): void {
    this.#leastRows = Math.max(this.#leastRows, rows);
  }

  /**
   * Puts outputs that append rows to an input where each run says, with room for a power of two of rows: what has grown by one seldom
   * needs more.
   */
  placeSlots(draft: StageDraft, nodes: readonly Node[], start: StageStart): SlotUse[] {
    return findCaches(nodes, start, this.#said !== null).map(({ matrices, rows, ...use }, number) => {
      const pitch = this.#roomFor(rows);
      const place = slotBuffer(matrices * pitch * use.rowBytes, { number, pitch });
      draft.places.set(use.past, place);
      draft.places.set(use.present, place);
      return { ...use, pitch, cache: null };
    });
  }

  #roomFor(rows: number): number {
    if (this.#said) return this.#said.room;
    return rows <= this.#leastRows ? this.#leastRows : 2 ** Math.ceil(Math.log2(rows));
  }

  /** The inputs as plans are made for them: of a graph that lets them, caches have all the rows that there is room for. */
  steadied(graph: Graph, inputs: readonly (HostValue | undefined)[]): readonly (HostValue | undefined)[] {
    this.#said = null;
    const steady = this.#steadyOf(graph);
    const rows = steady ? rowsAfter(steady, inputs) : undefined;
    if (!steady || rows === undefined) return inputs;
    // One more, so that a prompt is never taken for all that there is room for.
    this.#said = { room: this.#roomFor(rows + 1), rows, inputs };
    return this.#roomy(steady, inputs, this.#said.room);
  }

  /** Whether a stage has found all caches that it was told to be larger than they are. */
  isSteady(graph: Graph, { slots }: Stage): boolean {
    return this.#said === null || slots.length === this.#steadyOf(graph)?.pasts.length;
  }

  /** From now on a graph's caches are what they are. */
  unsteady(graph: Graph): void {
    this.#steady.set(graph, null);
  }

  #steadyOf(graph: Graph): Steady | null {
    const known = this.#steady.get(graph);
    if (known !== undefined) return known;
    const found = steadyOf(graph);
    this.#steady.set(graph, found);
    return found;
  }

  #roomy({ pasts, mask }: Steady, inputs: readonly (HostValue | undefined)[], room: number) {
    const known = this.#roomyInputs;
    for (let i = 0; i < inputs.length; i++) known[i] = inputs[i];
    for (const i of pasts) known[i] = this.#larger(i, inputs[i] as TensorValue, room);
    known[mask] = this.#padded(inputs[mask] as TensorValue, room);
    known.length = inputs.length;
    return known;
  }

  /** Dims alone: the data are those of the slot. */
  #larger(i: number, { type, dims }: TensorValue, room: number): TensorValue {
    const last = this.#largerPasts[i];
    if (last?.type === type && last.dims[1] === dims[1] && last.dims[2] === room && last.dims[3] === dims[3])
      return last;
    const made = { type, dims: dims.with(2, room), data: [] } as unknown as TensorValue;
    this.#largerPasts[i] = made;
    return made;
  }

  /** Keys that are not there yet are hidden. */
  #padded({ data }: TensorValue, room: number): TensorValue {
    if (this.#mask?.dims[1] !== room)
      this.#mask = { type: 'int64', dims: [1, room], data: new BigInt64Array(room) } as TensorValue<'int64'>;
    const padded = this.#mask.data;
    padded.fill(0n);
    padded.set(data as BigInt64Array);
    return this.#mask;
  }

  /** Finds or makes the memory that each slot is in this run. */
  fill({ slots, program }: Stage, graph: Graph, frame: ReadonlyMap<Value, HostValue>): void {
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as SlotUse;
      const fed = (this.#said?.inputs[graph.inputs.indexOf(slot.past)] ?? frame.get(slot.past)) as TensorValue;
      if (this.#said) checkRows(this.#said.rows, fed, slot);
      slot.cache = this.#caches.take(slot.present.name, fed, extentOf(fed, slot));
      placeSlot(this.engine, program, i, this.#caches.addressOf(slot.cache));
    }
  }

  /** An output that is a slot; undefined for others. */
  show({ slots }: Stage, source: Source): TensorValue | undefined {
    const slot = source.kind === 'memory' ? bufferOf(source.place)?.slot : undefined;
    if (!slot || source.kind !== 'memory') return undefined;
    const { type, dims } = source;
    const shown = this.#said ? dims.with(-2, this.#said.rows) : dims;
    return this.#caches.show((slots[slot.number] as SlotUse).cache as Cache, { type, dims: shown });
  }

  /** Moves what tensors still show to the host. */
  release(): void {
    this.#caches.release();
  }
}
