import { HALF, splat32 } from './constants';

// binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits; bfloat16: the upper half of an f32.

const TWO_112: u32 = 0x77800000;
/** Any f32 at or above 65520 rounds to ∞. */
const OVERFLOW: u32 = 0x477ff000;

@inline
export function float16ToFloat(half: u32): f32 {
  const magnitude = (half & 0x7fff) << 13;
  // Rebias by 2^112 in floating point, which normalizes denormals too; ∞ and NaN get an exponent of all ones.
  const scaled = reinterpret<u32>(reinterpret<f32>(magnitude) * reinterpret<f32>(TWO_112));
  const bits = magnitude >= 0x0f800000 ? magnitude | 0x7f800000 : scaled;
  return reinterpret<f32>(bits | ((half & 0x8000) << 16));
}

/** Rounds to nearest, ties to even; NaN becomes a quiet NaN. */
@inline
export function float16FromFloat(x: f32): u32 {
  const bits = reinterpret<u32>(x);
  const magnitude = bits & 0x7fffffff;
  const sign = (bits >>> 16) & 0x8000;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  if (magnitude >= OVERFLOW) return sign | 0x7c00;
  // Below 2⁻¹⁴ the result is denormal: adding ½ aligns its last bit with that of ½, 2⁻²⁴, and rounds.
  if (magnitude < 0x38800000) {
    return sign | (reinterpret<u32>(reinterpret<f32>(magnitude) + 0.5) - 0x3f000000);
  }
  const odd = (magnitude >>> 13) & 1;
  return sign | ((magnitude - 0x38000000 + 0xfff + odd) >>> 13);
}

@inline
export function bfloat16FromFloat(x: f32): u32 {
  const bits = reinterpret<u32>(x);
  if ((bits & 0x7fffffff) > 0x7f800000) return (bits >>> 16) | 0x40;
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

const MAGNITUDE = memory.data<i32>([0x7fffffff], 4);
const SIGN = memory.data<i32>([0x8000], 4);
/** Subtracts the difference of the exponents, and adds just below half of the bits that are rounded off. */
const ROUND = memory.data<i32>([0xfff - 0x38000000], 4);
const LAST = memory.data<i32>([1], 4);
const HALF_BITS = memory.data<i32>([0x3f000000], 4);
const SMALLEST_NORMAL = memory.data<i32>([0x38800000], 4);
const INFINITY_16 = memory.data<i32>([0x7c00], 4);
const INFINITY_32 = memory.data<i32>([0x7f800000], 4);
const QUIET = memory.data<i32>([0x200], 4);

/** float16FromFloat of four floats. */
@inline
function float16s(x: v128): v128 {
  const magnitude = v128.and(x, splat32(MAGNITUDE));
  const sign = v128.and(i32x4.shr_u(x, 16), splat32(SIGN));
  const odd = v128.and(i32x4.shr_u(magnitude, 13), splat32(LAST));
  const normal = i32x4.shr_u(i32x4.add(i32x4.add(magnitude, splat32(ROUND)), odd), 13);
  const denormal = i32x4.sub(f32x4.add(magnitude, splat32(HALF)), splat32(HALF_BITS));
  const rounded = v128.bitselect(denormal, normal, i32x4.gt_s(splat32(SMALLEST_NORMAL), magnitude));
  const nan = v128.and(i32x4.gt_s(magnitude, splat32(INFINITY_32)), splat32(QUIET));
  return v128.or(v128.or(i32x4.min_s(rounded, splat32(INFINITY_16)), nan), sign);
}

/** float16FromFloat of eight floats. */
@inline
export function float16sFromFloats(low: v128, high: v128): v128 {
  return i16x8.narrow_i32x4_u(float16s(low), float16s(high));
}

const MAGNITUDE_16 = memory.data<i32>([0x7fff], 4);
const INFINITE_16 = memory.data<i32>([0x0f7fffff], 4);
const SCALE = memory.data<u32>([0x77800000], 4);

/** float16ToFloat of four float16 in 32-bit lanes. */
@inline
export function float16sToFloats(half: v128): v128 {
  const magnitude = i32x4.shl(v128.and(half, splat32(MAGNITUDE_16)), 13);
  const infinite = v128.and(i32x4.gt_s(magnitude, splat32(INFINITE_16)), splat32(INFINITY_32));
  const sign = i32x4.shl(v128.and(half, splat32(SIGN)), 16);
  return v128.or(v128.or(f32x4.mul(magnitude, splat32(SCALE)), infinite), sign);
}
