import { madd } from '../../math/madd';
import { fetch } from './fetch';
import { countOf, dot, Four, high, isBytes, isHalves, low, One, rawAt, stepOf, Three, Two } from './kind';

// Scores of a unit: up to four members, one per lane.

/** Four lanes: the sums of the lanes of a, b, c and d. */
@inline
function sumEach(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(v128.shuffle<i32>(a, b, 0, 4, 2, 6), v128.shuffle<i32>(a, b, 1, 5, 3, 7));
  const cd = f32x4.add(v128.shuffle<i32>(c, d, 0, 4, 2, 6), v128.shuffle<i32>(c, d, 1, 5, 3, 7));
  return f32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3));
}

@inline
function sumEachInteger(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 2, 6), v128.shuffle<i32>(a, b, 1, 5, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 2, 6), v128.shuffle<i32>(c, d, 1, 5, 3, 7));
  return f32x4.convert_i32x4_s(i32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3)));
}

/**
 * scores [keys][4] = factors · Q·Kᵀ, two keys at a time; a missing second key repeats the last. Queries are `pitch` bytes apart, as floats
 * or, for Bytes, as 16-bit integers. The result holds the largest float16 bits found, without signs, in the upper 15 bits of its 16-bit
 * lanes. For Floats, also prefetches the values of the same keys: without that, a token took 18.1 ms instead of 9.2 at 4,096 keys.
 */
function scoreKeys<T, M>(
  q: usize,
  pitch: usize,
  k: usize,
  rowBytes: usize,
  keys: i32,
  size: i32,
  scores: usize,
  factors: v128,
  values: usize,
  valuePitch: usize,
  valueBytes: usize,
): v128 {
  const members = countOf<M>();
  const last = k + <usize>(keys - 1) * rowBytes;
  const step = stepOf<T>();
  const end = <usize>(size >> 3) * step;
  let largest = i64x2.splat(0);
  for (let key = 0; key < keys; key += 2, k += 2 * rowBytes, scores += 32) {
    const next = min(k + rowBytes, last);
    let a0 = i64x2.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
    if (isFloat<T>()) {
      largest = v128.or(largest, fetch(values, valuePitch, min(2, keys - key), valueBytes));
      values += 2 * valuePitch;
    }
    let x = q;
    for (let i: usize = 0; i < end; i += step) {
      if (isBytes<T>()) {
        const s = v128.load8x8_s(k + i), t = v128.load8x8_s(next + i);
        const qa = v128.load(x);
        a0 = dot(qa, s, a0);
        a1 = dot(qa, t, a1);
        if (members > 1) {
          const qb = v128.load(x + pitch);
          b0 = dot(qb, s, b0);
          b1 = dot(qb, t, b1);
        }
        if (members > 2) {
          const qc = v128.load(x + 2 * pitch);
          c0 = dot(qc, s, c0);
          c1 = dot(qc, t, c1);
        }
        if (members > 3) {
          const qd = v128.load(x + 3 * pitch);
          d0 = dot(qd, s, d0);
          d1 = dot(qd, t, d1);
        }
        x += 16;
      } else {
        const r = rawAt<T>(k + i), u = rawAt<T>(next + i);
        if (isHalves<T>()) largest = i16x8.max_u(largest, i16x8.max_u(i16x8.shl(r, 1), i16x8.shl(u, 1)));
        const s0 = low<T>(k + i, r), t0 = low<T>(next + i, u);
        const qa0 = v128.load(x);
        a0 = madd(qa0, s0, a0);
        a1 = madd(qa0, t0, a1);
        if (members > 1) {
          const qb0 = v128.load(x + pitch);
          b0 = madd(qb0, s0, b0);
          b1 = madd(qb0, t0, b1);
        }
        if (members > 2) {
          const qc0 = v128.load(x + 2 * pitch);
          c0 = madd(qc0, s0, c0);
          c1 = madd(qc0, t0, c1);
        }
        if (members > 3) {
          const qd0 = v128.load(x + 3 * pitch);
          d0 = madd(qd0, s0, d0);
          d1 = madd(qd0, t0, d1);
        }
        const s1 = high<T>(k + i, r), t1 = high<T>(next + i, u);
        const qa1 = v128.load(x, 16);
        a0 = madd(qa1, s1, a0);
        a1 = madd(qa1, t1, a1);
        if (members > 1) {
          const qb1 = v128.load(x + pitch, 16);
          b0 = madd(qb1, s1, b0);
          b1 = madd(qb1, t1, b1);
        }
        if (members > 2) {
          const qc1 = v128.load(x + 2 * pitch, 16);
          c0 = madd(qc1, s1, c0);
          c1 = madd(qc1, t1, c1);
        }
        if (members > 3) {
          const qd1 = v128.load(x + 3 * pitch, 16);
          d0 = madd(qd1, s1, d0);
          d1 = madd(qd1, t1, d1);
        }
        x += 32;
      }
    }
    if (isBytes<T>()) {
      const s = f32x4.mul(factors, v128.load32_splat(k + <usize>size));
      const t = f32x4.mul(factors, v128.load32_splat(next + <usize>size));
      v128.store(scores, f32x4.mul(sumEachInteger(a0, b0, c0, d0), s));
      v128.store(scores, f32x4.mul(sumEachInteger(a1, b1, c1, d1), t), 16);
    } else {
      v128.store(scores, f32x4.mul(sumEach(a0, b0, c0, d0), factors));
      v128.store(scores, f32x4.mul(sumEach(a1, b1, c1, d1), factors), 16);
    }
  }
  return largest;
}

/** Calls `scoreKeys` for `members` members. */
export function score<T>(
  members: i32,
  q: usize,
  pitch: usize,
  k: usize,
  rowBytes: usize,
  keys: i32,
  size: i32,
  scores: usize,
  factors: v128,
  values: usize,
  valuePitch: usize,
  valueBytes: usize,
): v128 {
  if (members == 1) return scoreKeys<T, One>(q, pitch, k, rowBytes, keys, size, scores, factors, values, valuePitch, valueBytes);
  if (members == 2) return scoreKeys<T, Two>(q, pitch, k, rowBytes, keys, size, scores, factors, values, valuePitch, valueBytes);
  if (members == 3) return scoreKeys<T, Three>(q, pitch, k, rowBytes, keys, size, scores, factors, values, valuePitch, valueBytes);
  return scoreKeys<T, Four>(q, pitch, k, rowBytes, keys, size, scores, factors, values, valuePitch, valueBytes);
}
