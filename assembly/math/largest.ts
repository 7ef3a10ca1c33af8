/**
 * The larger of each lane, NaN where either is. On x64 f32x4.max becomes eight instructions and this three; where one
 * operand is NaN, pmax gives its first operand, so that the two results together hold the NaN's bits.
 */
@inline
export function largest(a: v128, b: v128): v128 {
  return v128.or(f32x4.pmax(a, b), f32x4.pmax(b, a));
}
