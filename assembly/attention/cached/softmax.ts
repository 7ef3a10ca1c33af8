import { expNonPositive } from '../../math/exp';
import { tanh } from '../../math/tanh';

// Steps of the online softmax of a unit, on scores [keys][4]: one lane per member.

export function capScores(scores: usize, keys: i32, cap: f32): void {
  const inverse = f32x4.splat(1 / cap), factor = f32x4.splat(cap);
  for (; keys; keys--, scores += 16) {
    v128.store(scores, f32x4.mul(tanh(f32x4.mul(v128.load(scores), inverse)), factor));
  }
}

/** Adds the mask of one member to its lane; the stride is in bytes. */
export function addMask(scores: usize, keys: i32, mask: usize, columnStride: usize): void {
  for (; keys; keys--, scores += 16, mask += columnStride) store<f32>(scores, load<f32>(scores) + load<f32>(mask));
}

/** Hides keys outside from…until; the scores begin at key `first`. */
export function hideScores(scores: usize, keys: i32, first: i32, from: v128, until: v128): void {
  const hidden = f32x4.splat(f32.NEGATIVE_INFINITY);
  for (let key = first; key < first + keys; key++, scores += 16) {
    const at = i32x4.splat(key);
    const seen = v128.and(i32x4.ge_s(at, from), i32x4.lt_s(at, until));
    v128.store(scores, v128.bitselect(v128.load(scores), hidden, seen));
  }
}

// State of a unit: maxima and sums so far, and factors for older results.
export const TOPS: usize = 0;
export const SUMS: usize = 16;
export const DECAYS: usize = 32;

/** One step of the online softmax: scores become `worth` · exp(score − maximum so far). */
export function softmaxStep(state: usize, scores: usize, keys: i32, worth: f32): void {
  const before = v128.load(state, TOPS);
  let top = before;
  const end = scores + ((<usize>keys) << 4);
  for (let s = scores; s < end; s += 16) top = f32x4.pmax(top, v128.load(s));
  v128.store(state, top, TOPS);
  // If all keys are hidden so far, exp(−∞ − 0) gives the required 0.
  top = v128.andnot(top, f32x4.eq(top, f32x4.splat(f32.NEGATIVE_INFINITY)));
  const decay = expNonPositive(f32x4.sub(before, top));
  let sum = f32x4.mul(v128.load(state, SUMS), decay);
  const factor = f32x4.splat(worth);
  for (let s = scores; s < end; s += 16) {
    const e = expNonPositive(f32x4.sub(v128.load(s), top));
    v128.store(s, f32x4.mul(e, factor));
    sum = f32x4.add(sum, e);
  }
  v128.store(state, sum, SUMS);
  v128.store(state, decay, DECAYS);
  v128.store(end, f32x4.splat(0));
}

/**
 * Multiplies weights [keys][4] by the scales of their values at `scales`, and rounds them to 16-bit integers in pairs of two keys [keys /
 * 2][4]. Returns each lane's scale.
 */
export function roundWeights(weights: usize, keys: i32, pairs: usize, scales: usize, rowBytes: usize): v128 {
  const end = weights + ((<usize>keys) << 4);
  let most = f32x4.splat(0);
  for (let w = weights; w < end; w += 16, scales += rowBytes) {
    const scaled = f32x4.mul(v128.load(w), v128.load32_splat(scales));
    v128.store(w, scaled);
    most = f32x4.max(most, scaled);
  }
  const limit = i32x4.splat(32767);
  const factor = f32x4.div(f32x4.splat(32767), most);
  for (let w = weights; w < end; w += 32, pairs += 16) {
    const a = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(w), factor)));
    const b = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(w, 16), factor)));
    v128.store(pairs, v128.or(i32x4.min_s(a, limit), i32x4.shl(i32x4.min_s(b, limit), 16)));
  }
  return f32x4.mul(most, f32x4.splat(1 / 32767));
}
