// Outputs that stay in linear memory, since they are likely to be fed again: loaded with the models that have such.
import type { Engine } from '../../../../bindings/engine.js';
import { SardonyxError } from '../../../base/errors.js';
import type { Graph, Node, Value } from '../../../graph/graph.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { storedDims } from '../../../tensor/stored-rows.js';
import type { HostValue, TensorValue } from '../../../tensor/tensor-value.js';
import { bytesOf, type StageDraft } from '../plan/draft.js';
import { bufferOf } from '../plan/places.js';
import type { Resident, SlotUse, Source, Stage, StageStart } from '../plan/stage.js';
import type { Cache } from './cache.js';
import { Caches } from './caches.js';
import { findCaches } from './find-caches.js';
import { extentOf, placeSlot, slotBuffer, wholeExtent } from './slots.js';
import { rowsAfter, type Steady, steadyOf, storedTypeOf } from './steady.js';
import { findWholeStates, type Pairs, pairsOf } from './whole-states.js';

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

/** What a plan is told of a cache in place of what was fed, and of which type and how many columns that was. */
interface Told {
  readonly fed: ElementType;
  readonly columns: number;
  readonly told: TensorValue;
}

const isLarger = (told: readonly number[], columns: number, dims: readonly number[], room: number): boolean =>
  told[0] === dims[0] && told[1] === dims[1] && told[2] === room && columns === dims[3];

/** The caches of a session, as plans and runs see them. */
export class Caching {
  readonly #caches: Caches;
  #leastRows = LEAST_ROWS;
  readonly #steady = new WeakMap<Graph, Steady | null>();
  /** What the run that goes on has been told in place of its feeds. */
  #said: Said | null = null;
  readonly #roomyInputs: (HostValue | undefined)[] = [];
  readonly #largerPasts: (Told | undefined)[] = [];
  #mask: TensorValue<'int64'> | undefined;

  readonly #pairs: Pairs;

  /** @param branched the graph, where its inputs choose branches: what one makes for others stays where it is, too */
  constructor(
    private readonly engine: Engine,
    branched?: Graph,
  ) {
    this.#caches = new Caches(engine);
    this.#pairs = branched ? pairsOf(branched) : new Map();
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
    const growing = findCaches(nodes, start, this.#said !== null).map(({ matrices, rows, ...use }, number): SlotUse => {
      const pitch = this.#roomFor(rows);
      const place = slotBuffer(matrices * pitch * use.rowBytes, { number, pitch });
      draft.places.set(use.past, place);
      draft.places.set(use.present, place);
      return { kind: 'grows', ...use, pitch, cache: null };
    });
    const used = new Set(growing.flatMap(({ past, present }) => [past, present]));
    const whole = findWholeStates(this.#pairs, nodes, start, used).map(({ placed, ...state }, i): SlotUse => {
      const bytes = bytesOf(placed, start.facts);
      draft.places.set(placed, slotBuffer(bytes, { number: growing.length + i }));
      return { ...state, rowBytes: 0, pitch: 0, added: placed, fresh: 0, cache: null };
    });
    return [...growing, ...whole];
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
    return (
      this.#said === null || slots.filter(({ kind }) => kind === 'grows').length === this.#steadyOf(graph)?.pasts.length
    );
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

  /** Type and dims alone, as the rows are stored: the data are those of the slot. */
  #larger(i: number, fed: TensorValue, room: number): TensorValue {
    const [last, type] = [this.#largerPasts[i], storedTypeOf(fed)];
    const { dims } = fed;
    if (last?.fed === fed.type && last.told.type === type && isLarger(last.told.dims, last.columns, dims, room))
      return last.told;
    const told = { type, dims: storedDims(dims.with(2, room), fed.type, type), data: [] } as unknown as TensorValue;
    this.#largerPasts[i] = { fed: fed.type, columns: dims[3] as number, told };
    return told;
  }

  /** Keys that are not there yet are hidden. */
  #padded({ dims, data }: TensorValue, room: number): TensorValue {
    const [batch, rows] = dims as [number, number];
    if (this.#mask?.dims[0] !== batch || this.#mask.dims[1] !== room)
      this.#mask = {
        type: 'int64',
        dims: [batch, room],
        data: new BigInt64Array(batch * room),
      } as TensorValue<'int64'>;
    const padded = this.#mask.data;
    padded.fill(0n);
    for (let i = 0; i < padded.length / room; i++)
      for (let j = 0; j < rows; j++) padded[i * room + j] = (data as BigInt64Array)[i * rows + j] as bigint;
    return this.#mask;
  }

  /** Finds or makes the memory that each slot is in this run. */
  fill(stage: Stage, graph: Graph, frame: ReadonlyMap<Value, HostValue>): void {
    const { slots, program } = stage;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as SlotUse;
      const fed = (this.#said?.inputs[graph.inputs.indexOf(slot.past)] ?? frame.get(slot.past)) as TensorValue;
      slot.cache = slot.kind === 'grows' ? this.#grown(slot, fed) : this.#whole(slot, fed, stage);
      if (slot.cache) placeSlot(this.engine, program, i, this.#caches.addressOf(slot.cache));
    }
  }

  #grown(slot: SlotUse, fed: TensorValue): Cache {
    if (this.#said) checkRows(this.#said.rows, fed, slot);
    const stored = this.#said ? storedTypeOf(fed) : fed.type;
    return this.#caches.take(slot.present.name, fed, extentOf(fed, slot, stored));
  }

  /** Null for an output that has turned out to be a view of something else. */
  #whole({ kind, present }: SlotUse, fed: TensorValue, { outputs }: Stage): Cache | null {
    if (kind === 'lent') return this.#caches.lend(present.name, fed, wholeExtent(fed.type, fed.dims));
    const { source } = outputs.find(({ value }) => value === present) as Stage['outputs'][number];
    const { type, dims, place } = source as Resident;
    if (!bufferOf(place)?.slot) return null;
    return this.#caches.keep(present.name, wholeExtent(type, dims));
  }

  /** An output that is a slot; undefined for others. */
  show({ slots }: Stage, source: Source): TensorValue | undefined {
    const slot = source.kind === 'memory' ? bufferOf(source.place)?.slot : undefined;
    if (!slot || source.kind !== 'memory') return undefined;
    const { dims } = source;
    const shown = this.#said ? dims.with(-2, this.#said.rows) : dims;
    return this.#caches.show((slots[slot.number] as SlotUse).cache as Cache, shown);
  }

  /** Moves what tensors still show to the host. */
  release(): void {
    this.#caches.release();
  }
}
