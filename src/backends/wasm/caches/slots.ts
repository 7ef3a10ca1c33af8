import type { Engine } from '../../../../bindings/engine.js';
import type { Facts } from '../../../graph/facts.js';
import type { Value } from '../../../graph/graph.js';
import { byteLength } from '../../../tensor/element-types.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { type Buffer, buffer, type Slot } from '../plan/places.js';
import type { Pointers, Program, SlotWord } from '../plan/program.js';
import type { Extent } from './cache.js';

/** Where slots seem to lie when lifetimes and barriers are found out: beyond any arena. */
const BEYOND = 2 ** 40;

export const slotBuffer = (bytes: number, slot: Slot): Buffer => ({
  ...buffer(bytes, Number.POSITIVE_INFINITY),
  offset: BEYOND * (slot.number + 1),
  slot,
});

/** Rows of the matrices of a value; none where it is no matrix. */
export function rowsOf(value: Value, facts: Facts): number {
  const type = facts.get(value)?.type;
  return (type?.kind === 'tensor' && (type.dims?.at(-2) as number | undefined)) || 0;
}

/** What a slot is to hold that is a tensor as it is. */
export const wholeExtent = ({ type, dims }: Pick<TensorValue, 'type' | 'dims'>): Extent => ({
  matrices: elementCount(dims.slice(0, -2)),
  rowBytes: byteLength(type, dims.at(-1) as number),
  pitch: dims.at(-2) as number,
});

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
