import type { ElementType } from '../tensor/element-types.js';
import { fromBfloat16, fromFloat16 } from '../tensor/half.js';
import { isMinifloat, minifloatValues } from '../tensor/minifloat.js';
import { entriesOf } from '../tensor/packed.js';
import type { TensorValue } from '../tensor/tensor-value.js';

const DECODERS: Partial<Record<ElementType, (bits: number) => number>> = {
  float16: fromFloat16,
  bfloat16: fromBfloat16,
};

const tables = new Map<ElementType, Float32Array>();

/** The value of each code of a 16-bit type. */
function tableOf(type: ElementType, decode: (bits: number) => number): Float32Array {
  const known = tables.get(type) ?? Float32Array.from({ length: 1 << 16 }, (_, bits) => decode(bits));
  tables.set(type, known);
  return known;
}

/**
 * Converts the elements of a tensor to floats, for any type but strings: float32 and float64 are returned as stored, 64-bit integers are
 * rounded, complex numbers become two floats each.
 */
export function toNumbers(tensor: TensorValue): Float32Array | Float64Array {
  const { type, data } = tensor;
  if (data instanceof Float32Array || data instanceof Float64Array) return data;
  if (data instanceof BigInt64Array) return wholes(data, new Int32Array(data.buffer, data.byteOffset, data.length * 2));
  if (data instanceof BigUint64Array)
    return wholes(data, new Uint32Array(data.buffer, data.byteOffset, data.length * 2));
  const decode = DECODERS[type];
  const codes = entriesOf(tensor) as Uint16Array;
  if (decode) return decoded(codes, tableOf(type, decode));
  if (isMinifloat(type)) return decoded(codes, minifloatValues(type));
  return new Float64Array(codes);
}

function decoded(codes: ArrayLike<number>, table: Float32Array | Float64Array): Float32Array {
  const values = new Float32Array(codes.length);
  for (let i = 0; i < values.length; i++) values[i] = table[codes[i] as number] as number;
  return values;
}

/** Reads 64-bit integers as 32-bit halves: a bigint for each element takes twenty times as long. */
function wholes({ length }: { length: number }, halves: Int32Array | Uint32Array): Float64Array {
  const values = new Float64Array(length);
  for (let i = 0; i < length; i++)
    values[i] = (halves[2 * i + 1] as number) * 2 ** 32 + ((halves[2 * i] as number) >>> 0);
  return values;
}
