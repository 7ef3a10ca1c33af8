import { bfloat16FromFloat, float16FromFloat, float16ToFloat } from '../math/float16';

/** How an element lies in memory; booleans are bytes 0 and 1. */
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

/** Whether blocks of a register can be used in place in memory of that storage. */
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

function widenBytes(y: usize, x: usize, count: usize): void {
  const vectors = y + (count & ~3) * 4;
  const end = y + count * 4;
  for (; y < vectors; y += 16, x += 4) {
    const shorts = i16x8.extend_low_i8x16_u(v128.load32_zero(x));
    v128.store(y, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(shorts)));
  }
  for (; y < end; y += 4, x++) store<f32>(y, <f32>load<u8>(x));
}

/** Converts `count` elements from storage to register type. */
export function widenFrom<T>(storage: i32, y: usize, x: usize, count: usize): void {
  switch (storage) {
    case Storage.Float32: return widen<T, f32>(y, x, count);
    case Storage.Float64: return widen<T, f64>(y, x, count);
    case Storage.Float16:
      for (const end = y + count * sizeof<T>(); y < end; y += sizeof<T>(), x += 2)
        store<T>(y, <T>float16ToFloat(load<u16>(x)));
      return;
    case Storage.BFloat16:
      for (const end = y + count * sizeof<T>(); y < end; y += sizeof<T>(), x += 2)
        store<T>(y, <T>reinterpret<f32>(<u32>load<u16>(x) << 16));
      return;
    case Storage.Int8: return widen<T, i8>(y, x, count);
    case Storage.Int16: return widen<T, i16>(y, x, count);
    case Storage.Int32: return widen<T, i32>(y, x, count);
    case Storage.Int64: return widen<T, i64>(y, x, count);
    case Storage.Uint8:
    case Storage.Bool:
      if (isFloat<T>() && sizeof<T>() == 4) return widenBytes(y, x, count);
      return widen<T, u8>(y, x, count);
    case Storage.Uint16: return widen<T, u16>(y, x, count);
    case Storage.Uint32: return widen<T, u32>(y, x, count);
    case Storage.Uint64: return widen<T, u64>(y, x, count);
  }
}

/** Floats truncate through i64 and keep its low bits, so negative numbers wrap in unsigned types as in C on a CPU. */
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

@inline
function toUint64<T>(value: T): u64 {
  return isFloat<T>() && value >= 0 ? <u64>value : <u64>(<i64>value);
}

/** Converts `count` elements from register type to storage: ONNX's Cast. */
export function narrowTo<T>(storage: i32, y: usize, x: usize, count: usize): void {
  switch (storage) {
    case Storage.Float32: return narrow<T, f32>(y, x, count);
    case Storage.Float64: return narrow<T, f64>(y, x, count);
    case Storage.Float16:
      for (const end = y + count * 2; y < end; y += 2, x += sizeof<T>())
        store<u16>(y, float16FromFloat(<f32>load<T>(x)));
      return;
    case Storage.BFloat16:
      for (const end = y + count * 2; y < end; y += 2, x += sizeof<T>())
        store<u16>(y, bfloat16FromFloat(<f32>load<T>(x)));
      return;
    case Storage.Int8:
    case Storage.Uint8: return narrow<T, u8>(y, x, count);
    case Storage.Int16:
    case Storage.Uint16: return narrow<T, u16>(y, x, count);
    case Storage.Int32:
      if (isFloat<T>() && sizeof<T>() == 4) return truncate(y, x, count);
      if (isFloat<T>()) {
        for (const end = y + count * 4; y < end; y += 4, x += 8) store<i32>(y, <i32>load<T>(x));
        return;
      }
      return narrow<T, i32>(y, x, count);
    case Storage.Uint32: return narrow<T, u32>(y, x, count);
    case Storage.Int64: return narrow<T, i64>(y, x, count);
    case Storage.Uint64:
      for (const end = y + count * 8; y < end; y += 8, x += sizeof<T>()) store<u64>(y, toUint64<T>(load<T>(x)));
      return;
    case Storage.Bool:
      for (const end = y + count; y < end; y++, x += sizeof<T>()) store<u8>(y, load<T>(x) != 0 ? 1 : 0);
      return;
  }
}
