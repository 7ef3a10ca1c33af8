import type { Engine, Heap, HeapConstructor } from '../../bindings/engine.js';
import type { AnyPlace } from '../plan/places.js';
import { rootOf } from '../plan/places.js';
import type { Resident, Stage } from '../plan/stage.js';
import { dataLength, ELEMENTS, type TypedArray, type TypedArrayConstructor } from '../tensor/element-types.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

/** Address of something a stage placed. */
export function addressOf(stage: Stage, arenaBase: number, { place }: Resident): number {
  const root = rootOf(place);
  if (root) return arenaBase + root.buffer.offset + root.offset;
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

/** A tensor of linear memory as a copy. */
export function copyOut(engine: Engine, address: number, { type, dims }: Resident): TensorValue {
  const array = ELEMENTS[type].array as TypedArrayConstructor;
  const start = address / array.BYTES_PER_ELEMENT;
  const heap = engine.heap(array as unknown as HeapConstructor<Heap>) as TypedArray;
  return { type, dims, data: heap.slice(start, start + dataLength(type, elementCount(dims))) as TypedArray };
}

/** Copies a tensor of linear memory into the caller's array. */
export function copyInto(engine: Engine, address: number, { type, dims }: Resident, target: TypedArray): void {
  const array = ELEMENTS[type].array as TypedArrayConstructor;
  const start = address / array.BYTES_PER_ELEMENT;
  const heap = engine.heap(array as unknown as HeapConstructor<Heap>) as TypedArray;
  const length = dataLength(type, elementCount(dims));
  target.set(heap.subarray(start, start + length) as never);
}
