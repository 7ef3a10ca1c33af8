import { loadLanes } from './lanes';

/**
 * Index of the largest (or smallest) value along the middle axis of x [outer, length, inner], as int64 in y
 * [outer, inner]. A NaN wins, as in numpy. Ties go to the first index, or the last if `selectLast`.
 * A tile is `grain` consecutive outputs; tiles = ceil(outer · inner / grain).
 */
@unmanaged
export class ArgReduceParams {
  x: usize = 0;
  y: usize = 0;
  outer: i32 = 0;
  length: i32 = 0;
  inner: i32 = 0;
  /** 1: argmin */
  smallest: i32 = 0;
  selectLast: i32 = 0;
  grain: i32 = 0;
}

/** Bit mask of the lanes that are NaN or equal to `best`. */
@inline
function hits(x: v128, best: v128): i32 {
  return i32x4.bitmask(v128.or(f32x4.eq(x, best), f32x4.ne(x, x)));
}

/** Ignores NaN; one instruction on x64 instead of eight. */
@inline
function extreme(smallest: bool, a: v128, b: v128): v128 {
  return smallest ? f32x4.pmin(a, b) : f32x4.pmax(a, b);
}

/** The largest or smallest value of a row in all four lanes; NaN if the row contains NaN. */
@inline
function extremeOfRow(smallest: bool, x: usize, length: i32): v128 {
  let a = f32x4.splat(smallest ? f32.POSITIVE_INFINITY : f32.NEGATIVE_INFINITY), b = a;
  let odd = f32x4.splat(0);
  let i = length;
  for (; i >= 8; i -= 8, x += 32) {
    const u = v128.load(x), v = v128.load(x, 16);
    a = extreme(smallest, a, u);
    b = extreme(smallest, b, v);
    odd = v128.or(odd, v128.or(f32x4.ne(u, u), f32x4.ne(v, v)));
  }
  for (; i; i--, x += 4) {
    const u = v128.load32_splat(x);
    a = extreme(smallest, a, u);
    odd = v128.or(odd, f32x4.ne(u, u));
  }
  if (v128.any_true(odd)) return f32x4.splat(f32.NaN);
  a = extreme(smallest, a, b);
  a = extreme(smallest, a, v128.shuffle<i32>(a, a, 2, 3, 0, 1));
  return extreme(smallest, a, v128.shuffle<i32>(a, a, 1, 0, 3, 2));
}

function firstHit(x: usize, length: i32, best: v128): i32 {
  for (let i = 0; i < length; i += 4) {
    const lanes = min(4, length - i);
    const found = hits(loadLanes(x + ((<usize>i) << 2), lanes), best) & ((1 << lanes) - 1);
    if (found) return i + ctz(found);
  }
  return 0;
}

function lastHit(x: usize, length: i32, best: v128): i32 {
  for (let i = (length - 1) & ~3; i >= 0; i -= 4) {
    const lanes = min(4, length - i);
    const found = hits(loadLanes(x + ((<usize>i) << 2), lanes), best) & ((1 << lanes) - 1);
    if (found) return i + 31 - clz(found);
  }
  return 0;
}

function argOfRow(p: ArgReduceParams, row: i32): void {
  const x = p.x + ((<usize>row * p.length) << 2);
  const best = p.smallest ? extremeOfRow(true, x, p.length) : extremeOfRow(false, x, p.length);
  const index = p.selectLast ? lastHit(x, p.length, best) : firstHit(x, p.length, best);
  store<i64>(p.y + ((<usize>row) << 3), index);
}

/** Lanes in which `value` replaces `best`: a larger value or the first NaN; with `last` also an equal value and any NaN. */
@inline
function wins(value: v128, best: v128, last: bool): v128 {
  if (last) return v128.or(f32x4.ge(value, best), f32x4.ne(value, value));
  return v128.andnot(f32x4.eq(best, best), f32x4.le(value, best));
}

/** Indices of the largest values of up to four adjacent columns; `stride` is the bytes from row to row. */
@inline
function argOfLanes(x: usize, length: i32, stride: usize, lanes: i32, sign: v128, last: bool): v128 {
  let best = v128.xor(loadLanes(x, lanes), sign);
  let index = i32x4.splat(0);
  for (let i = 1; i < length; i++) {
    x += stride;
    const value = v128.xor(loadLanes(x, lanes), sign);
    const better = wins(value, best, last);
    best = v128.bitselect(value, best, better);
    index = v128.bitselect(i32x4.splat(i), index, better);
  }
  return index;
}

function argOfColumns(p: ArgReduceParams, output: i32, lanes: i32): void {
  const stride = (<usize>p.inner) << 2;
  const x = p.x + <usize>(output / p.inner) * p.length * stride + ((<usize>(output % p.inner)) << 2);
  const sign = i32x4.splat(p.smallest ? i32.MIN_VALUE : 0);
  const index = p.selectLast
    ? argOfLanes(x, p.length, stride, lanes, sign, true)
    : argOfLanes(x, p.length, stride, lanes, sign, false);
  const y = p.y + ((<usize>output) << 3);
  v128.store_lane<i64>(y, i64x2.extend_low_i32x4_u(index), 0);
  if (lanes > 1) v128.store_lane<i64>(y, i64x2.extend_low_i32x4_u(index), 1, 8);
  if (lanes > 2) v128.store_lane<i64>(y, i64x2.extend_high_i32x4_u(index), 0, 16);
  if (lanes > 3) v128.store_lane<i64>(y, i64x2.extend_high_i32x4_u(index), 1, 24);
}

export function argReduce(p: ArgReduceParams, begin: i32, end: i32): void {
  const last = min(end * p.grain, p.outer * p.inner);
  for (let i = begin * p.grain; i < last; ) {
    if (p.inner == 1) {
      argOfRow(p, i++);
      continue;
    }
    const lanes = min(4, min(p.inner - (i % p.inner), last - i));
    argOfColumns(p, i, lanes);
    i += lanes;
  }
}

@inline
function argOfIntegers<T>(p: ArgReduceParams, begin: i32, end: i32): void {
  const stride = <usize>p.inner * sizeof<T>();
  const last = min(end * p.grain, p.outer * p.inner);
  for (let i = begin * p.grain; i < last; i++) {
    let x = p.x + <usize>(i / p.inner) * p.length * stride + <usize>(i % p.inner) * sizeof<T>();
    let best = load<T>(x);
    let index = 0;
    for (let j = 1; j < p.length; j++) {
      x += stride;
      const value = load<T>(x);
      const wins = p.smallest ? value < best : value > best;
      if (wins || (p.selectLast && value == best)) {
        best = value;
        index = j;
      }
    }
    store<i64>(p.y + ((<usize>i) << 3), index);
  }
}

export function argReduceI32(p: ArgReduceParams, begin: i32, end: i32): void {
  argOfIntegers<i32>(p, begin, end);
}

export function argReduceI64(p: ArgReduceParams, begin: i32, end: i32): void {
  argOfIntegers<i64>(p, begin, end);
}
