import { loadLanes, storeLanes } from '../lanes';
import { expNonPositive } from '../math/exp';
import { madd } from '../math/madd';
import { tanh } from '../math/tanh';
import { scratch } from '../program';
import { AttentionParams, keyCount, keysOf, lastKeyOffset, maskOf, outputsOf, queriesOf, valuesOf } from './params';

// Attention of one query row, as in decoding. Limited by the bandwidth of reading K and V once; lanes run along the head.

/** Keys in one step of the online softmax. */
const KEYS: i32 = 512;

const SCORES: usize = 0;
const OUTPUT: usize = SCORES + (KEYS << 2);

/** Four lanes: the sums of the lanes of a, b, c and d. */
@inline
function sumEach(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(v128.shuffle<i32>(a, b, 0, 4, 2, 6), v128.shuffle<i32>(a, b, 1, 5, 3, 7));
  const cd = f32x4.add(v128.shuffle<i32>(c, d, 0, 4, 2, 6), v128.shuffle<i32>(c, d, 1, 5, 3, 7));
  return f32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3));
}

/** Computes the scores of `keys` keys, four at a time; missing keys repeat the last. */
function scoreRow(scores: usize, q: usize, k: usize, keys: i32, rowStride: usize, size: i32, scale: f32): void {
  const last = k + <usize>(keys - 1) * rowStride;
  const whole = (<usize>(size & ~3)) << 2, rest = size & 3;
  for (let key = 0; key < keys; key += 4, k += 4 * rowStride, scores += 16) {
    const k1 = min(k + rowStride, last), k2 = min(k1 + rowStride, last), k3 = min(k2 + rowStride, last);
    let a = f32x4.splat(0), b = a, c = a, d = a;
    let i: usize = 0;
    for (; i < whole; i += 16) {
      const x = v128.load(q + i);
      a = madd(x, v128.load(k + i), a);
      b = madd(x, v128.load(k1 + i), b);
      c = madd(x, v128.load(k2 + i), c);
      d = madd(x, v128.load(k3 + i), d);
    }
    if (rest) {
      const x = loadLanes(q + i, rest);
      a = madd(x, loadLanes(k + i, rest), a);
      b = madd(x, loadLanes(k1 + i, rest), b);
      c = madd(x, loadLanes(k2 + i, rest), c);
      d = madd(x, loadLanes(k3 + i, rest), d);
    }
    v128.store(scores, f32x4.mul(sumEach(a, b, c, d), f32x4.splat(scale)));
  }
}

function capRow(scores: usize, keys: i32, cap: f32): void {
  const inverse = f32x4.splat(1 / cap), factor = f32x4.splat(cap);
  for (; keys > 0; keys -= 4, scores += 16) {
    v128.store(scores, f32x4.mul(tanh(f32x4.mul(v128.load(scores), inverse)), factor));
  }
}

function maskRow(scores: usize, keys: i32, mask: usize, columnStride: usize): void {
  for (; keys; keys--, scores += 4, mask += columnStride) store<f32>(scores, load<f32>(scores) + load<f32>(mask));
}

