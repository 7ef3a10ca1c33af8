import { type KernelParams, kernels } from '../build/kernels.js';

export type KernelName = keyof KernelParams;
export type FieldKind = 'pointer' | 'i32' | 'u32' | 'f32' | 'bool';

/** Name, machine type and byte offset of a field of a parameter block. */
export type Field = readonly [name: string, kind: FieldKind, offset: number];

export interface KernelLayout {
  readonly size: number;
  readonly fields: readonly Field[];
}

/** Something in linear memory whose address is not fixed yet. */
export interface Place {
  readonly kind: string;
}

/** What a pointer field takes: an address (0: none), or a place that becomes one when the program is written. */
export type Pointer = number | Place;

export const kernelSize = (kernel: KernelName): number => kernels[kernel].size;

/** The values of a block's pointer fields. */
export function pointersIn<K extends KernelName>(kernel: K, params: KernelParams[K]): Pointer[] {
  const values = params as unknown as Record<string, Pointer>;
  const pointers: Pointer[] = [];
  for (const [name, kind] of kernels[kernel].fields) if (kind === 'pointer') pointers.push(values[name] as Pointer);
  return pointers;
}

/** Writes a parameter block at `address`; `resolve` turns the value of a pointer field into an address. */
export function writeParams<K extends KernelName>(
  memory: DataView,
  address: number,
  kernel: K,
  params: KernelParams[K],
  resolve: (pointer: Pointer, fieldAddress: number) => number,
): void {
  const values = params as unknown as Record<string, number | Place>;
  for (const [name, kind, offset] of kernels[kernel].fields) {
    const value = values[name] as number;
    const at = address + offset;
    if (kind === 'pointer') memory.setUint32(at, resolve(value, at), true);
    else if (kind === 'f32') memory.setFloat32(at, value, true);
    else if (kind === 'bool') memory.setUint8(at, value ? 1 : 0);
    else memory.setInt32(at, value, true);
  }
}
