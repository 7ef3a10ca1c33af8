import { isA } from '../src/base/kind.js';
import type { TypedArray } from '../src/tensor/element-types.js';
import { type HostValue, isTensorValue } from '../src/tensor/tensor-value.js';

/** Whether tensors' buffers are transferred if no other view shares them, and thus detached here, or copied. */
export type Passage = 'transfer' | 'copy';

/** The built-in `slice`, for arrays whose class overrides it. */
const { slice } = Object.getPrototypeOf(Int8Array.prototype) as Int8Array;

type Copier = <T extends ArrayBufferView>(array: T) => T;

const sliced: Copier = <T extends ArrayBufferView>(array: T) => slice.call(array) as ArrayBufferView as T;

/** Converts the values to a form that can be posted; adds the buffers to transfer with them to `buffers`. */
export function packAll(
  values: Readonly<Record<string, HostValue>>,
  buffers: Set<Transferable>,
  passage: Passage,
  copyOf: Copier = sliced,
): Record<string, unknown> {
  const packed: Record<string, unknown> = Object.create(null);
  for (const name in values) packed[name] = pack(values[name] as HostValue, buffers, passage, copyOf);
  return packed;
}

function pack(value: HostValue, buffers: Set<Transferable>, passage: Passage, copyOf: Copier): unknown {
  if (Array.isArray(value)) return value.map((element) => pack(element, buffers, passage, copyOf));
  if (!isTensorValue(value)) return value;
  const { type, dims, data } = value;
  return { type, dims, data: isArray(data) ? packArray(data, buffers, passage, copyOf) : data };
}

export const isArray = (data: unknown): data is TypedArray => ArrayBuffer.isView(data) && !(data instanceof DataView);

type Arrays = Readonly<Record<string, new (buffer?: ArrayBuffer) => ArrayBufferView>>;

/** An array of the same kind. */
export function arrayLike<T extends ArrayBufferView>(array: T, buffer?: ArrayBuffer): T {
  const kind = (array as unknown as TypedArray)[Symbol.toStringTag];
  const TypedArrayOfKind = (globalThis as unknown as Arrays)[kind] as new (buffer?: ArrayBuffer) => T;
  return new TypedArrayOfKind(buffer);
}

/** Whether an array must be copied: a view is posted with its whole buffer, so a view of a part is copied first. */
export function isCopied({ buffer, byteLength }: ArrayBufferView, passage: Passage): boolean {
  return passage === 'copy' || !isA(buffer, 'ArrayBuffer') || buffer.byteLength !== byteLength;
}

/** Packs an array. An array whose buffer is detached becomes an empty one of its kind. */
export function packArray<T extends ArrayBufferView>(
  array: T,
  buffers: Set<Transferable>,
  passage: Passage,
  copyOf: Copier = sliced,
): T {
  if (array.byteLength === 0) return arrayLike(array);
  const packed = isCopied(array, passage) ? copyOf(array) : array;
  buffers.add(packed.buffer as ArrayBuffer);
  return packed;
}
