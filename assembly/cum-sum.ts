import { loadLanes, storeLanes } from './lanes';
import { scratch } from './program';

/**
 * Running sums along the middle axis of x [outer, length, inner], into y of the same shape. f32 is accumulated in f64; where inner > 1, f32
 * sums of BLOCK addends are added to an f64 total. Errors do not grow with the length.
 * A tile is `grain` consecutive lines of the outer · inner; tiles = ceil(outer · inner / grain). y may be x.
 */
@unmanaged
export class CumSumParams {
  x: usize = 0;
  y: usize = 0;
  outer: i32 = 0;
  length: i32 = 0;
  inner: i32 = 0;
  /** 1: element i is the sum of the elements before it */
  exclusive: i32 = 0;
  /** 1: from the last element to the first */
  reverse: i32 = 0;
  grain: i32 = 0;
}

/** Bytes of adjacent columns summed at once: one cache line. */
const STRIP: usize = 64;

/** Addends that are summed in f32 before they are added to the f64 total. */
const BLOCK: i32 = 32;

/** Rows summed at once: their additions do not depend on each other. */
const ROWS: i32 = 4;

// Scratch for a strip: totals rounded to f32, sums of the last block, f64 totals.
const BASES: usize = 0;
const SUMS: usize = STRIP;
const TOTALS: usize = 2 * STRIP;

/** Sums `rows` rows of a strip, `step` bytes apart, and adds the strip's bases. */
@inline
function sumStrip<T>(x: usize, y: usize, rows: i32, step: usize, exclusive: bool): void {
  const baseA = v128.load(scratch, BASES), baseB = v128.load(scratch, BASES + 16);
  const baseC = v128.load(scratch, BASES + 32), baseD = v128.load(scratch, BASES + 48);
  let a = v128.splat<T>(0), b = a, c = a, d = a;
  for (; rows; rows--, x += step, y += step) {
    const nextA = v128.add<T>(a, v128.load(x)), nextB = v128.add<T>(b, v128.load(x, 16));
    const nextC = v128.add<T>(c, v128.load(x, 32)), nextD = v128.add<T>(d, v128.load(x, 48));
    v128.store(y, v128.add<T>(baseA, exclusive ? a : nextA));
    v128.store(y, v128.add<T>(baseB, exclusive ? b : nextB), 16);
    v128.store(y, v128.add<T>(baseC, exclusive ? c : nextC), 32);
    v128.store(y, v128.add<T>(baseD, exclusive ? d : nextD), 48);
    a = nextA;
    b = nextB;
    c = nextC;
    d = nextD;
  }
  v128.store(scratch, a, SUMS);
  v128.store(scratch, b, SUMS + 16);
  v128.store(scratch, c, SUMS + 32);
  v128.store(scratch, d, SUMS + 48);
}

/** Like sumStrip, for a strip of `words` (1 to 16) 32-bit words. */
@inline
function sumNarrowStrip<T>(x: usize, y: usize, rows: i32, step: usize, exclusive: bool, words: i32): void {
  for (let at = scratch; words > 0; words -= 4, x += 16, y += 16, at += 16) {
    const base = v128.load(at, BASES);
    let sum = v128.splat<T>(0);
    for (let i = rows, u = x, v = y; i; i--, u += step, v += step) {
      const next = v128.add<T>(sum, loadLanes(u, words));
      storeLanes(v, v128.add<T>(base, exclusive ? sum : next), words);
      sum = next;
    }
    v128.store(at, sum, SUMS);
  }
}

/** Adds a block's sums to the totals, and makes these the next bases. */
function advance(): void {
  for (let at: usize = 0; at < STRIP; at += 16) {
    const sums = v128.load(scratch + at, SUMS);
    const totals = scratch + 2 * at;
    const low = f64x2.add(v128.load(totals, TOTALS), f64x2.promote_low_f32x4(sums));
    const upper = f64x2.promote_low_f32x4(v128.shuffle<i32>(sums, sums, 2, 3, 2, 3));
    const high = f64x2.add(v128.load(totals, TOTALS + 16), upper);
    v128.store(totals, low, TOTALS);
    v128.store(totals, high, TOTALS + 16);
    const bases = v128.shuffle<i32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
    v128.store(scratch + at, bases, BASES);
  }
}

