import { splat32 } from '../math/constants';
import {
  bfloat16FromFloat, float16FromFloat, float16sFromFloats, float16sToFloats, float16ToFloat,
} from '../math/float16';

/** Element types in memory; booleans are bytes 0 and 1. */
export enum Storage {
  Float32,
  Float64,
  Float16,
  BFloat16,
  Int8,
  Int16,
  Int32,
  Int64,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Bool,
}

export function storageBytes(storage: i32): usize {
  switch (storage) {
    case Storage.Int8:
    case Storage.Uint8:
    case Storage.Bool: return 1;
    case Storage.Float16:
    case Storage.BFloat16:
    case Storage.Int16:
    case Storage.Uint16: return 2;
    case Storage.Float64:
    case Storage.Int64:
    case Storage.Uint64: return 8;
  }
  return 4;
}

/** Whether a register's blocks can be used in place in memory of this storage. */
@inline
export function isNative<T>(storage: i32): bool {
  if (isFloat<T>()) return storage == (sizeof<T>() == 4 ? Storage.Float32 : Storage.Float64);
  if (sizeof<T>() == 4) return storage == Storage.Int32;
  return storage == Storage.Int64 || storage == Storage.Uint64;
}

@inline
function widen<T, S>(y: usize, x: usize, count: usize): void {
  for (const end = y + count * sizeof<T>(); y < end; y += sizeof<T>(), x += sizeof<S>()) store<T>(y, <T>load<S>(x));
}

/** Loads four elements of an integer type S of up to 16 bits, as i32. */
@inline
function fourOf<S>(x: usize): v128 {
  if (sizeof<S>() == 1) {
    const bytes = v128.load32_zero(x);
    if (isSigned<S>()) return i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(bytes));
    return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes));
  }
  const shorts = v128.load64_zero(x);
  return isSigned<S>() ? i32x4.extend_low_i16x8_s(shorts) : i32x4.extend_low_i16x8_u(shorts);
}

/** Converts integers of up to 16 bits to 32-bit registers, four at once. */
@inline
function widenShort<T, S>(y: usize, x: usize, count: usize): void {
  const vectors = count & ~3;
  for (const end = y + vectors * 4; y < end; y += 16, x += 4 * sizeof<S>())
    v128.store(y, isFloat<T>() ? f32x4.convert_i32x4_s(fourOf<S>(x)) : fourOf<S>(x));
  widen<T, S>(y, x, count - vectors);
}

function widenHalf(y: usize, x: usize, count: usize): void {
  const vectors = count & ~3;
  for (const end = y + vectors * 4; y < end; y += 16, x += 8) v128.store(y, float16sToFloats(fourOf<u16>(x)));
  for (const end = y + (count - vectors) * 4; y < end; y += 4, x += 2) store<f32>(y, float16ToFloat(load<u16>(x)));
}

/** i64 to f32; four at once if all fit into i32. */
function widenLong(y: usize, x: usize, count: usize): void {
  const vectors = count & ~3;
  for (const end = y + vectors * 4; y < end; y += 16, x += 32) {
    const a = v128.load(x), b = v128.load(x, 16);
    const low = v128.shuffle<i32>(a, b, 0, 2, 4, 6);
    const high = v128.shuffle<i32>(a, b, 1, 3, 5, 7);
    if (i32x4.all_true(i32x4.eq(high, i32x4.shr_s(low, 31)))) v128.store(y, f32x4.convert_i32x4_s(low));
    else widen<f32, i64>(y, x, 4);
  }
  widen<f32, i64>(y, x, count - vectors);
}

