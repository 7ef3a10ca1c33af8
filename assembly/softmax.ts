import { loadLanes, storeLanes } from './lanes';
import { expNonPositive } from './math/exp';
import { log } from './math/log';

/**
 * Softmax, or its logarithm, along the middle axis of x [outer, length, inner] into y of the same shape; y may be x. As in numpy and
 * PyTorch, −∞ has probability 0; a line that is all −∞, or contains +∞ or NaN, becomes NaN.
 * A tile is `grain` consecutive lines of the outer · inner; tiles = ceil(outer · inner / grain).
 */
@unmanaged
export class SoftmaxParams {
  x: usize = 0;
  y: usize = 0;
  outer: i32 = 0;
  length: i32 = 0;
  inner: i32 = 0;
  /** 1: LogSoftmax */
  logarithm: i32 = 0;
  grain: i32 = 0;
}

/** Exponentials summed in f32 before they are added to the total: keeps sums over large vocabularies accurate. */
const BLOCK: i32 = 512;

@inline
function spread(v: v128, sum: bool): v128 {
  const half = v128.shuffle<i32>(v, v, 2, 3, 0, 1);
  v = sum ? f32x4.add(v, half) : f32x4.pmax(v, half);
  const quarter = v128.shuffle<i32>(v, v, 1, 0, 3, 2);
  return sum ? f32x4.add(v, quarter) : f32x4.pmax(v, quarter);
}

/**
 * The largest value of the row in all lanes. May ignore NaN, whose exponential makes the sum NaN anyway. (pmax is one instruction on x64,
 * max eight.)
 */
@inline
function maximum(x: usize, length: i32): v128 {
  let a = f32x4.splat(f32.NEGATIVE_INFINITY), b = a, c = a, d = a;
  let i = length;
  for (; i >= 16; i -= 16, x += 64) {
    a = f32x4.pmax(a, v128.load(x));
    b = f32x4.pmax(b, v128.load(x, 16));
    c = f32x4.pmax(c, v128.load(x, 32));
    d = f32x4.pmax(d, v128.load(x, 48));
  }
  for (; i; i--, x += 4) a = f32x4.pmax(a, v128.load32_splat(x));
  return spread(f32x4.pmax(f32x4.pmax(a, b), f32x4.pmax(c, d)), false);
}

/** Σ exp(x − top) of at most BLOCK elements in all lanes; stores the exponentials to y if `keep`. */
@inline
function exponentials(x: usize, y: usize, count: i32, top: v128, keep: bool): v128 {
  let sum = f32x4.splat(0);
  let i = count;
  for (; i >= 4; i -= 4, x += 16, y += 16) {
    const e = expNonPositive(f32x4.sub(v128.load(x), top));
    if (keep) v128.store(y, e);
    sum = f32x4.add(sum, e);
  }
  let rest = f32x4.splat(0);
  for (; i; i--, x += 4, y += 4) {
    const e = expNonPositive(f32x4.sub(v128.load32_splat(x), top));
    if (keep) v128.store_lane<f32>(y, e, 0);
    rest = f32x4.add(rest, e);
  }
  return f32x4.add(spread(sum, true), rest);
}

@inline
function sumOfExponentials(x: usize, y: usize, length: i32, top: v128, keep: bool): v128 {
  let total = f32x4.splat(0);
  for (let i = 0; i < length; i += BLOCK) {
    const at = (<usize>i) << 2;
    total = f32x4.add(total, exponentials(x + at, y + at, min(BLOCK, length - i), top, keep));
  }
  return total;
}

function softmaxRow(x: usize, y: usize, length: i32): void {
  const total = sumOfExponentials(x, y, length, maximum(x, length), true);
  const inverse = f32x4.div(f32x4.splat(1), total);
  let i = length;
  for (; i >= 4; i -= 4, y += 16) v128.store(y, f32x4.mul(v128.load(y), inverse));
  for (; i; i--, y += 4) v128.store_lane<f32>(y, f32x4.mul(v128.load32_splat(y), inverse), 0);
}

function logSoftmaxRow(x: usize, y: usize, length: i32): void {
  const top = maximum(x, length);
  const logarithm = log(sumOfExponentials(x, y, length, top, false));
  let i = length;
  for (; i >= 4; i -= 4, x += 16, y += 16) v128.store(y, f32x4.sub(f32x4.sub(v128.load(x), top), logarithm));
  for (; i; i--, x += 4, y += 4) {
    v128.store_lane<f32>(y, f32x4.sub(f32x4.sub(v128.load32_splat(x), top), logarithm), 0);
  }
}

/** Up to four adjacent columns at once. */
@inline
function softmaxColumns(x: usize, y: usize, length: i32, stride: usize, lanes: i32, logarithm: bool): void {
  const end = x + <usize>length * stride;
  let top = f32x4.splat(f32.NEGATIVE_INFINITY);
  for (let at = x; at != end; at += stride) top = f32x4.pmax(top, loadLanes(at, lanes));

  let total = f32x4.splat(0);
  for (let at = x, to = y; at != end; at += stride, to += stride) {
    const e = expNonPositive(f32x4.sub(loadLanes(at, lanes), top));
    if (!logarithm) storeLanes(to, e, lanes);
    total = f32x4.add(total, e);
  }

  const scale = logarithm ? log(total) : f32x4.div(f32x4.splat(1), total);
  for (let at = x, to = y; at != end; at += stride, to += stride) {
    if (logarithm) storeLanes(to, f32x4.sub(f32x4.sub(loadLanes(at, lanes), top), scale), lanes);
    else storeLanes(to, f32x4.mul(loadLanes(to, lanes), scale), lanes);
  }
}

function softmaxLines(p: SoftmaxParams, line: i32, lanes: i32): void {
  const stride = (<usize>p.inner) << 2;
  const at = <usize>(line / p.inner) * p.length * stride + ((<usize>(line % p.inner)) << 2);
  if (p.logarithm) softmaxColumns(p.x + at, p.y + at, p.length, stride, lanes, true);
  else softmaxColumns(p.x + at, p.y + at, p.length, stride, lanes, false);
}

export function softmax(p: SoftmaxParams, begin: i32, end: i32): void {
  const last = min(end * p.grain, p.outer * p.inner);
  for (let i = begin * p.grain; i < last; ) {
    if (p.inner == 1) {
      const at = (<usize>i * p.length) << 2;
      if (p.logarithm) logSoftmaxRow(p.x + at, p.y + at, p.length);
      else softmaxRow(p.x + at, p.y + at, p.length);
      i++;
      continue;
    }
    const lanes = min(4, min(p.inner - (i % p.inner), last - i));
    softmaxLines(p, i, lanes);
    i += lanes;
  }
}
