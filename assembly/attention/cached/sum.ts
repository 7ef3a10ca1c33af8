import { madd } from '../../math/madd';
import { countOf, dot, Four, high, isBytes, isHalves, low, One, rawAt, stepOf, Three, Two } from './kind';

/** y = y · decay + sums · worth, for eight columns of one member; `decay` and `worth` point to its lane. */
@inline
function carry<T>(y: usize, s: v128, t: v128, decay: usize, worth: usize): void {
  const factor = v128.load32_splat(decay);
  if (isBytes<T>()) {
    const scale = v128.load32_splat(worth);
    s = f32x4.mul(f32x4.convert_i32x4_s(s), scale);
    t = f32x4.mul(f32x4.convert_i32x4_s(t), scale);
  }
  v128.store(y, madd(v128.load(y), factor, s));
  v128.store(y, madd(v128.load(y, 16), factor, t), 16);
}

/**
 * outputs = outputs · decays + weights · V, eight columns at a time; outputs are `pitch` bytes apart. The weights are [keys][4] floats, or
 * for Bytes pairs of 16-bit integers of two keys [keys / 2][4] with scales `worths`. Returns the largest bits found, like scoreKeys.
 */
function addValues<T, M>(
  y: usize,
  pitch: usize,
  decays: usize,
  worths: usize,
  weights: usize,
  v: usize,
  rowBytes: usize,
  keys: i32,
  size: i32,
): v128 {
  const members = countOf<M>();
  const step = stepOf<T>();
  const stride: i32 = isBytes<T>() || members < 3 ? 2 : 1;
  const last = v + <usize>(keys - 1) * rowBytes;
  let largest = i64x2.splat(0);
  for (let column = 0; column < size; column += 8, v += step, y += 32) {
    const final = last + <usize>(column >> 3) * step;
    let a0 = i64x2.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
    let w = weights, row = v;
    for (let key = 0; key < keys; key += stride, row += <usize>stride * rowBytes) {
      const next = min(row + rowBytes, final);
      if (isBytes<T>()) {
        const r = v128.load8x8_s(row), u = v128.load8x8_s(next);
        const s = v128.shuffle<i16>(r, u, 0, 8, 1, 9, 2, 10, 3, 11);
        const t = v128.shuffle<i16>(r, u, 4, 12, 5, 13, 6, 14, 7, 15);
        const wa = v128.load32_splat(w);
        a0 = dot(wa, s, a0);
        a1 = dot(wa, t, a1);
        if (members > 1) {
          const wb = v128.load32_splat(w, 4);
          b0 = dot(wb, s, b0);
          b1 = dot(wb, t, b1);
        }
        if (members > 2) {
          const wc = v128.load32_splat(w, 8);
          c0 = dot(wc, s, c0);
          c1 = dot(wc, t, c1);
        }
        if (members > 3) {
          const wd = v128.load32_splat(w, 12);
          d0 = dot(wd, s, d0);
          d1 = dot(wd, t, d1);
        }
        w += 16;
      } else {
        const r = rawAt<T>(row);
        if (isHalves<T>()) largest = i16x8.max_u(largest, i16x8.shl(r, 1));
        const s = low<T>(row, r), t = high<T>(row, r);
        const wa = v128.load32_splat(w);
        a0 = madd(wa, s, a0);
        a1 = madd(wa, t, a1);
        if (members > 1) {
          const wb = v128.load32_splat(w, 4);
          b0 = madd(wb, s, b0);
          b1 = madd(wb, t, b1);
        }
        if (members > 2) {
          const wc = v128.load32_splat(w, 8);
          c0 = madd(wc, s, c0);
          c1 = madd(wc, t, c1);
        }
        if (members > 3) {
          const wd = v128.load32_splat(w, 12);
          d0 = madd(wd, s, d0);
          d1 = madd(wd, t, d1);
        }
        w += 16;
        // With so few members, odd keys have sums of their own, so that additions do not wait for one another.
        if (members < 3) {
          const u = rawAt<T>(next);
          if (isHalves<T>()) largest = i16x8.max_u(largest, i16x8.shl(u, 1));
          const m = low<T>(next, u), n = high<T>(next, u);
          const xa = v128.load32_splat(w);
          c0 = madd(xa, m, c0);
          c1 = madd(xa, n, c1);
          if (members > 1) {
            const xb = v128.load32_splat(w, 4);
            d0 = madd(xb, m, d0);
            d1 = madd(xb, n, d1);
          }
          w += 16;
        }
      }
    }
    if (!isBytes<T>() && members < 3) {
      a0 = f32x4.add(a0, c0);
      a1 = f32x4.add(a1, c1);
      b0 = f32x4.add(b0, d0);
      b1 = f32x4.add(b1, d1);
    }
    carry<T>(y, a0, a1, decays, worths);
    if (members > 1) carry<T>(y + pitch, b0, b1, decays + 4, worths + 4);
    if (members > 2) carry<T>(y + 2 * pitch, c0, c1, decays + 8, worths + 8);
    if (members > 3) carry<T>(y + 3 * pitch, d0, d1, decays + 12, worths + 12);
  }
  return largest;
}

/** Calls `addValues` for `members` members. */
export function sum<T>(
  members: i32,
  y: usize,
  pitch: usize,
  decays: usize,
  worths: usize,
  weights: usize,
  v: usize,
  rowBytes: usize,
  keys: i32,
  size: i32,
): v128 {
  if (members == 1) return addValues<T, One>(y, pitch, decays, worths, weights, v, rowBytes, keys, size);
  if (members == 2) return addValues<T, Two>(y, pitch, decays, worths, weights, v, rowBytes, keys, size);
  if (members == 3) return addValues<T, Three>(y, pitch, decays, worths, weights, v, rowBytes, keys, size);
  return addValues<T, Four>(y, pitch, decays, worths, weights, v, rowBytes, keys, size);
}
