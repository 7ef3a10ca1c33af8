export const enum AttentionTile {
  /** Maximum number of query rows in a tile. */
  QueryRows = 64,
}

/**
 * y = softmax(softcap(scale · Q·Kᵀ) + mask) · V per batch and head, f32; the score matrix is never stored whole.
 *
 * Q, K, V and y are addressed by strides in elements, with contiguous rows: [B, T, H·D], [B, H, T, D] and packed QKV need no transpose.
 * kvHeads divides heads; query head h uses key/value head h / (heads / kvHeads). headSize and valueSize are at most 512. The mask is added;
 * a stride of 0 broadcasts it.
 *
 * Query row i sees keys j ≤ i + causalOffset if `causal`, and only j < keyLengths[batch] (i32) if that is given; then causalOffset is
 * keyLengths[batch] − queryLength instead. A row that sees no key, or only scores of −∞, becomes 0, as in the conformance data of ONNX
 * Attention; a mask of large finite values (−1e9) has no such effect.
 *
 * A tile is one head's block of query rows; tiles = batch · heads · ceil(queryLength / AttentionTile.QueryRows).
 */
@unmanaged
export class AttentionParams {
  q: usize = 0;
  k: usize = 0;
  v: usize = 0;
  y: usize = 0;
  /** [batch, heads, queryLength, keyLength] by the mask strides, or 0. */
  mask: usize = 0;
  /** i32 [batch], or 0. */
  keyLengths: usize = 0;
  batch: i32 = 0;
  heads: i32 = 0;
  kvHeads: i32 = 0;
  queryLength: i32 = 0;
  keyLength: i32 = 0;
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
  scale: f32 = 1;
  /** softcap(x) = softcap · tanh(x / softcap); 0: none */
  softcap: f32 = 0;
}

@inline
function at(base: usize, batch: i32, batchStride: i32, head: i32, headStride: i32): usize {
  return base + ((<usize>batch * batchStride + <usize>head * headStride) << 2);
}

@inline
export function queriesOf(p: AttentionParams, batch: i32, head: i32): usize {
  return at(p.q, batch, p.qBatchStride, head, p.qHeadStride);
}

@inline
export function keysOf(p: AttentionParams, batch: i32, head: i32): usize {
  return at(p.k, batch, p.kBatchStride, head / (p.heads / p.kvHeads), p.kHeadStride);
}

@inline
export function valuesOf(p: AttentionParams, batch: i32, head: i32): usize {
  return at(p.v, batch, p.vBatchStride, head / (p.heads / p.kvHeads), p.vHeadStride);
}

@inline
export function outputsOf(p: AttentionParams, batch: i32, head: i32): usize {
  return at(p.y, batch, p.yBatchStride, head, p.yHeadStride);
}

@inline
export function maskOf(p: AttentionParams, batch: i32, head: i32): usize {
  return p.mask ? at(p.mask, batch, p.maskBatchStride, head, p.maskHeadStride) : 0;
}

/** The number of keys for this batch row. */
@inline
export function keyCount(p: AttentionParams, batch: i32): i32 {
  if (!p.keyLengths) return p.keyLength;
  return min(p.keyLength, load<i32>(p.keyLengths + ((<usize>batch) << 2)));
}

/** The offset o for which query row i sees keys up to i + o. */
@inline
export function lastKeyOffset(p: AttentionParams, batch: i32): i32 {
  if (!p.causal) return i32.MAX_VALUE >> 1;
  return p.keyLengths ? load<i32>(p.keyLengths + ((<usize>batch) << 2)) - p.queryLength : p.causalOffset;
}
