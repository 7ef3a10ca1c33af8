/**
 * Whether a product takes 8-bit activations where they are allowed: it needs relaxed dot products, and two planes of a byte
 * would cost more than one.
 */
@inline
export function isNarrow(allowed: i32, bits: i32): bool {
  return ASC_FEATURE_RELAXED_SIMD && allowed != 0 && bits < 8;
}
