// binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits; bfloat16: the upper half of an f32.

const TWO_112: u32 = 0x77800000;
/** Any f32 at or above 65520 rounds to ∞. */
const OVERFLOW: u32 = 0x477ff000;

@inline
export function float16ToFloat(half: u32): f32 {
  const magnitude = (half & 0x7fff) << 13;
  // Rebias by 2^112 in floating point, which normalises denormals too; ∞ and NaN keep an all-ones exponent.
  const scaled = reinterpret<u32>(reinterpret<f32>(magnitude) * reinterpret<f32>(TWO_112));
  const bits = magnitude >= 0x0f800000 ? magnitude | 0x7f800000 : scaled;
  return reinterpret<f32>(bits | ((half & 0x8000) << 16));
}

/** To nearest, halves to even; NaN becomes a quiet NaN. */
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
