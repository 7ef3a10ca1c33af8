/**
 * The larger value of each lane; NaN if either is NaN. On x64, f32x4.max becomes eight instructions and this three. If one operand is NaN,
 * pmax returns its first operand, so the two results together hold the NaN's bits.
 */
@inline
export function largest(a: v128, b: v128): v128 {
  return v128.or(f32x4.pmax(a, b), f32x4.pmax(b, a));
}
