/** Columns in a panel of packed B: [ceil(N / PANEL)][K][PANEL], zero-padded. */
export const PANEL: i32 = 8;

/**
 * Rows of the register tile. V8 has 16 vector registers on x64; mul and add need one more than madd. 4×8 runs at 64 to 70 GFLOP/s in every
 * V8 (Zen 5), 5×8 at 70 in V8 13 but 30 in V8 11, and 6×8 spills. With madd, 6×8 gives 71.
 */
export const ROWS: i32 = ASC_FEATURE_RELAXED_SIMD ? 6 : 4;

/** Output of the micro-kernel: y = min(max(sum + bias + residual, low), high). */
@unmanaged
export class Output {
  y: usize = 0;
  /** Bytes from row to row. */
  yStride: usize = 0;
  /** Bias of the first column, or 0. */
  bias: usize = 0;
  /** The element of the residual for y, or 0. */
  residual: usize = 0;
  residualStride: usize = 0;
  low: f32 = 0;
  high: f32 = 0;
}

@inline
function madd(a: v128, b: v128, c: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? v128.relaxed_madd<f32>(a, b, c) : f32x4.add(f32x4.mul(a, b), c);
}

/** pmin and pmax take one instruction each on x64 and let NaN through. */
@inline
function clip(x: v128, low: v128, high: v128): v128 {
  return f32x4.pmin(f32x4.pmax(x, low), high);
}

/**
 * Computes COUNT × PANEL sums over `segments` × `depth`. A is not packed, which would be no faster: `rows` is a table [segments][COUNT] of
 * addresses of row segments, and `step` the bytes between values. A matrix product has one segment, a convolution one per tap. Not
 * unrolled, because V8 then spills (5×8 by two: 51 instead of 68 GFLOP/s).
 */
@inline
function multiply(COUNT: i32, rows: usize, segments: i32, depth: i32, step: usize, b: usize, out: Output): void {
  const zero = f32x4.splat(0);
  const bias0 = out.bias ? v128.load(out.bias) : zero;
  const bias1 = out.bias ? v128.load(out.bias, 16) : zero;
  let s00 = bias0, s10 = bias0, s20 = bias0, s30 = bias0, s40 = bias0, s50 = bias0;
  let s01 = bias1, s11 = bias1, s21 = bias1, s31 = bias1, s41 = bias1, s51 = bias1;
  if (out.residual) {
    let r = out.residual;
    s00 = f32x4.add(s00, v128.load(r));
    s01 = f32x4.add(s01, v128.load(r, 16));
    if (COUNT > 1) {
      r += out.residualStride;
      s10 = f32x4.add(s10, v128.load(r));
      s11 = f32x4.add(s11, v128.load(r, 16));
    }
    if (COUNT > 2) {
      r += out.residualStride;
      s20 = f32x4.add(s20, v128.load(r));
      s21 = f32x4.add(s21, v128.load(r, 16));
    }
    if (COUNT > 3) {
      r += out.residualStride;
      s30 = f32x4.add(s30, v128.load(r));
      s31 = f32x4.add(s31, v128.load(r, 16));
    }
    if (COUNT > 4) {
      r += out.residualStride;
      s40 = f32x4.add(s40, v128.load(r));
      s41 = f32x4.add(s41, v128.load(r, 16));
    }
    if (COUNT > 5) {
      r += out.residualStride;
      s50 = f32x4.add(s50, v128.load(r));
      s51 = f32x4.add(s51, v128.load(r, 16));
    }
  }
  while (segments) {
    let a0 = load<usize>(rows);
    let a1: usize = COUNT > 1 ? load<usize>(rows, 4) : 0;
    let a2: usize = COUNT > 2 ? load<usize>(rows, 8) : 0;
    let a3: usize = COUNT > 3 ? load<usize>(rows, 12) : 0;
    let a4: usize = COUNT > 4 ? load<usize>(rows, 16) : 0;
    let a5: usize = COUNT > 5 ? load<usize>(rows, 20) : 0;
    for (let k = depth; k; k--) {
      const b0 = v128.load(b), b1 = v128.load(b, 16);
      let x = v128.load32_splat(a0);
      s00 = madd(x, b0, s00);
      s01 = madd(x, b1, s01);
      a0 += step;
      if (COUNT > 1) {
        x = v128.load32_splat(a1);
        s10 = madd(x, b0, s10);
        s11 = madd(x, b1, s11);
        a1 += step;
      }
      if (COUNT > 2) {
        x = v128.load32_splat(a2);
        s20 = madd(x, b0, s20);
        s21 = madd(x, b1, s21);
        a2 += step;
      }
      if (COUNT > 3) {
        x = v128.load32_splat(a3);
        s30 = madd(x, b0, s30);
        s31 = madd(x, b1, s31);
        a3 += step;
      }
      if (COUNT > 4) {
        x = v128.load32_splat(a4);
        s40 = madd(x, b0, s40);
        s41 = madd(x, b1, s41);
        a4 += step;
      }
      if (COUNT > 5) {
        x = v128.load32_splat(a5);
        s50 = madd(x, b0, s50);
        s51 = madd(x, b1, s51);
        a5 += step;
      }
      b += 4 * PANEL;
    }
    rows += 4 * COUNT;
    segments--;
  }
  const low = v128.load32_splat(changetype<usize>(out), offsetof<Output>('low'));
  const high = v128.load32_splat(changetype<usize>(out), offsetof<Output>('high'));
  let y = out.y;
  writeRow(y, s00, s01, low, high);
  if (COUNT > 1) writeRow((y += out.yStride), s10, s11, low, high);
  if (COUNT > 2) writeRow((y += out.yStride), s20, s21, low, high);
  if (COUNT > 3) writeRow((y += out.yStride), s30, s31, low, high);
  if (COUNT > 4) writeRow((y += out.yStride), s40, s41, low, high);
  if (COUNT > 5) writeRow((y += out.yStride), s50, s51, low, high);
}

