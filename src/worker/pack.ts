import type { TypedArray } from '../tensor/element-types.js';
import { type HostValue, isTensorValue } from '../tensor/tensor-value.js';

/** Whether tensors' buffers go along and are lost here, where they have one to themselves, or copies do. */
export type Passage = 'transfer' | 'copy';

/** Whatever array, also one whose class has a `slice` of its own. */
const { slice } = Object.getPrototypeOf(Int8Array.prototype) as Int8Array;

/** The values as they can be posted; the buffers to transfer with them are added to `buffers`. */
export function packAll(
  values: Readonly<Record<string, HostValue>>,
  buffers: Set<Transferable>,
  passage: Passage,
): Record<string, unknown> {
  const packed: Record<string, unknown> = {};
  for (const name in values) packed[name] = pack(values[name] as HostValue, buffers, passage);
  return packed;
}

function pack(value: HostValue, buffers: Set<Transferable>, passage: Passage): unknown {
  if (Array.isArray(value)) return value.map((element) => pack(element, buffers, passage));
  if (!isTensorValue(value)) return value;
  const { type, dims, data } = value;
  return { type, dims, data: isArray(data) ? packArray(data, buffers, passage) : data };
}

const isArray = (data: unknown): data is TypedArray => ArrayBuffer.isView(data) && !(data instanceof DataView);

type Arrays = Readonly<Record<string, new () => ArrayBufferView>>;

/** Of an array whose buffer is gone, nothing but its kind can be had. */
const emptyLike = <T extends ArrayBufferView>(array: T) =>
  new ((globalThis as unknown as Arrays)[(array as unknown as TypedArray)[Symbol.toStringTag]] as new () => T)();

/** A view is posted with all of its buffer: one of a part is copied first. */
export function packArray<T extends ArrayBufferView>(array: T, buffers: Set<Transferable>, passage: Passage): T {
  const { buffer, byteLength } = array;
  if (byteLength === 0) return emptyLike(array);
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  const packed = passage === 'transfer' && isWhole ? array : (slice.call(array) as ArrayBufferView as T);
  buffers.add(packed.buffer as ArrayBuffer);
  return packed;
}
