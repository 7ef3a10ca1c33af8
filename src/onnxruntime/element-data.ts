import { kindOf } from '../base/kind.js';
import type { ElementType, TypedArray } from '../tensor/element-types.js';

type ArrayView = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => ArrayBufferView;

/** Arrays that onnxruntime-common uses for elements where Sardonyx has others: the same bytes, looked at differently. */
const VIEWS = (): Partial<Record<ElementType, ArrayView | undefined>> => ({
  float16: (globalThis as { Float16Array?: ArrayView }).Float16Array,
  int4: Uint8Array,
});

const OWN: Partial<Record<ElementType, ArrayView>> = { float16: Uint16Array, int4: Int8Array };

export const toCommonData = <T>(type: ElementType, data: T): T => viewed(OWN[type], VIEWS()[type], data);

export const toOwnData = <T>(type: ElementType, data: T): T => viewed(VIEWS()[type], OWN[type], data);

function viewed<T>(from: ArrayView | undefined, view: ArrayView | undefined, data: T): T {
  if (!from || !view || kindOf(data) !== from.name) return data;
  const { buffer, byteOffset, length } = data as unknown as TypedArray;
  return new view(buffer, byteOffset, length) as T;
}