@inline
function writeRow(y: usize, sum0: v128, sum1: v128, low: v128, high: v128): void {
  v128.store(y, clip(sum0, low, high));
  v128.store(y, clip(sum1, low, high), 16);
}

function multiply1(rows: usize, segments: i32, depth: i32, step: usize, b: usize, out: Output): void {
  multiply(1, rows, segments, depth, step, b, out);
}
function multiply2(rows: usize, segments: i32, depth: i32, step: usize, b: usize, out: Output): void {
  multiply(2, rows, segments, depth, step, b, out);
}
function multiply3(rows: usize, segments: i32, depth: i32, step: usize, b: usize, out: Output): void {
  multiply(3, rows, segments, depth, step, b, out);
}
function multiply4(rows: usize, segments: i32, depth: i32, step: usize, b: usize, out: Output): void {
  multiply(4, rows, segments, depth, step, b, out);
}
function multiply5(rows: usize, segments: i32, depth: i32, step: usize, b: usize, out: Output): void {
  multiply(5, rows, segments, depth, step, b, out);
}
function multiply6(rows: usize, segments: i32, depth: i32, step: usize, b: usize, out: Output): void {
  multiply(6, rows, segments, depth, step, b, out);
}

/** Values of a row that multiplyRow takes at once. With four, V8 11, which has no madd, spills (42 instead of 78 GB/s). */
export const AT_ONCE: i32 = ASC_FEATURE_RELAXED_SIMD ? 4 : 2;

@inline
export function splat(x: v128, lane: i32): v128 {
  if (lane == 0) return v128.shuffle<u32>(x, x, 0, 0, 0, 0);
  if (lane == 1) return v128.shuffle<u32>(x, x, 1, 1, 1, 1);
  if (lane == 2) return v128.shuffle<u32>(x, x, 2, 2, 2, 2);
  return v128.shuffle<u32>(x, x, 3, 3, 3, 3);
}

