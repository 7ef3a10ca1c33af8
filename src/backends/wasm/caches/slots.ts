import type { Engine } from '../../../../bindings/engine.js';
import type { Facts } from '../../../graph/facts.js';
import type { Value } from '../../../graph/graph.js';
import { byteLength, type ElementType } from '../../../tensor/element-types.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { type Buffer, buffer, type Slot } from '../plan/places.js';
import type { Pointers, Program, SlotWord } from '../plan/program.js';
import type { SlotUse } from '../plan/stage.js';
import type { Extent } from './cache.js';

/** Nominal spacing of slots, for lifetimes and barriers: beyond any arena, and with room for whatever runs bring. */
const BEYOND = 2 ** 40;

export const slotBuffer = (slot: Slot): Buffer => ({
  ...buffer(BEYOND, Number.POSITIVE_INFINITY),
  offset: BEYOND * (slot.number + 1),
  slot,
});

/** Rows of a value's matrices; 0 if it has none. */
export function rowsOf(value: Value, facts: Facts): number {
  const type = facts.get(value)?.type;
  return (type?.kind === 'tensor' && (type.dims?.at(-2) as number | undefined)) || 0;
}

interface KnownTensor {
  readonly element: ElementType;
  readonly dims: readonly number[];
}

/** The matrices that a tensor consists of. */
const matricesOf = ({ element, dims }: KnownTensor): Omit<Extent, 'pitch'> => ({
  matrices: elementCount(dims.slice(0, -2)),
  rowBytes: byteLength(element, dims.at(-1) as number),
});

/** The extent of a slot for a whole tensor. */
export const wholeExtent = ({ type: element, dims }: Pick<TensorValue, 'type' | 'dims'>): Extent => ({
  ...matricesOf({ element, dims }),
  pitch: dims.at(-2) as number,
});

/** The matrices of a growing output, and the number of rows that a run adds. */
export function growthOf(present: Value, added: Value, facts: Facts): Pick<SlotUse, 'matrices' | 'rowBytes' | 'fresh'> {
  return { ...matricesOf(facts.get(present)?.type as KnownTensor), fresh: rowsOf(added, facts) };
}

/** Points a program's slot to `address`. */
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
