import type { Engine, Heap, HeapConstructor } from '../../../../bindings/engine.js';
import { dataLength, ELEMENTS, type TypedArray, type TypedArrayConstructor } from '../../../tensor/element-types.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { checkTarget } from '../../check-target.js';
import type { AnyPlace } from '../plan/places.js';
import { rootOf } from '../plan/places.js';
import type { Resident, Stage } from '../plan/stage.js';

/** Address of a tensor that a stage has placed. */
export function addressOf(stage: Stage, arenaBase: number, { place }: Resident): number {
  const root = rootOf(place);
  if (root) {
    const { offset, slot } = root.buffer;
    return (slot ? (stage.program.slots[slot.number] as number) : arenaBase + offset) + root.offset;
  }
  let current = place as AnyPlace | number;
  let offset = 0;
  while (typeof current === 'object' && current.kind === 'shifted') {
    offset += current.bytes;
    current = current.base as AnyPlace;
  }
  if (typeof current === 'number') return current + offset;
  if (current.kind === 'fixed') return current.address + offset;
  if (current.kind === 'table') return stage.program.address + current.offset + offset;
  throw new Error('not placed');
}

/** Copies a tensor into linear memory; allocates nothing. */
export function copyIn(engine: Engine, address: number, data: TypedArray): void {
  const heap = engine.heap(data.constructor as HeapConstructor<Heap>) as TypedArray;
  heap.set(data as never, address / data.BYTES_PER_ELEMENT);
}

/** Copies a tensor out of linear memory. */
export function copyOut(engine: Engine, address: number, { type, dims }: Resident): TensorValue {
  const array = ELEMENTS[type].array as TypedArrayConstructor;
  const start = address / array.BYTES_PER_ELEMENT;
  const heap = engine.heap(array as unknown as HeapConstructor<Heap>) as TypedArray;
  return { type, dims, data: heap.slice(start, start + dataLength(type, elementCount(dims))) as TypedArray };
}

/** An output in linear memory, with the view that it is copied from. */
export interface OutputPlace {
  readonly source: Resident;
  readonly address: number;
  readonly array: TypedArrayConstructor;
  /** The dims that the length and the view are for; those of a stage change when it is moved. */
  dims: readonly number[];
  length: number;
  view: TypedArray | null;
}

interface Addresses {
  readonly arenaBase: number;
  readonly copies: readonly number[];
  readonly outputs: readonly (OutputPlace | null)[];
}

const known = new WeakMap<Stage, Addresses>();

/** Addresses of a stage's inputs and outputs; computed again only when the arena has moved. */
export function addressesOf(stage: Stage, arenaBase: number): Addresses {
  const last = known.get(stage);
  if (last?.arenaBase === arenaBase) return last;
  const addresses: Addresses = {
    arenaBase,
    copies: stage.copies.map(({ target }) => addressOf(stage, arenaBase, target)),
    outputs: stage.outputs.map(({ source }) =>
      source.kind === 'memory' ? outputPlace(stage, arenaBase, source) : null,
    ),
  };
  known.set(stage, addresses);
  return addresses;
}

function outputPlace(stage: Stage, arenaBase: number, source: Resident): OutputPlace {
  const array = ELEMENTS[source.type].array as TypedArrayConstructor;
  const { type, dims } = source;
  const length = dataLength(type, elementCount(dims));
  return { source, address: addressOf(stage, arenaBase, source), array, dims, length, view: null };
}

/** The current length of an output. */
export function lengthOf(place: OutputPlace): number {
  const { type, dims } = place.source;
  if (place.dims !== dims) {
    place.dims = dims;
    place.length = dataLength(type, elementCount(dims));
    place.view = null;
  }
  return place.length;
}

/** A view of the output in place; the same object until memory grows. */
function viewOf({ memory }: Engine, place: OutputPlace): TypedArray {
  const length = lengthOf(place);
  if (place.view?.buffer !== memory.buffer) place.view = new place.array(memory.buffer, place.address, length);
  return place.view;
}

/** Copies an output into the caller's tensor. */
export function copyInto(engine: Engine, place: OutputPlace, target: TensorValue, name: string): void {
  checkTarget(name, target, place.source, place.array, lengthOf(place));
  (target.data as TypedArray).set(viewOf(engine, place) as never);
}

/** A copy of an output. `new` on another array does not zero the memory first, as `slice` does: 25 % less time. */
export function copyOf(engine: Engine, place: OutputPlace): TensorValue {
  const { type, dims } = place.source;
  return { type, dims, data: new place.array(viewOf(engine, place) as never) };
}