/** The total of AT_ONCE partial sums. */
@inline
export function joined(s0: v128, s1: v128, s2: v128, s3: v128): v128 {
  const sum = f32x4.add(s0, s1);
  return AT_ONCE == 4 ? f32x4.add(sum, f32x4.add(s2, s3)) : sum;
}

/**
 * Like multiplyRows for one row and one segment of adjacent values, with AT_ONCE independent sums, which hide the latency of an addition.
 * The panels of a product are read as one stream: four next to one another ran at 0.6 to 0.8 of the speed from memory, and at 0.8 from the
 * L3 cache. Exported from the module so that it stays a function: inlined, V8 11 halves its speed.
 */
export function multiplyRow(a: usize, depth: i32, b: usize, out: Output): void {
  const zero = f32x4.splat(0);
  let s0 = out.bias ? v128.load(out.bias) : zero, s1 = zero, s2 = zero, s3 = zero;
  let t0 = out.bias ? v128.load(out.bias, 16) : zero, t1 = zero, t2 = zero, t3 = zero;
  if (out.residual) {
    s0 = f32x4.add(s0, v128.load(out.residual));
    t0 = f32x4.add(t0, v128.load(out.residual, 16));
  }
  for (let k = depth / AT_ONCE; k; k--) {
    if (AT_ONCE == 4) {
      const x = v128.load(a);
      s0 = madd(splat(x, 0), v128.load(b), s0);
      t0 = madd(splat(x, 0), v128.load(b, 16), t0);
      s1 = madd(splat(x, 1), v128.load(b, 32), s1);
      t1 = madd(splat(x, 1), v128.load(b, 48), t1);
      s2 = madd(splat(x, 2), v128.load(b, 64), s2);
      t2 = madd(splat(x, 2), v128.load(b, 80), t2);
      s3 = madd(splat(x, 3), v128.load(b, 96), s3);
      t3 = madd(splat(x, 3), v128.load(b, 112), t3);
    } else {
      const x0 = v128.load32_splat(a), x1 = v128.load32_splat(a, 4);
      s0 = madd(x0, v128.load(b), s0);
      t0 = madd(x0, v128.load(b, 16), t0);
      s1 = madd(x1, v128.load(b, 32), s1);
      t1 = madd(x1, v128.load(b, 48), t1);
    }
    a += 4 * AT_ONCE;
    b += 4 * PANEL * AT_ONCE;
  }
  for (let k = depth % AT_ONCE; k; k--, a += 4, b += 4 * PANEL) {
    const x = v128.load32_splat(a);
    s0 = madd(x, v128.load(b), s0);
    t0 = madd(x, v128.load(b, 16), t0);
  }
  writeRow(out.y, joined(s0, s1, s2, s3), joined(t0, t1, t2, t3), f32x4.splat(out.low), f32x4.splat(out.high));
}

/**
 * Multiplies one row with four panels, `pitch` bytes apart, that stay in the L2 cache: eight sums hide the latency of an addition; one
 * panel has two. Exported from the module so that it stays a function: inlined into its only caller, V8 11 halves its speed (45 instead of
 * 95 GB/s).
 */
export function multiplyWide(a: usize, depth: i32, step: usize, b0: usize, pitch: usize, y: usize): void {
  let b1 = b0 + pitch, b2 = b1 + pitch, b3 = b2 + pitch;
  let s00 = f32x4.splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00;
  for (let k = depth; k; k--) {
    const x = v128.load32_splat(a);
    s00 = madd(x, v128.load(b0), s00);
    s01 = madd(x, v128.load(b0, 16), s01);
    s10 = madd(x, v128.load(b1), s10);
    s11 = madd(x, v128.load(b1, 16), s11);
    s20 = madd(x, v128.load(b2), s20);
    s21 = madd(x, v128.load(b2, 16), s21);
    s30 = madd(x, v128.load(b3), s30);
    s31 = madd(x, v128.load(b3, 16), s31);
    a += step;
    b0 += 4 * PANEL;
    b1 += 4 * PANEL;
    b2 += 4 * PANEL;
    b3 += 4 * PANEL;
  }
  v128.store(y, s00);
  v128.store(y, s01, 16);
  v128.store(y, s10, 32);
  v128.store(y, s11, 48);
  v128.store(y, s20, 64);
  v128.store(y, s21, 80);
  v128.store(y, s30, 96);
  v128.store(y, s31, 112);
}