function maximum(scores: usize, keys: i32): f32 {
  let top = f32x4.splat(f32.NEGATIVE_INFINITY);
  for (; keys > 0; keys -= 4, scores += 16) top = f32x4.pmax(top, v128.load(scores));
  top = f32x4.pmax(top, v128.shuffle<i32>(top, top, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.pmax(top, v128.shuffle<i32>(top, top, 1, 0, 3, 2)), 0);
}

/** Scores become exp(score − top); returns their sum. */
function exponentials(scores: usize, keys: i32, top: f32): f32 {
  let sum = f32x4.splat(0);
  for (; keys > 0; keys -= 4, scores += 16) {
    const e = expNonPositive(f32x4.sub(v128.load(scores), f32x4.splat(top)));
    v128.store(scores, e);
    sum = f32x4.add(sum, e);
  }
  sum = f32x4.add(sum, v128.shuffle<i32>(sum, sum, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.add(sum, v128.shuffle<i32>(sum, sum, 1, 0, 3, 2)), 0);
}

/** output = output · decay + Σ score · value, 32 columns at a time, then 4. */
function addValues(output: usize, decay: f32, scores: usize, keys: i32, v: usize, rowStride: usize, size: i32): void {
  const worth = f32x4.splat(decay);
  let columns = size;
  for (; columns >= 32; columns -= 32, output += 128, v += 128) {
    let a = f32x4.splat(0), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    let row = v;
    for (let i: usize = 0, end = (<usize>keys) << 2; i < end; i += 4, row += rowStride) {
      const s = v128.load32_splat(scores + i);
      a = madd(s, v128.load(row), a);
      b = madd(s, v128.load(row, 16), b);
      c = madd(s, v128.load(row, 32), c);
      d = madd(s, v128.load(row, 48), d);
      e = madd(s, v128.load(row, 64), e);
      f = madd(s, v128.load(row, 80), f);
      g = madd(s, v128.load(row, 96), g);
      h = madd(s, v128.load(row, 112), h);
    }
    v128.store(output, madd(v128.load(output), worth, a));
    v128.store(output, madd(v128.load(output, 16), worth, b), 16);
    v128.store(output, madd(v128.load(output, 32), worth, c), 32);
    v128.store(output, madd(v128.load(output, 48), worth, d), 48);
    v128.store(output, madd(v128.load(output, 64), worth, e), 64);
    v128.store(output, madd(v128.load(output, 80), worth, f), 80);
    v128.store(output, madd(v128.load(output, 96), worth, g), 96);
    v128.store(output, madd(v128.load(output, 112), worth, h), 112);
  }
  for (; columns > 0; columns -= 4, output += 16, v += 16) {
    let a = f32x4.splat(0);
    let row = v;
    for (let i: usize = 0, end = (<usize>keys) << 2; i < end; i += 4, row += rowStride) {
      a = madd(v128.load32_splat(scores + i), loadLanes(row, min(4, columns)), a);
    }
    v128.store(output, madd(v128.load(output), worth, a));
  }
}

/** Computes query row `row` of one head. */
export function attendRow(p: AttentionParams, batch: i32, head: i32, row: i32): void {
  const kRow = (<usize>p.kRowStride) << 2, vRow = (<usize>p.vRowStride) << 2;
  const maskColumn = (<usize>p.maskColumnStride) << 2;
  const q = queriesOf(p, batch, head) + ((<usize>row * p.qRowStride) << 2);
  const k = keysOf(p, batch, head), v = valuesOf(p, batch, head), mask = maskOf(p, batch, head);
  const scores = scratch + SCORES, output = scratch + OUTPUT;

  let top = f32.NEGATIVE_INFINITY;
  let sum: f32 = 0;
  memory.fill(output, 0, ((<usize>p.valueSize) << 2) + 16);
  const visible = min(keyCount(p, batch), row + lastKeyOffset(p, batch) + 1);
  for (let key = 0; key < visible; key += KEYS) {
    const keys = min(KEYS, visible - key);
    scoreRow(scores, q, k + <usize>key * kRow, keys, kRow, p.headSize, p.scale);
    if (p.softcap) capRow(scores, keys, p.softcap);
    if (mask) {
      maskRow(scores, keys, mask + ((<usize>row * p.maskRowStride) << 2) + <usize>key * maskColumn, maskColumn);
    }
    for (let i = keys; i & 3; i++) store<f32>(scores + ((<usize>i) << 2), f32.NEGATIVE_INFINITY);

    const before = top;
    top = max(top, maximum(scores, keys));
    const base: f32 = top == f32.NEGATIVE_INFINITY ? 0 : top;
    const decay = f32x4.extract_lane(expNonPositive(f32x4.splat(before - base)), 0);
    sum = sum * decay + exponentials(scores, keys, base);
    addValues(output, decay, scores, keys, v + <usize>key * vRow, vRow, p.valueSize);
  }

  const y = outputsOf(p, batch, head) + ((<usize>row * p.yRowStride) << 2);
  const inverse = f32x4.splat(sum == 0 ? 0 : 1 / sum);
  for (let d = 0; d < p.valueSize; d += 4) {
    const o = f32x4.mul(v128.load(output + ((<usize>d) << 2)), inverse);
    storeLanes(y + ((<usize>d) << 2), o, min(4, p.valueSize - d));
  }
}
