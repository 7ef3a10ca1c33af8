// Outputs that stay in linear memory, because they are likely to be fed again. Loaded with models that have any.
import type { Engine } from '../../../../bindings/engine.js';
import { SardonyxError } from '../../../base/errors.js';
import type { Graph, Node, Value } from '../../../graph/graph.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { GrowingTensor } from '../../../tensor/growing-tensor.js';
import { storedDims } from '../../../tensor/stored-rows.js';
import type { HostValue, TensorValue } from '../../../tensor/tensor-value.js';
import type { StageDraft } from '../plan/draft.js';
import { bufferOf } from '../plan/places.js';
import type { Resident, SlotUse, Source, Stage, StageStart } from '../plan/stage.js';
import type { Cache } from './cache.js';
import { Caches } from './caches.js';
import { findCaches, type Growth } from './find-caches.js';
import { placeSlot, slotBuffer, wholeExtent } from './slots.js';
import { keptInputs, rowsAfter, type Steady, steadyOf, storedTypeOf } from './steady.js';
import { findWholeStates, type Pairs, pairsOf } from './whole-states.js';

/** The default minimum capacity of caches, in rows and in bytes. */
const LEAST_ROWS = 64;
const LEAST_BYTES = 256 << 10;

/** Throws if the mask is longer than the cache and the new rows, which would leave undefined rows between them. */
function checkRows(rows: number, { dims }: TensorValue, { fresh, past }: SlotUse): void {
  const before = dims.at(-2) as number;
  if (rows === before + fresh) return;
  throw new SardonyxError('INVALID_VALUE', `the mask has ${rows} columns; expected ${before} past and ${fresh} new`, {
    value: past.name,
  });
}

/** The tensor that plans see in place of a fed cache (`told`), and the fed type and number of columns. */
interface Told {
  readonly fed: ElementType;
  readonly columns: number;
  readonly told: TensorValue;
}

const isAlike = (told: readonly number[], columns: number, dims: readonly number[], room: number): boolean =>
  told[0] === dims[0] && told[1] === dims[1] && told[2] === room && columns === dims[3];

const isStoredOtherwise = (fed: HostValue | undefined): boolean =>
  fed instanceof GrowingTensor && fed.stored !== fed.type;

/** The caches of a session, as plans and runs see them. */
export class Caching {
  readonly #caches: Caches;
  #leastRows = LEAST_ROWS;
  readonly #steady = new WeakMap<Graph, Steady | null>();
  /** Inputs that plans see in their stored element types. */
  readonly #kept = new WeakMap<Graph, readonly number[]>();
  /** The inputs of the current run, if plans see others. */
  #fed: readonly (HostValue | undefined)[] | null = null;
  /** Rows that plans see in caches, of which the run fills `#rows`; 0 if plans see the rows that are fed. */
  #room = 0;
  #rows = 0;
  readonly #told: (HostValue | undefined)[] = [];
  readonly #toldPasts: (Told | undefined)[] = [];
  #mask: TensorValue<'int64'> | undefined;
  #lastFilled: readonly number[] = [];

  readonly #pairs: Pairs;

  /** @param branched the graph, if its inputs select branches: states that one makes for others stay in place, too */
  constructor(
    private readonly engine: Engine,
    branched?: Graph,
  ) {
    this.#caches = new Caches(engine);
    this.#pairs = branched ? pairsOf(branched) : new Map();
  }

  /** Sets the number of rows that caches have room for at first. */
  reserve(rows: number): void {
    this.#leastRows = Math.max(this.#leastRows, rows);
  }