/** Like multiplyRows for ROWS rows, but four columns: half of the products if a panel has no more columns in use. */
export function multiplyHalf(rows: usize, segments: i32, depth: i32, step: usize, b: usize, out: Output): void {
  const bias = out.bias ? v128.load(out.bias) : f32x4.splat(0);
  let s0 = bias, s1 = bias, s2 = bias, s3 = bias, s4 = bias, s5 = bias;
  if (out.residual) {
    let r = out.residual;
    s0 = f32x4.add(s0, v128.load(r));
    s1 = f32x4.add(s1, v128.load((r += out.residualStride)));
    s2 = f32x4.add(s2, v128.load((r += out.residualStride)));
    s3 = f32x4.add(s3, v128.load((r += out.residualStride)));
    if (ROWS > 4) {
      s4 = f32x4.add(s4, v128.load((r += out.residualStride)));
      s5 = f32x4.add(s5, v128.load((r += out.residualStride)));
    }
  }
  while (segments) {
    let a0 = load<usize>(rows);
    let a1 = load<usize>(rows, 4);
    let a2 = load<usize>(rows, 8);
    let a3 = load<usize>(rows, 12);
    let a4: usize = ROWS > 4 ? load<usize>(rows, 16) : 0;
    let a5: usize = ROWS > 4 ? load<usize>(rows, 20) : 0;
    for (let k = depth; k; k--) {
      const x = v128.load(b);
      s0 = madd(v128.load32_splat(a0), x, s0);
      s1 = madd(v128.load32_splat(a1), x, s1);
      s2 = madd(v128.load32_splat(a2), x, s2);
      s3 = madd(v128.load32_splat(a3), x, s3);
      a0 += step;
      a1 += step;
      a2 += step;
      a3 += step;
      if (ROWS > 4) {
        s4 = madd(v128.load32_splat(a4), x, s4);
        s5 = madd(v128.load32_splat(a5), x, s5);
        a4 += step;
        a5 += step;
      }
      b += 4 * PANEL;
    }
    rows += 4 * ROWS;
    segments--;
  }
  const low = f32x4.splat(out.low), high = f32x4.splat(out.high);
  let y = out.y;
  v128.store(y, clip(s0, low, high));
  v128.store((y += out.yStride), clip(s1, low, high));
  v128.store((y += out.yStride), clip(s2, low, high));
  v128.store((y += out.yStride), clip(s3, low, high));
  if (ROWS > 4) {
    v128.store((y += out.yStride), clip(s4, low, high));
    v128.store((y += out.yStride), clip(s5, low, high));
  }
}

/** Multiplies `count` ≤ ROWS rows with one panel. */
@inline
export function multiplyRows(
  count: i32,
  rows: usize,
  segments: i32,
  depth: i32,
  step: usize,
  b: usize,
  out: Output,
): void {
  if (count == 4) multiply4(rows, segments, depth, step, b, out);
  else if (count == 1) multiply1(rows, segments, depth, step, b, out);
  else if (count == 2) multiply2(rows, segments, depth, step, b, out);
  else if (count == 3) multiply3(rows, segments, depth, step, b, out);
  else if (ASC_FEATURE_RELAXED_SIMD) {
    if (count == 6) multiply6(rows, segments, depth, step, b, out);
    else multiply5(rows, segments, depth, step, b, out);
  }
}