/** Converts `count` elements from storage to the register type. */
export function widenFrom<T>(storage: i32, y: usize, x: usize, count: usize): void {
  switch (storage) {
    case Storage.Float32: return widen<T, f32>(y, x, count);
    case Storage.Float64: return widen<T, f64>(y, x, count);
    case Storage.Float16:
      if (isFloat<T>() && sizeof<T>() == 4) return widenHalf(y, x, count);
      for (const end = y + count * sizeof<T>(); y < end; y += sizeof<T>(), x += 2)
        store<T>(y, <T>float16ToFloat(load<u16>(x)));
      return;
    case Storage.BFloat16:
      for (const end = y + count * sizeof<T>(); y < end; y += sizeof<T>(), x += 2)
        store<T>(y, <T>reinterpret<f32>(<u32>load<u16>(x) << 16));
      return;
    case Storage.Int8:
      if (sizeof<T>() == 4) return widenShort<T, i8>(y, x, count);
      return widen<T, i8>(y, x, count);
    case Storage.Int16:
      if (sizeof<T>() == 4) return widenShort<T, i16>(y, x, count);
      return widen<T, i16>(y, x, count);
    case Storage.Int32: return widen<T, i32>(y, x, count);
    case Storage.Int64:
      if (isFloat<T>() && sizeof<T>() == 4) return widenLong(y, x, count);
      return widen<T, i64>(y, x, count);
    case Storage.Uint8:
    case Storage.Bool:
      if (sizeof<T>() == 4) return widenShort<T, u8>(y, x, count);
      return widen<T, u8>(y, x, count);
    case Storage.Uint16:
      if (sizeof<T>() == 4) return widenShort<T, u16>(y, x, count);
      return widen<T, u16>(y, x, count);
    case Storage.Uint32: return widen<T, u32>(y, x, count);
    case Storage.Uint64: return widen<T, u64>(y, x, count);
  }
}

/** Floats are truncated through i64, of which the low bits are kept: negative numbers wrap in unsigned types as in C on a CPU. */
@inline
function narrow<T, S>(y: usize, x: usize, count: usize): void {
  for (const end = y + count * sizeof<S>(); y < end; y += sizeof<S>(), x += sizeof<T>()) {
    if (isFloat<T>() && isInteger<S>()) store<S>(y, <S>(<i64>load<T>(x)));
    else store<S>(y, <S>load<T>(x));
  }
}

@inline
function truncate(y: usize, x: usize, count: usize): void {
  const vectors = y + (count & ~3) * 4;
  const end = y + count * 4;
  for (; y < vectors; y += 16, x += 16) v128.store(y, i32x4.trunc_sat_f32x4_s(v128.load(x)));
  for (; y < end; y += 4, x += 4) store<i32>(y, <i32>load<f32>(x));
}

/** i32 holds values below this. */
const TWO_31 = memory.data<f32>([2147483648], 4);

/** Whether i32 holds the integral parts of these floats. */
@inline
function fits(x: v128): v128 {
  return f32x4.lt(f32x4.abs(x), splat32(TWO_31));
}

function narrowToLong(y: usize, x: usize, count: usize): void {
  const vectors = count & ~3;
  for (const end = y + vectors * 8; y < end; y += 32, x += 16) {
    const v = v128.load(x);
    if (!i32x4.all_true(fits(v))) {
      narrow<f32, i64>(y, x, 4);
      continue;
    }
    const integers = i32x4.trunc_sat_f32x4_s(v);
    v128.store(y, i64x2.extend_low_i32x4_s(integers));
    v128.store(y, i64x2.extend_high_i32x4_s(integers), 16);
  }
  narrow<f32, i64>(y, x, count - vectors);
}

/** Converts 32-bit registers to S of 8 or 16 bits by their low bits, eight at once. */
@inline
function narrowShort<T, S>(y: usize, x: usize, count: usize): void {
  const vectors = count & ~7;
  const mask = i32x4.splat(sizeof<S>() == 1 ? 0xff : 0xffff);
  for (const end = y + vectors * sizeof<S>(); y < end; y += 8 * sizeof<S>(), x += 32) {
    let a = v128.load(x), b = v128.load(x, 16);
    if (isFloat<T>()) {
      if (!i32x4.all_true(v128.and(fits(a), fits(b)))) {
        narrow<T, S>(y, x, 8);
        continue;
      }
      a = i32x4.trunc_sat_f32x4_s(a);
      b = i32x4.trunc_sat_f32x4_s(b);
    }
    const shorts = i16x8.narrow_i32x4_u(v128.and(a, mask), v128.and(b, mask));
    if (sizeof<S>() == 2) v128.store(y, shorts);
    else v128.store_lane<i64>(y, i8x16.narrow_i16x8_u(shorts, shorts), 0);
  }
  narrow<T, S>(y, x, count - vectors);
}

