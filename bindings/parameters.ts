import { kernels, type KernelParams as UsualParams } from '../build/kernels.js';
import type { KernelParams as QuantizedParams } from '../build/quantized-kernels.js';
import type { KernelParams as TimingParams } from '../build/timing-kernels.js';
import type { Size } from '../src/graph/sizes.js';
import type { Place, Pointer } from './place.js';

export interface KernelParams extends UsualParams, QuantizedParams, TimingParams {}
export type KernelName = keyof KernelParams;

/** A parameter block whose numbers may be sizes that are not fixed yet. */
export type Fields<P> = { readonly [F in keyof P]: P[F] extends number ? Size : P[F] };

type FieldKind = 'pointer' | 'f32' | 'integer';

interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** Bytes from the start of its parameter block. */
  readonly offset: number;
}

const FIELD_BYTES = 4;
const KINDS: Readonly<Record<string, FieldKind>> = { '*': 'pointer', '~': 'f32' };

const LAYOUTS: Record<string, string> = { ...kernels };
const layouts = new Map<KernelName, readonly Field[]>();

/** Registers the parameters of more kernels. */
export const addLayouts = (more: Readonly<Record<string, string>>): void => void Object.assign(LAYOUTS, more);

/** The fields of a kernel's parameter block, in order. */
export function fieldsOf(kernel: KernelName): readonly Field[] {
  const known = layouts.get(kernel);
  if (known) return known;
  const fields = (LAYOUTS[kernel] as string).split(' ').map(fieldAt);
  layouts.set(kernel, fields);
  return fields;
}

/** All fields have 32 bits; a mark after the name gives the kind of a field that is no integer. */
function fieldAt(text: string, index: number): Field {
  const kind = KINDS[text.at(-1) as string];
  return { name: kind ? text.slice(0, -1) : text, kind: kind ?? 'integer', offset: FIELD_BYTES * index };
}

export const kernelSize = (kernel: KernelName): number => FIELD_BYTES * fieldsOf(kernel).length;

/** The values of a block's pointer fields. */
export function pointersIn<K extends KernelName>(kernel: K, params: KernelParams[K]): Pointer[] {
  const values = params as unknown as Record<string, Pointer>;
  const pointers: Pointer[] = [];
  const fields = fieldsOf(kernel);
  for (let i = 0; i < fields.length; i++) {
    const { name, kind } = fields[i] as Field;
    if (kind === 'pointer') pointers.push(values[name] as Pointer);
  }
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
  const fields = fieldsOf(kernel);
  // Most programs are written once, in code that is not optimized yet: iterators would take half of the time.
  for (let i = 0; i < fields.length; i++) {
    const { name, kind, offset } = fields[i] as Field;
    const value = values[name] as number;
    const at = address + offset;
    if (kind === 'pointer') memory.setUint32(at, resolve(value, at), true);
    else if (kind === 'f32') memory.setFloat32(at, value, true);
    else memory.setInt32(at, value, true);
  }
}
