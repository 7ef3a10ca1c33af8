import { CachedAttentionParams, CachedAttentionPart } from './params';

@inline
export function at(base: usize, batch: i32, batchStride: i32, head: i32, headStride: i32, shift: usize): usize {
  return base + ((<usize>batch * batchStride + <usize>head * headStride) << shift);
}

@inline
export function headOf(p: CachedAttentionParams, shared: i32, member: i32): i32 {
  const group = p.heads / p.kvHeads;
  return shared * group + member % group;
}

@inline
export function rowOf(p: CachedAttentionParams, member: i32): i32 {
  return member / (p.heads / p.kvHeads);
}

/** The address of a member's row of y. */
@inline
export function resultOf(p: CachedAttentionParams, batch: i32, shared: i32, member: i32): usize {
  return at(p.y, batch, p.yBatchStride, headOf(p, shared, member), p.yHeadStride, 2) + ((<usize>rowOf(p, member) * p.yRowStride) << 2);
}

@inline
export function membersOf(p: CachedAttentionParams): i32 {
  return p.heads / p.kvHeads * p.queryLength;
}

@inline
export function memberBytes(p: CachedAttentionParams): usize {
  return <usize>CachedAttentionPart.Values + ((<usize>p.valueSize) << 2);
}

/** The address of the parts of a tile's members, which are one after the other. */
@inline
export function partOf(p: CachedAttentionParams, tile: i32): usize {
  return p.parts + <usize>tile * <usize>membersOf(p) * memberBytes(p);
}