/** Converts 32-bit registers to bytes 0 and 1. */
@inline
function narrowTruth<T>(y: usize, x: usize, count: usize): void {
  const zero = i32x4.splat(0), one = i8x16.splat(1);
  for (const end = y + (count & ~7); y < end; y += 8, x += 32) {
    const a = v128.ne<T>(v128.load(x), zero), b = v128.ne<T>(v128.load(x, 16), zero);
    const shorts = i16x8.narrow_i32x4_s(a, b);
    v128.store_lane<i64>(y, v128.and(i8x16.narrow_i16x8_s(shorts, shorts), one), 0);
  }
  for (const end = y + (count & 7); y < end; y++, x += 4) store<u8>(y, load<T>(x) != 0 ? 1 : 0);
}

function narrowToHalf(y: usize, x: usize, count: usize): void {
  for (const end = y + (count & ~7) * 2; y < end; y += 16, x += 32)
    v128.store(y, float16sFromFloats(v128.load(x), v128.load(x, 16)));
  for (const end = y + (count & 7) * 2; y < end; y += 2, x += 4) store<u16>(y, float16FromFloat(load<f32>(x)));
}

@inline
function toUint64<T>(value: T): u64 {
  return isFloat<T>() && value >= 0 ? <u64>value : <u64>(<i64>value);
}

/** Converts `count` elements from the register type to storage, like ONNX's Cast. */
export function narrowTo<T>(storage: i32, y: usize, x: usize, count: usize): void {
  switch (storage) {
    case Storage.Float32: return narrow<T, f32>(y, x, count);
    case Storage.Float64: return narrow<T, f64>(y, x, count);
    case Storage.Float16:
      if (isFloat<T>() && sizeof<T>() == 4) return narrowToHalf(y, x, count);
      for (const end = y + count * 2; y < end; y += 2, x += sizeof<T>())
        store<u16>(y, float16FromFloat(<f32>load<T>(x)));
      return;
    case Storage.BFloat16:
      for (const end = y + count * 2; y < end; y += 2, x += sizeof<T>())
        store<u16>(y, bfloat16FromFloat(<f32>load<T>(x)));
      return;
    case Storage.Int8:
    case Storage.Uint8:
      if (sizeof<T>() == 4) return narrowShort<T, u8>(y, x, count);
      return narrow<T, u8>(y, x, count);
    case Storage.Int16:
    case Storage.Uint16:
      if (sizeof<T>() == 4) return narrowShort<T, u16>(y, x, count);
      return narrow<T, u16>(y, x, count);
    case Storage.Int32:
      if (isFloat<T>() && sizeof<T>() == 4) return truncate(y, x, count);
      if (isFloat<T>()) {
        for (const end = y + count * 4; y < end; y += 4, x += 8) store<i32>(y, <i32>load<T>(x));
        return;
      }
      return narrow<T, i32>(y, x, count);
    case Storage.Uint32: return narrow<T, u32>(y, x, count);
    case Storage.Int64:
      if (isFloat<T>() && sizeof<T>() == 4) return narrowToLong(y, x, count);
      return narrow<T, i64>(y, x, count);
    case Storage.Uint64:
      for (const end = y + count * 8; y < end; y += 8, x += sizeof<T>()) store<u64>(y, toUint64<T>(load<T>(x)));
      return;
    case Storage.Bool:
      if (sizeof<T>() == 4) return narrowTruth<T>(y, x, count);
      for (const end = y + count; y < end; y++, x += sizeof<T>()) store<u8>(y, load<T>(x) != 0 ? 1 : 0);
      return;
  }
}
