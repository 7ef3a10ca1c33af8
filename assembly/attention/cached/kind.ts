import { float16sToFloats } from '../../math/float16';

// Storage types of keys and values, as type parameters of functions.

export type Floats = f32;
/** Float16 without ∞ or NaN. */
export type Halves = u16;
export type AnyHalves = i16;
export type Bytes = i8;

@inline
export function isBytes<T>(): bool {
  return sizeof<T>() == 1;
}

@inline
export function isHalves<T>(): bool {
  return sizeof<T>() == 2 && !isSigned<T>();
}

/** Float16 as floats with an exponent that is 112 too small; ∞ and NaN are not supported. */
@inline
function shifted(half: v128): v128 {
  return v128.and(i32x4.shl(half, 13), i32x4.splat(0x8fffe000));
}

/** The first four of eight elements at `at`; `raw` holds them if they are halves. */
@inline
export function low<T>(at: usize, raw: v128): v128 {
  if (isFloat<T>()) return v128.load(at);
  const half = i32x4.extend_low_i16x8_s(raw);
  return isHalves<T>() ? shifted(half) : float16sToFloats(half);
}

@inline
export function high<T>(at: usize, raw: v128): v128 {
  if (isFloat<T>()) return v128.load(at, 16);
  const half = i32x4.extend_high_i16x8_s(raw);
  return isHalves<T>() ? shifted(half) : float16sToFloats(half);
}

@inline
export function rawAt<T>(at: usize): v128 {
  return isFloat<T>() ? i64x2.splat(0) : v128.load(at);
}

/** Bytes in eight elements. */
@inline
export function stepOf<T>(): usize {
  return isFloat<T>() ? 32 : isBytes<T>() ? 8 : 16;
}

@inline
export function dot(a: v128, b: v128, sum: v128): v128 {
  return i32x4.add(sum, i32x4.dot_i16x8_s(a, b));
}

// Numbers of members as types, so that each has a function of its own with all registers.

export type One = i8;
export type Two = i16;
export type Three = i32;
export type Four = i64;

@inline
export function countOf<M>(): i32 {
  return 1 + ctz<i32>(sizeof<M>());
}
