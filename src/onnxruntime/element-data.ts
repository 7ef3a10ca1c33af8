import { kindOf } from '../base/kind.js';
import { ELEMENTS, type ElementType, type TypedArray } from '../tensor/element-types.js';

type ArrayView = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => ArrayBufferView;

/** Array types in onnxruntime-common that differ from Sardonyx's, for the same bytes. */
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

/** Types other than string whose data may be a list in onnxruntime-common. */
const LISTED: ReadonlySet<string> = new Set<ElementType>([
  'float32',
  'float64',
  'int8',
  'uint8',
  'bool',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
]);

type FromList = (list: readonly unknown[], convert?: (entry: unknown) => unknown) => TypedArray;

/**
 * Converts a list by the conversion of typed arrays, as in onnxruntime-common. Nested lists, which would become NaN, stay and are
 * refused.
 */
export function convertedList(type: string, data: unknown): unknown {
  if (!Array.isArray(data) || !LISTED.has(type) || data.some((entry) => typeof entry === 'object')) return data;
  const array = ELEMENTS[type as ElementType].array as unknown as { from: FromList };
  return type.endsWith('int64') ? array.from(data, BigInt as (entry: unknown) => bigint) : array.from(data);
}
