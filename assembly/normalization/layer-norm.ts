import { madd } from '../math/madd';

/**
 * Normalizes each row of x [rows, length]: y = (x − mean) / √(variance + epsilon) · scale + bias, or for rmsNorm
 * y = x / √(mean square + epsilon) · scale + bias. With `residual` or `inputBias` [length], normalizes x + residual + inputBias instead
 * (skip layer norm), and writes it to `sum` unless that is 0. All pointers but x and y may be 0. y and sum may be x or residual. A tile is
 * `grain` rows; tiles = ceil(rows / grain).
 */
@unmanaged
export class LayerNormParams {
  x: usize = 0;
  residual: usize = 0;
  inputBias: usize = 0;
  scale: usize = 0;
  bias: usize = 0;
  y: usize = 0;
  sum: usize = 0;
  /** Outputs [rows]; rmsNorm has no mean. */
  mean: usize = 0;
  inverseStd: usize = 0;
  rows: i32 = 0;
  length: i32 = 0;
  epsilon: f32 = 0;
  grain: i32 = 0;
}

@inline
function sumOfLanes(v: v128): f64 {
  const half = f32x4.add(v, v128.shuffle<i32>(v, v, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.add(half, v128.shuffle<i32>(half, half, 1, 0, 3, 2)), 0);
}

/** Σ x, or Σ x² if `square`. */
@inline
function sumOfRow(x: usize, length: i32, square: bool): f64 {
  let a = f32x4.splat(0), b = a, c = a, d = a;
  let i = length;
  for (; i >= 16; i -= 16, x += 64) {
    const t = v128.load(x), u = v128.load(x, 16), v = v128.load(x, 32), w = v128.load(x, 48);
    a = square ? madd(t, t, a) : f32x4.add(a, t);
    b = square ? madd(u, u, b) : f32x4.add(b, u);
    c = square ? madd(v, v, c) : f32x4.add(c, v);
    d = square ? madd(w, w, d) : f32x4.add(d, w);
  }
  let total = sumOfLanes(f32x4.add(f32x4.add(a, b), f32x4.add(c, d)));
  for (; i; i--, x += 4) {
    const value: f64 = load<f32>(x);
    total += square ? value * value : value;
  }
  return total;
}

@inline
function addTo(sum: usize, x: usize, term: usize, length: i32): void {
  let i = length;
  for (; i >= 4; i -= 4, sum += 16, x += 16, term += 16) v128.store(sum, f32x4.add(v128.load(x), v128.load(term)));
  for (; i; i--, sum += 4, x += 4, term += 4) store<f32>(sum, load<f32>(x) + load<f32>(term));
}

/** The row to normalize: a row of x, or the sum, which is stored to `sum`, or to y if `sum` is 0. */
function inputRow(p: LayerNormParams, at: usize): usize {
  let row = p.x + at;
  if (!p.residual && !p.inputBias) return row;
  const sum = (p.sum ? p.sum : p.y) + at;
  if (p.residual) {
    addTo(sum, row, p.residual + at, p.length);
    row = sum;
  }
  if (p.inputBias) addTo(sum, row, p.inputBias, p.length);
  return sum;
}

/** y = ((x − mean) · factor + shift) · scale + bias; scale if `scaled`, bias if `biased`. */
@inline
function sweep(p: LayerNormParams, x: usize, y: usize, m: v128, f: v128, t: v128, scaled: bool, biased: bool): void {
  let scale = p.scale, bias = p.bias;
  let i = p.length;
  for (; i >= 4; i -= 4, x += 16, y += 16, scale += 16, bias += 16) {
    let v = madd(f32x4.sub(v128.load(x), m), f, t);
    if (scaled) v = f32x4.mul(v, v128.load(scale));
    if (biased) v = f32x4.add(v, v128.load(bias));
    v128.store(y, v);
  }
  for (; i; i--, x += 4, y += 4, scale += 4, bias += 4) {
    let v = madd(f32x4.sub(v128.load32_splat(x), m), f, t);
    if (scaled) v = f32x4.mul(v, v128.load32_splat(scale));
    if (biased) v = f32x4.add(v, v128.load32_splat(bias));
    v128.store_lane<f32>(y, v, 0);
  }
}

function normalize(p: LayerNormParams, x: usize, y: usize, mean: f32, factor: f32, shift: f32): void {
  const m = f32x4.splat(mean), f = f32x4.splat(factor), t = f32x4.splat(shift);
  if (p.scale && p.bias) sweep(p, x, y, m, f, t, true, true);
  else if (p.scale) sweep(p, x, y, m, f, t, true, false);
  else if (p.bias) sweep(p, x, y, m, f, t, false, true);
  else sweep(p, x, y, m, f, t, false, false);
}

function layerNormRow(p: LayerNormParams, row: i32): void {
  const length = p.length;
  const at = (<usize>row * length) << 2;
  const x = inputRow(p, at);
  const mean = <f32>(sumOfRow(x, length, false) / length);

  // Deviations from the rounded mean: their own mean corrects it, so that rows far from 0 keep their precision.
  const m = f32x4.splat(mean);
  let sums = f32x4.splat(0), sums2 = sums, squares = sums, squares2 = sums;
  let i = length, from = x;
  for (; i >= 8; i -= 8, from += 32) {
    const d = f32x4.sub(v128.load(from), m), e = f32x4.sub(v128.load(from, 16), m);
    sums = f32x4.add(sums, d);
    sums2 = f32x4.add(sums2, e);
    squares = madd(d, d, squares);
    squares2 = madd(e, e, squares2);
  }
  let drift = sumOfLanes(f32x4.add(sums, sums2)), square = sumOfLanes(f32x4.add(squares, squares2));
  for (; i; i--, from += 4) {
    const d: f64 = load<f32>(from) - mean;
    drift += d;
    square += d * d;
  }
  drift /= length;
  const inverse = 1 / sqrt(square / length - drift * drift + p.epsilon);

  normalize(p, x, p.y + at, mean, <f32>inverse, <f32>(-drift * inverse));
  // If the mean is infinite, the deviations are NaN.
  if (p.mean) store<f32>(p.mean + ((<usize>row) << 2), isFinite<f64>(drift) ? <f32>(mean + drift) : mean);
  if (p.inverseStd) store<f32>(p.inverseStd + ((<usize>row) << 2), <f32>inverse);
}

function rmsNormRow(p: LayerNormParams, row: i32): void {
  const at = (<usize>row * p.length) << 2;
  const x = inputRow(p, at);
  const inverse = <f32>(1 / sqrt(sumOfRow(x, p.length, true) / p.length + p.epsilon));
  normalize(p, x, p.y + at, 0, inverse, 0);
  if (p.inverseStd) store<f32>(p.inverseStd + ((<usize>row) << 2), inverse);
}

export function layerNorm(p: LayerNormParams, begin: i32, end: i32): void {
  const last = min(end * p.grain, p.rows);
  for (let row = begin * p.grain; row < last; row++) layerNormRow(p, row);
}

export function rmsNorm(p: LayerNormParams, begin: i32, end: i32): void {
  const last = min(end * p.grain, p.rows);
  for (let row = begin * p.grain; row < last; row++) rmsNormRow(p, row);
}
