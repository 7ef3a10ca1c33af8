import { account } from '../account.js';
import { ELEMENTS, type ElementType, type TypedArrayConstructor } from './element-types.js';
import { fromBfloat16, fromFloat16, toBfloat16, toFloat16 } from './half.js';
import { isMinifloat, minifloatValues, type RoundMode, toMinifloat } from './minifloat.js';
import { entriesOf, isPacked, pack } from './packed.js';
import type { TensorValue } from './tensor-value.js';

const DECODERS: Partial<Record<ElementType, (bits: number) => number>> = {
  float16: fromFloat16,
  bfloat16: fromBfloat16,
};
/** Conversion from a number to the bits of a type that is stored as integers. float16 is rounded from float32, as in kernels. */
export const ENCODERS: Partial<Record<ElementType, (x: number) => number>> = {
  float16: (x) => toFloat16(Math.fround(x)),
  bfloat16: toBfloat16,
  bool: (x) => Number(x !== 0),
};

/** Elements of a real type as numbers; 64-bit integers are rounded. */
export function numbersOf(x: TensorValue): ArrayLike<number> {
  const { type, data } = x;
  const codes = entriesOf(x) as Uint8Array;
  if (isMinifloat(type)) return Float64Array.from(codes, (code) => minifloatValues(type)[code] as number);
  if (isPacked(type)) return codes;
  const decode = DECODERS[type];
  if (decode) return Float64Array.from(data as Uint16Array, decode);
  return typeof data[0] === 'bigint'
    ? Float64Array.from(data as unknown as bigint[], Number)
    : (data as ArrayLike<number>);
}

/** A list of integers as an int64 tensor, such as axes or pads. */
export const int64List = (numbers: readonly number[]): TensorValue => ({
  type: 'int64',
  dims: [numbers.length],
  data: BigInt64Array.from(numbers, BigInt),
});

/** Mask for the number of elements between checks of the clock. */
const LOOK_MASK = 0xffff;

/** A tensor of these numbers, rounded or wrapped to its type. Floats below 16 bits saturate. */
export function tensorOf(
  type: ElementType,
  dims: readonly number[],
  numbers: ArrayLike<number>,
  { saturate = true, mode = 'up' as RoundMode } = {},
): TensorValue {
  const codes = isMinifloat(type)
    ? Uint8Array.from(numbers as number[], (x) => toMinifloat(type, x, saturate, mode))
    : numbers;
  if (isPacked(type)) return { type, dims, data: pack(type, codes) };
  if (isMinifloat(type)) return { type, dims, data: codes as Uint8Array };
  const encode = ENCODERS[type];
  const data = new (ELEMENTS[type].array as TypedArrayConstructor)(numbers.length);
  const wide = data instanceof BigInt64Array || data instanceof BigUint64Array;
  for (let i = 0; i < numbers.length; i++) {
    if ((i & LOOK_MASK) === LOOK_MASK) account()?.spend(LOOK_MASK);
    const x = numbers[i] as number;
    data[i] = (wide ? BigInt(Number.isFinite(x) ? Math.trunc(x) : 0) : encode ? encode(x) : x) as never;
  }
  return { type, dims, data };
}

const [HIGHEST, LOWEST] = [2 ** 63, -(2 ** 63)];

/** The integral part of a float, with the low bits of its saturated int64; 0 for NaN. */
const inInt64 = (x: number): number => (x >= HIGHEST ? -1 : x <= LOWEST || Number.isNaN(x) ? 0 : Math.trunc(x));

const within = (x: number, least: bigint, most: bigint): bigint => {
  if (Number.isNaN(x)) return 0n;
  return x >= Number(most) ? most : x <= Number(least) ? least : BigInt(Math.trunc(x));
};

const inLong = (x: number): bigint => within(x, -(2n ** 63n), 2n ** 63n - 1n);

/** Conversions from floats that saturate instead of taking the low bits of an int64. */
const TRUNCATIONS: Partial<Record<ElementType, (x: number) => number | bigint>> = {
  int32: (x) => Math.min(Math.max(Math.trunc(x), -(2 ** 31)), 2 ** 31 - 1),
  int64: inLong,
  uint64: (x) => (x >= 0 ? within(x, 0n, 2n ** 64n - 1n) : inLong(x)),
};

/**
 * Converts floats to an integer type as Cast does. int32, int64 and, for positive numbers, uint64 saturate; other types take the low bits
 * of the int64 result. NaN becomes 0.
 */
export function truncated(type: ElementType, dims: readonly number[], floats: ArrayLike<number>): TensorValue {
  const convert = TRUNCATIONS[type] ?? inInt64;
  if (isPacked(type)) return tensorOf(type, dims, Float64Array.from(floats, inInt64));
  const data = new (ELEMENTS[type].array as TypedArrayConstructor)(floats.length);
  for (let i = 0; i < floats.length; i++) data[i] = convert(floats[i] as number) as never;
  return { type, dims, data: data as unknown as TensorValue['data'] };
}

const f64 = new Float64Array(1);
const u64 = new BigUint64Array(f64.buffer);

/** A 64-bit integer in double precision, rounded to odd if inexact, so that a later rounding to less precision is not a double rounding. */
export function roundedToOdd(x: bigint): number {
  f64[0] = Number(x);
  const nearest = BigInt(f64[0]);
  if (nearest === x) return f64[0];
  const isFurther = x < 0n ? nearest < x : nearest > x;
  u64[0] = ((u64[0] as bigint) - (isFurther ? 1n : 0n)) | 1n;
  return f64[0];
}

/** Elements of an integer tensor of 8 bits or more, exactly. */
export const bigintsOf = ({ data }: TensorValue): ArrayLike<bigint> =>
  typeof data[0] === 'bigint' ? (data as unknown as ArrayLike<bigint>) : Array.from(data as ArrayLike<number>, BigInt);

/** A tensor of these integers, wrapped to its type; for bool, all but 0 become 1. */
export function tensorOfBigints(type: ElementType, dims: readonly number[], values: ArrayLike<bigint>): TensorValue {
  const data = new (ELEMENTS[type].array as TypedArrayConstructor)(values.length);
  const wide = data instanceof BigInt64Array || data instanceof BigUint64Array;
  const narrowed = type === 'bool' ? (x: bigint) => Number(x !== 0n) : (x: bigint) => Number(BigInt.asIntN(32, x));
  for (let i = 0; i < values.length; i++) data[i] = (wide ? values[i] : narrowed(values[i] as bigint)) as never;
  return { type, dims, data };
}
