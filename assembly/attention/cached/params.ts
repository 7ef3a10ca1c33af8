/** How keys and values lie in memory. */
export const enum CacheStorage {
  Float32 = 0,
  Float16 = 1,
  /** Rows of 8-bit integers, each with its scale, an f32, behind its last. */
  Int8 = 2,
}

/** A query row of one head is a member of the group that shares a key head; a tile has at most so many, and keys of one split. */
export const enum CachedAttentionTile {
  Members = 8,
  /** 5 µs of three heads of 64. Two threads that shared three heads of 4,096 keys took as long as one. */
  Keys = 256,
}

/** What a tile has come to where keys are split: its members' maxima, sums and, behind these, what they have summed up so far, as f32. */
export const enum CachedAttentionPart {
  Top = 0,
  Sum = 4,
  Values = 8,
}

/**
 * y = softmax(softcap(scale · Q·Kᵀ) + mask) · V as the kernel `attention` has it, of keys and values that are read as they are stored: each
 * once for all query heads that share it.
 *
 * Strides are in elements of what they lead through, of Int8 in bytes, the scales among them. headSize and valueSize are multiples of 8 and
 * at most 2048. Query row i sees keys j ≤ i + causalOffset where `causal`, of these the last `window` where that is not 0, and only j <
 * keyLengths[batch] (i32) if that is given; then causalOffset is keyLengths[batch] − queryLength instead. `sinks` [heads] are
 * logarithms of what each head adds to the denominator, or 0. A row that sees no key becomes 0.
 *
 * Products with halves and floats are of single precision. With Int8 queries and weights are rounded to 16 bits, so that sums are exact.
 * Members are counted query row by query row; tiles = batch · kvHeads · ceil(queryLength · heads / kvHeads / Members) · splits. Where one tile has
 * all members of a key head, keys may be split, `Keys` each: then a tile writes its part instead of y, to parts [tiles][members]
 * [CachedAttentionPart and valueSize], of which `joinParts` makes y: https://pytorch.org/blog/flash-decoding/.
 */
@unmanaged
export class CachedAttentionParams {
  q: usize = 0;
  k: usize = 0;
  v: usize = 0;
  y: usize = 0;
  /** [batch, heads, queryLength, keyLength] by the mask strides, or 0. */
  mask: usize = 0;
  keyLengths: usize = 0;
  sinks: usize = 0;
  parts: usize = 0;
  storage: i32 = 0;
  batch: i32 = 0;
  heads: i32 = 0;
  kvHeads: i32 = 0;
  queryLength: i32 = 0;
  keyLength: i32 = 0;
  splits: i32 = 1;
  headSize: i32 = 0;
  valueSize: i32 = 0;
  qBatchStride: i32 = 0;
  qHeadStride: i32 = 0;
  qRowStride: i32 = 0;
  kBatchStride: i32 = 0;
  kHeadStride: i32 = 0;
  kRowStride: i32 = 0;
  vBatchStride: i32 = 0;
  vHeadStride: i32 = 0;
  vRowStride: i32 = 0;
  yBatchStride: i32 = 0;
  yHeadStride: i32 = 0;
  yRowStride: i32 = 0;
  maskBatchStride: i32 = 0;
  maskHeadStride: i32 = 0;
  maskRowStride: i32 = 0;
  maskColumnStride: i32 = 0;
  causal: i32 = 0;
  causalOffset: i32 = 0;
  window: i32 = 0;
  scale: f32 = 1;
  softcap: f32 = 0;
}