  /**
   * Puts outputs that append rows to an input into slots, with room for a power of two of rows, so that an output that
   * grew by one seldom needs more.
   */
  placeSlots(draft: StageDraft, nodes: readonly Node[], start: StageStart): SlotUse[] {
    const growing = findCaches(nodes, start, this.#room > 0).map(({ rows, ...use }, number): SlotUse => {
      const pitch = this.#pitchFor(rows, use);
      const place = slotBuffer({ number, pitch });
      draft.places.set(use.past, place);
      draft.places.set(use.present, place);
      return { kind: 'grows', ...use, pitch, cache: null };
    });
    const used = new Set(growing.flatMap(({ past, present }) => [past, present]));
    const whole = findWholeStates(this.#pairs, nodes, start, used).map(({ placed, ...state }, i): SlotUse => {
      draft.places.set(placed, slotBuffer({ number: growing.length + i }));
      return { ...state, matrices: 0, rowBytes: 0, pitch: 0, added: placed, fresh: 0, cache: null };
    });
    return [...growing, ...whole];
  }

  /** Small caches begin with room for many rows, because memory takes no space before it is written. */
  #pitchFor(rows: number, { matrices, rowBytes }: Pick<Growth, 'matrices' | 'rowBytes'>): number {
    const room = this.#roomFor(rows);
    return this.#room > 0 ? room : Math.max(room, 2 ** Math.floor(Math.log2(LEAST_BYTES / (matrices * rowBytes))));
  }

  #roomFor(rows: number): number {
    if (this.#room > 0) return this.#room;
    return rows <= this.#leastRows ? this.#leastRows : 2 ** Math.ceil(Math.log2(rows));
  }

  /**
   * The inputs as plans see them: in graphs that allow it (see `Steady`), caches have all the rows that there is room
   * for; in others, their rows have the type that they are stored as.
   */
  told(graph: Graph, inputs: readonly (HostValue | undefined)[]): readonly (HostValue | undefined)[] {
    this.#fed = null;
    this.#room = 0;
    const steady = this.#steadyOf(graph);
    const rows = steady ? rowsAfter(steady, inputs) : undefined;
    if (!steady || rows === undefined) return this.#storedInputs(graph, inputs);
    // One more, so that a prompt never equals the capacity.
    this.#room = this.#roomFor(rows + 1);
    this.#rows = rows;
    this.#fed = inputs;
    return this.#roomy(steady, inputs, this.#room);
  }

  /** Whether a stage has a slot for each cache that plans see differently from how it is fed. */
  isAsTold(graph: Graph, { slots }: Stage): boolean {
    const fed = this.#fed;
    if (!fed) return true;
    const pasts = this.#room > 0 ? (this.#steadyOf(graph)?.pasts ?? []) : this.#keptOf(graph);
    let missing = 0;
    for (const i of pasts) if (this.#told[i] !== fed[i]) missing++;
    for (let slot = 0; slot < slots.length; slot++) {
      const { kind, past } = slots[slot] as SlotUse;
      const i = graph.inputs.indexOf(past);
      if (kind === 'grows' && this.#told[i] !== fed[i]) missing--;
    }
    return missing === 0;
  }

  /** From now on, plans see the caches of this graph as they are fed. */
  distrust(graph: Graph): void {
    if (this.#room > 0) this.#steady.set(graph, null);
    else this.#kept.set(graph, []);
  }

  #keptOf(graph: Graph): readonly number[] {
    const known = this.#kept.get(graph);
    if (known) return known;
    const found = keptInputs(graph);
    this.#kept.set(graph, found);
    return found;
  }

  /** The inputs, with caches in the element types that they are stored as. */
  #storedInputs(graph: Graph, inputs: readonly (HostValue | undefined)[]): readonly (HostValue | undefined)[] {
    const kept = this.#keptOf(graph);
    let isOther = false;
    for (const i of kept) isOther ||= isStoredOtherwise(inputs[i]);
    if (!isOther) return inputs;
    const told = this.#toldInputs(inputs);
    for (const i of kept) {
      const fed = inputs[i] as TensorValue;
      if (isStoredOtherwise(fed)) told[i] = this.#toldPast(i, fed, fed.dims.at(-2) as number);
    }
    this.#fed = inputs;
    return told;
  }

  #toldInputs(inputs: readonly (HostValue | undefined)[]): (HostValue | undefined)[] {
    const told = this.#told;
    for (let i = 0; i < inputs.length; i++) told[i] = inputs[i];
    told.length = inputs.length;
    return told;
  }

  #steadyOf(graph: Graph): Steady | null {
    const known = this.#steady.get(graph);
    if (known !== undefined) return known;
    const found = steadyOf(graph);
    this.#steady.set(graph, found);
    return found;
  }

  #roomy({ pasts, mask }: Steady, inputs: readonly (HostValue | undefined)[], room: number) {
    const told = this.#toldInputs(inputs);
    for (const i of pasts) told[i] = this.#toldPast(i, inputs[i] as TensorValue, room);
    told[mask] = this.#padded(inputs[mask] as TensorValue, room);
    return told;
  }

  /** A cache with this many rows as they are stored, by type and dims alone; the data is in the slot. */
  #toldPast(i: number, fed: TensorValue, rows: number): TensorValue {
    const [last, type] = [this.#toldPasts[i], storedTypeOf(fed)];
    const { dims } = fed;
    if (last?.fed === fed.type && last.told.type === type && isAlike(last.told.dims, last.columns, dims, rows))
      return last.told;
    const told = { type, dims: storedDims(dims.with(2, rows), fed.type, type), data: [] } as unknown as TensorValue;
    this.#toldPasts[i] = { fed: fed.type, columns: dims[3] as number, told };
    return told;
  }

  /** Pads the mask with zeros, to hide keys that do not exist yet. */
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
    const own = data as BigInt64Array;
    for (let i = 0; i < batch; i++) padded.set(batch > 1 ? own.subarray(i * rows, (i + 1) * rows) : own, i * room);
    return this.#mask;
  }

  /** Finds or allocates the memory of each slot for this run. */
  fill(stage: Stage, graph: Graph, frame: ReadonlyMap<Value, HostValue>): void {
    const { slots, program } = stage;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as SlotUse;
      const fed = (this.#fed?.[graph.inputs.indexOf(slot.past)] ?? frame.get(slot.past)) as TensorValue;
      slot.cache = slot.kind === 'grows' ? this.#grown(slot, fed) : this.#whole(slot, fed, stage);
      if (slot.cache) placeSlot(this.engine, program, i, this.#caches.addressOf(slot.cache));
    }
  }

  #grown(slot: SlotUse, fed: TensorValue): Cache {
    if (this.#room > 0) checkRows(this.#rows, fed, slot);
    return this.#caches.take(slot.present.name, fed, slot, this.#fed ? storedTypeOf(fed) : fed.type);
  }

  /** Null for an output that turns out to be a view of another buffer. */
  #whole({ kind, present }: SlotUse, fed: TensorValue, { outputs }: Stage): Cache | null {
    if (kind === 'lent') return this.#caches.lend(present.name, fed, wholeExtent(fed));
    const { source } = outputs.find(({ value }) => value === present) as Stage['outputs'][number];
    const { type, dims, place } = source as Resident;
    return bufferOf(place)?.slot ? this.#caches.keep(present.name, type, wholeExtent({ type, dims })) : null;
  }

  /** An output that is in a slot; undefined for others. */
  show({ slots }: Stage, source: Source): TensorValue | undefined {
    const slot = source.kind === 'memory' ? bufferOf(source.place)?.slot : undefined;
    if (!slot || source.kind !== 'memory') return undefined;
    const { dims } = source;
    const shown = this.#room > 0 ? this.#filled(dims) : dims;
    return this.#caches.show((slots[slot.number] as SlotUse).cache as Cache, shown);
  }

  /** The dims of the filled rows; those of the previous cache if they are equal, as they are in each layer. */
  #filled(dims: readonly number[]): readonly number[] {
    const last = this.#lastFilled;
    if (!isAlike(last, last[3] as number, dims, this.#rows)) this.#lastFilled = Object.freeze(dims.with(2, this.#rows));
    return this.#lastFilled;
  }

  /** Moves caches that tensors still show to the host. */
  release(): void {
    this.#caches.release();
  }
}
