import type { Engine } from '../../../../bindings/engine.js';
import type { Facts } from '../../../graph/facts.js';
import type { Value } from '../../../graph/graph.js';
import { byteLength, type ElementType } from '../../../tensor/element-types.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { type Buffer, buffer, type Slot } from '../plan/places.js';
import type { Pointers, Program, SlotWord } from '../plan/program.js';
import type { SlotUse } from '../plan/stage.js';
import type { Extent } from './cache.js';

/** Where slots seem to lie when lifetimes and barriers are found out: beyond any arena, and so far apart that each has room for what runs bring. */
const BEYOND = 2 ** 40;

export const slotBuffer = (slot: Slot): Buffer => ({
  ...buffer(BEYOND, Number.POSITIVE_INFINITY),
  offset: BEYOND * (slot.number + 1),
  slot,
});

/** Rows of the matrices of a value; none where it is no matrix. */
export function rowsOf(value: Value, facts: Facts): number {
  const type = facts.get(value)?.type;
  return (type?.kind === 'tensor' && (type.dims?.at(-2) as number | undefined)) || 0;
}

interface KnownTensor {
  readonly element: ElementType;
  readonly dims: readonly number[];
}

/** The matrices that a tensor is of. */
const matricesOf = ({ element, dims }: KnownTensor): Omit<Extent, 'pitch'> => ({
  matrices: elementCount(dims.slice(0, -2)),
  rowBytes: byteLength(element, dims.at(-1) as number),
});

/** What a slot is to hold that is a tensor as it is. */
export const wholeExtent = ({ type: element, dims }: Pick<TensorValue, 'type' | 'dims'>): Extent => ({
  ...matricesOf({ element, dims }),
  pitch: dims.at(-2) as number,
});

/** What an output that grows is to hold, and what a run adds. */
export function growthOf(present: Value, added: Value, facts: Facts): Pick<SlotUse, 'matrices' | 'rowBytes' | 'fresh'> {
  return { ...matricesOf(facts.get(present)?.type as KnownTensor), fresh: rowsOf(added, facts) };
}

/** The slot for other sizes, whose tensors may be of more or fewer matrices; undefined where these have no room for the rows. */
export function resized(slot: SlotUse, facts: Facts): SlotUse | undefined {
  if (slot.kind !== 'grows') return { ...slot, fresh: rowsOf(slot.added, facts) };
  if (rowsOf(slot.present, facts) > slot.pitch) return undefined;
  return { ...slot, ...growthOf(slot.present, slot.added, facts) };
}

/** Has a program find a slot at `address`. */
export function placeSlot({ i32 }: Engine, program: Program, slot: number, address: number): void {
  const { address: start, pointers, slots } = program;
  const distance = address - (slots[slot] as number);
  if (distance === 0) return;
  slots[slot] = address;
  for (let i = 0; i < pointers.length; i++) {
    const words = (pointers[i] as Pointers).slots;
    for (let j = 0; j < words.length; j++) {
      const found = words[j] as SlotWord;
      const at = (start + found.word) / 4;
      if (found.slot === slot) i32[at] = (i32[at] as number) + distance;
    }
  }
}
