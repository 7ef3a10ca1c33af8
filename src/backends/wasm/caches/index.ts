// Outputs that stay in linear memory, since they are likely to be fed again: loaded with the models that have such.
import type { Engine } from '../../../../bindings/engine.js';
import type { Node, Value } from '../../../graph/graph.js';
import type { HostValue, TensorValue } from '../../../tensor/tensor-value.js';
import type { StageDraft } from '../plan/draft.js';
import { bufferOf } from '../plan/places.js';
import type { SlotUse, Source, Stage, StageStart } from '../plan/stage.js';
import type { Cache } from './cache.js';
import { Caches } from './caches.js';
import { findCaches } from './find-caches.js';
import { extentOf, placeSlot, slotBuffer } from './slots.js';

/** Rows that caches have room for where nobody says more. */
const LEAST_ROWS = 64;

/** The caches of a session, as plans and runs see them. */
export class Caching {
  readonly #caches: Caches;
  #leastRows = LEAST_ROWS;

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
    return findCaches(nodes, start).map(({ past, present, matrices, rowBytes, rows }, number) => {
      const pitch = Math.max(this.#leastRows, 2 ** Math.ceil(Math.log2(rows)));
      const place = slotBuffer(matrices * pitch * rowBytes, { number, pitch });
      draft.places.set(past, place);
      draft.places.set(present, place);
      return { past, present, rowBytes, pitch, cache: null };
    });
  }

  /** Finds or makes the memory that each slot is in this run. */
  fill({ slots, program }: Stage, frame: ReadonlyMap<Value, HostValue>): void {
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as SlotUse;
      const fed = frame.get(slot.past) as TensorValue;
      slot.cache = this.#caches.take(slot.present.name, fed, extentOf(fed, slot));
      placeSlot(this.engine, program, i, this.#caches.addressOf(slot.cache));
    }
  }

  /** An output that is a slot; undefined for others. */
  show({ slots }: Stage, source: Source): TensorValue | undefined {
    const slot = source.kind === 'memory' ? bufferOf(source.place)?.slot : undefined;
    if (!slot || source.kind !== 'memory') return undefined;
    return this.#caches.show((slots[slot.number] as SlotUse).cache as Cache, source);
  }

  /** Moves what tensors still show to the host. */
  release(): void {
    this.#caches.release();
  }
}
