import { type HostValue, isTensorValue } from '../tensor/tensor-value.js';

/** Whether tensors' buffers go along and are lost here, where they have one to themselves, or copies do. */
export type Passage = 'transfer' | 'copy';

/** Whatever array, also one whose class has a `slice` of its own. */
const { slice } = Object.getPrototypeOf(Int8Array.prototype) as Int8Array;

/** The values as they can be posted; the buffers to transfer with them are added to `buffers`. */
export function packAll(
  values: Readonly<Record<string, HostValue>>,
  buffers: Set<ArrayBuffer>,
  passage: Passage,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pack(value, buffers, passage)]));
}

function pack(value: HostValue, buffers: Set<ArrayBuffer>, passage: Passage): unknown {
  if (Array.isArray(value)) return value.map((element) => pack(element, buffers, passage));
  if (!isTensorValue(value)) return value;
  const { type, dims, data } = value;
  return { type, dims, data: ArrayBuffer.isView(data) ? packArray(data, buffers, passage) : data };
}

/** A view is posted with all of its buffer: one of a part is copied first. */
export function packArray<T extends ArrayBufferView>(array: T, buffers: Set<ArrayBuffer>, passage: Passage): T {
  const { buffer, byteLength } = array;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  const packed = passage === 'transfer' && isWhole ? array : (slice.call(array) as ArrayBufferView as T);
  buffers.add(packed.buffer as ArrayBuffer);
  return packed;
}
