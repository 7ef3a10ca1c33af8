/** Storage of keys and values. */
export const enum CacheStorage {
  Float32 = 0,
  Float16 = 1,
  /** Rows of 8-bit integers, each followed by its scale as an f32. */
  Int8 = 2,
}

/** A member is a query row of one head, in the group of heads that share a key head. Limits of a tile: its members, and keys in a split. */
export const enum CachedAttentionTile {
  Members = 8,
  /** 5 µs for three heads of size 64. Two threads that shared three heads of 4,096 keys took as long as one. */
  Keys = 256,
}

/** Layout of a member's part of a tile with split keys: its maximum, its sum, and then its weighted sum of values, as f32. */
export const enum CachedAttentionPart {
  Top = 0,
  Sum = 4,
  Values = 8,
}

/**
 * y = softmax(softcap(scale · Q·Kᵀ) + mask) · V like the kernel `attention`, but reads keys and values as they are stored, once for all
 * query heads that share them.
 *
 * Strides are in elements of their tensor; for Int8 in bytes, including the scales. headSize and valueSize are multiples of 8 and at most
 * 2048. Query row i sees keys j ≤ i + causalOffset if `causal`, only the last `window` of them unless that is 0, and only j <
 * keyLengths[batch] (i32) if that is given; then causalOffset is keyLengths[batch] − queryLength instead. `sinks` [heads] holds the
 * logarithm of each head's addend to the denominator, or is 0. A row that sees no key becomes 0.
 *
 * Products with halves and floats are in single precision. With Int8, queries and weights are rounded to 16 bits, so that sums are exact.
 * Members are ordered by query row; tiles = batch · kvHeads · ceil(queryLength · heads / kvHeads / Members) · splits. If one tile has all
 * members of a key head, keys may be split, `Keys` each: then a tile writes its part instead of y, to parts [tiles][members]
 * [CachedAttentionPart and valueSize], and `joinParts` computes y: https://pytorch.org/blog/flash-decoding/.
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
