import { madd } from '../../math/madd';
import { expNonPositive } from '../../math/exp';
import { CachedAttentionParams, CachedAttentionPart } from './params';
import { memberBytes, membersOf, partOf, resultOf } from './places';

/**
 * Combines the parts that `cachedAttention` computes for the splits of keys into y. A tile is a key head, an index over batch · kvHeads.
 */
export function joinParts(p: CachedAttentionParams, begin: i32, end: i32): void {
  for (let shared = begin; shared < end; shared++) {
    let part = partOf(p, shared * p.splits);
    for (let member = 0; member < membersOf(p); member++, part += memberBytes(p)) {
      joinMember(p, part, resultOf(p, shared / p.kvHeads, shared % p.kvHeads, member));
    }
  }
}

/** Computes the result of one member from its parts, which are one per tile; 0 if no part saw a key. */
function joinMember(p: CachedAttentionParams, parts: usize, y: usize): void {
  const pitch = <usize>membersOf(p) * memberBytes(p), end = parts + <usize>p.splits * pitch;
  const bytes = (<usize>p.valueSize) << 2;
  let top = f32.NEGATIVE_INFINITY;
  for (let part = parts; part < end; part += pitch) top = max(top, load<f32>(part, CachedAttentionPart.Top));
  // If all keys are hidden, exp(−∞ − 0) gives the required 0.
  if (top == f32.NEGATIVE_INFINITY) top = 0;
  memory.fill(y, 0, bytes);
  let total: f32 = 0;
  for (let part = parts; part < end; part += pitch) {
    const sum = load<f32>(part, CachedAttentionPart.Sum);
    if (sum == 0) continue;
    const worth = expNonPositive(f32x4.splat(load<f32>(part, CachedAttentionPart.Top) - top));
    total += f32x4.extract_lane(worth, 0) * sum;
    addValues(y, part + CachedAttentionPart.Values, bytes, worth);
  }
  if (total == 0) return;
  const inverse = f32x4.splat(1 / total);
  for (let i: usize = 0; i < bytes; i += 16) v128.store(y + i, f32x4.mul(v128.load(y + i), inverse));
}

@inline
function addValues(y: usize, values: usize, bytes: usize, worth: v128): void {
  for (let i: usize = 0; i < bytes; i += 16) v128.store(y + i, madd(v128.load(values + i), worth, v128.load(y + i)));
}