/** Sums the columns in `bytes` adjacent bytes, strip by strip. */
function sumColumns<T>(x: usize, y: usize, bytes: usize, length: i32, step: usize, exclusive: bool): void {
  for (let strip: usize = 0; strip < bytes; strip += STRIP) {
    const words = <i32>(min(bytes - strip, STRIP) >> 2);
    memory.fill(scratch, 0, TOTALS + 2 * STRIP);
    let u = x + strip, v = y + strip;
    for (let i = length; i > 0; i -= BLOCK, u += <usize>BLOCK * step, v += <usize>BLOCK * step) {
      const rows = isFloat<T>() ? min(i, BLOCK) : length;
      if (words < <i32>(STRIP >> 2)) sumNarrowStrip<T>(u, v, rows, step, exclusive, words);
      else if (exclusive) sumStrip<T>(u, v, rows, step, true);
      else sumStrip<T>(u, v, rows, step, false);
      if (isInteger<T>()) break;
      advance();
    }
  }
}

@inline
function sumRow<T, Total>(x: usize, y: usize, length: i32, step: usize, exclusive: bool): void {
  let sum: Total = 0;
  for (; length; length--, x += step, y += step) {
    const before = sum;
    sum += <Total>load<T>(x);
    store<T>(y, <T>(exclusive ? before : sum));
  }
}

/** Sums ROWS rows of `row` bytes each. */
@inline
function sumRows<T, Total>(x: usize, y: usize, row: usize, length: i32, step: usize, exclusive: bool): void {
  let a: Total = 0, b: Total = 0, c: Total = 0, d: Total = 0;
  for (; length; length--, x += step, y += step) {
    const nextA = a + <Total>load<T>(x), nextB = b + <Total>load<T>(x + row);
    const nextC = c + <Total>load<T>(x + 2 * row), nextD = d + <Total>load<T>(x + 3 * row);
    store<T>(y, <T>(exclusive ? a : nextA));
    store<T>(y + row, <T>(exclusive ? b : nextB));
    store<T>(y + 2 * row, <T>(exclusive ? c : nextC));
    store<T>(y + 3 * row, <T>(exclusive ? d : nextD));
    a = nextA;
    b = nextB;
    c = nextC;
    d = nextD;
  }
}

@inline
function cumSumOf<T, Total>(p: CumSumParams, begin: i32, end: i32): void {
  const stride = <usize>p.inner * sizeof<T>();
  const step: usize = p.reverse ? <usize>0 - stride : stride;
  const start: usize = p.reverse ? <usize>(p.length - 1) * stride : 0;
  const plane = <usize>p.length * stride;
  const exclusive = p.exclusive != 0;
  const last = min(end * p.grain, p.outer * p.inner);
  for (let i = begin * p.grain, width = 0; i < last; i += width) {
    const column = i % p.inner;
    const at = <usize>(i / p.inner) * plane + <usize>column * sizeof<T>() + start;
    const x = p.x + at, y = p.y + at;
    width = min(p.inner - column, last - i);
    if (p.inner > 1) sumColumns<T>(x, y, <usize>width * sizeof<T>(), p.length, step, exclusive);
    else if (last - i >= ROWS) {
      width = ROWS;
      sumRows<T, Total>(x, y, plane, p.length, step, exclusive);
    } else sumRow<T, Total>(x, y, p.length, step, exclusive);
  }
}

export function cumSum(p: CumSumParams, begin: i32, end: i32): void {
  cumSumOf<f32, f64>(p, begin, end);
}

export function cumSumI32(p: CumSumParams, begin: i32, end: i32): void {
  cumSumOf<i32, i32>(p, begin, end);
}

export function cumSumI64(p: CumSumParams, begin: i32, end: i32): void {
  cumSumOf<i64, i64>(p, begin, end);
}
