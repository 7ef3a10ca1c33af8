/** Mask of the lowest bits of 16-bit lanes, or of bytes. */
@inline
export function lowest(BITS: i32, BYTES: bool): v128 {
  const mask = (1 << BITS) - 1;
  return BYTES ? i8x16.splat(<i8>mask) : i16x8.splat(<i16>mask);
}

/** Plane `i` of codes: 16-bit lanes, or bytes if activations are bytes too. */
@inline
export function plane(BITS: i32, BYTES: bool, i: i32, codes: v128): v128 {
  const shifted = i > 0 ? i16x8.shr_u(codes, i * BITS) : codes;
  if (!BYTES && (i + 1) * BITS == 16) return shifted;
  return v128.and(shifted, lowest(BITS, BYTES));
}

/** Codes are below 16 and activations at most 127, so sixteen pairs fit 16 bits on every engine. */
@inline
export function addPairs(BYTES: bool, sum: v128, a: v128, codes: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD && BYTES) return i16x8.add(sum, i16x8.relaxed_dot_i8x16_i7x16_s(a, codes));
  return i32x4.add(sum, i32x4.dot_i16x8_s(a, codes));
}

/** Codes are non-negative bytes, and sums of two products fit 16 bits: the same result on every engine. */
@inline
export function addQuads(sum: v128, a: v128, codes: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? i32x4.relaxed_dot_i8x16_i7x16_add_s(a, codes, sum) : sum;
}
