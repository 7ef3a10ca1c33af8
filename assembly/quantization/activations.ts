/** Formats of rounded activations, by the operands of one dot product. */
export const enum Activations {
  /** Pairs of 16-bit integers, on any engine. */
  WordPairs = 0,
  /** Pairs of bytes, with relaxed dot products into 16 bits. */
  BytePairs = 1,
  /** Four bytes, with relaxed dot products into 32 bits. */
  ByteQuads = 2,
  /** Four 16-bit integers as 256 · high + low, each a signed byte. */
  WordQuads = 3,
}

/** The largest 16-bit integer that two signed bytes can represent. */
export const MAX_WORD: i32 = 127 * 256 + 127;

/**
 * `narrow`: 8 bits are allowed; `quads`: relaxed dot products of four are one instruction. Two planes of bytes would cost more than one of
 * 16 bits, and 8-bit weights cannot be an operand of relaxed dot products.
 */
@inline
export function activationsOf(narrow: i32, quads: i32, bits: i32): Activations {
  if (!ASC_FEATURE_RELAXED_SIMD || bits == 8) return Activations.WordPairs;
  if (quads) return narrow ? Activations.ByteQuads : Activations.WordQuads;
  return narrow ? Activations.BytePairs : Activations.WordPairs;
}

@inline
export function areBytes(form: Activations): bool {
  return form == Activations.BytePairs || form == Activations.ByteQuads;
}
