/** B is packed in panels of this many columns. */
export const PANEL: i32 = 8;

/** Sums of a block are kept in rows of this many columns. */
export const BLOCK_COLUMNS: i32 = 64;

/** Bytes from one row of sums to the next. */
const ACROSS: usize = 4 * BLOCK_COLUMNS;

/** How operands of 8 bits are multiplied. */
export const enum IntegerDots {
  /** Pairs of 16-bit integers: exact everywhere. */
  Pairs = 0,
  /** Relaxed dot products of four, where a probe has shown that they take the second operand as unsigned. */
  Unsigned = 1,
  /** The same where they take it as signed. */
  Signed = 2,
}

/** Rows of the register tile: of sixteen registers, pairs need one more than relaxed dot products. */
export const PAIR_ROWS: i32 = 4;
export const QUAD_ROWS: i32 = 6;

@inline
function dot(QUADS: bool, x: v128, w: v128, sum: v128): v128 {
  if (!QUADS) return i32x4.add(i32x4.dot_i16x8_s(x, w), sum);
  return ASC_FEATURE_RELAXED_SIMD ? i32x4.relaxed_dot_i8x16_i7x16_add_s(w, x, sum) : sum;
}

@inline
function weights(QUADS: bool, b: usize): v128 {
  return QUADS ? v128.load(b) : v128.load_ext<i8>(b);
}

/**
 * COUNT × PANEL sums, rows of A `pitch` bytes apart. A step is a word of A: two integers of 16 bits, or with QUADS four of 8 bits, times
 * the same of each column.
 */
@inline
function multiply(QUADS: bool, COUNT: i32, a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  const half: usize = QUADS ? 16 : 8;
  let s00 = i32x4.splat(0), s10 = s00, s20 = s00, s30 = s00, s40 = s00, s50 = s00;
  let s01 = s00, s11 = s00, s21 = s00, s31 = s00, s41 = s00, s51 = s00;
  let a1 = a + pitch, a2 = a1 + pitch, a3 = a2 + pitch, a4 = a3 + pitch, a5 = a4 + pitch;
  for (; steps; steps--) {
    const b0 = weights(QUADS, b), b1 = weights(QUADS, b + half);
    let x = v128.load32_splat(a);
    s00 = dot(QUADS, x, b0, s00);
    s01 = dot(QUADS, x, b1, s01);
    a += 4;
    if (COUNT > 1) {
      x = v128.load32_splat(a1);
      s10 = dot(QUADS, x, b0, s10);
      s11 = dot(QUADS, x, b1, s11);
      a1 += 4;
    }
    if (COUNT > 2) {
      x = v128.load32_splat(a2);
      s20 = dot(QUADS, x, b0, s20);
      s21 = dot(QUADS, x, b1, s21);
      a2 += 4;
    }
    if (COUNT > 3) {
      x = v128.load32_splat(a3);
      s30 = dot(QUADS, x, b0, s30);
      s31 = dot(QUADS, x, b1, s31);
      a3 += 4;
    }
    if (COUNT > 4) {
      x = v128.load32_splat(a4);
      s40 = dot(QUADS, x, b0, s40);
      s41 = dot(QUADS, x, b1, s41);
      a4 += 4;
    }
    if (COUNT > 5) {
      x = v128.load32_splat(a5);
      s50 = dot(QUADS, x, b0, s50);
      s51 = dot(QUADS, x, b1, s51);
      a5 += 4;
    }
    b += 2 * half;
  }
  keep(sums, s00, s01);
  if (COUNT > 1) keep(sums + ACROSS, s10, s11);
  if (COUNT > 2) keep(sums + 2 * ACROSS, s20, s21);
  if (COUNT > 3) keep(sums + 3 * ACROSS, s30, s31);
  if (COUNT > 4) keep(sums + 4 * ACROSS, s40, s41);
  if (COUNT > 5) keep(sums + 5 * ACROSS, s50, s51);
}

@inline
function keep(at: usize, s0: v128, s1: v128): void {
  v128.store(at, s0);
  v128.store(at, s1, 16);
}

/** One row, four panels `pitch` bytes apart: eight sums hide the latency of a dot product where one panel has two. */
@inline
function multiplyWide(QUADS: bool, a: usize, steps: i32, b0: usize, pitch: usize, sums: usize): void {
  const half: usize = QUADS ? 16 : 8;
  let b1 = b0 + pitch, b2 = b1 + pitch, b3 = b2 + pitch;
  let s00 = i32x4.splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00;
  for (; steps; steps--) {
    const x = v128.load32_splat(a);
    s00 = dot(QUADS, x, weights(QUADS, b0), s00);
    s01 = dot(QUADS, x, weights(QUADS, b0 + half), s01);
    s10 = dot(QUADS, x, weights(QUADS, b1), s10);
    s11 = dot(QUADS, x, weights(QUADS, b1 + half), s11);
    s20 = dot(QUADS, x, weights(QUADS, b2), s20);
    s21 = dot(QUADS, x, weights(QUADS, b2 + half), s21);
    s30 = dot(QUADS, x, weights(QUADS, b3), s30);
    s31 = dot(QUADS, x, weights(QUADS, b3 + half), s31);
    a += 4;
    b0 += 2 * half;
    b1 += 2 * half;
    b2 += 2 * half;
    b3 += 2 * half;
  }
  keep(sums, s00, s01);
  keep(sums + 32, s10, s11);
  keep(sums + 64, s20, s21);
  keep(sums + 96, s30, s31);
}

function pairs1(a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  multiply(false, 1, a, pitch, steps, b, sums);
}
function pairs2(a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  multiply(false, 2, a, pitch, steps, b, sums);
}
function pairs3(a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  multiply(false, 3, a, pitch, steps, b, sums);
}
function pairs4(a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  multiply(false, 4, a, pitch, steps, b, sums);
}
function quads1(a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  multiply(true, 1, a, pitch, steps, b, sums);
}
function quads2(a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  multiply(true, 2, a, pitch, steps, b, sums);
}
function quads3(a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  multiply(true, 3, a, pitch, steps, b, sums);
}
function quads4(a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  multiply(true, 4, a, pitch, steps, b, sums);
}
function quads5(a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  multiply(true, 5, a, pitch, steps, b, sums);
}
function quads6(a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  multiply(true, 6, a, pitch, steps, b, sums);
}
function widePairs(a: usize, steps: i32, b: usize, pitch: usize, sums: usize): void {
  multiplyWide(false, a, steps, b, pitch, sums);
}
function wideQuads(a: usize, steps: i32, b: usize, pitch: usize, sums: usize): void {
  multiplyWide(true, a, steps, b, pitch, sums);
}

function pairRows(count: i32, a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  if (count == 4) pairs4(a, pitch, steps, b, sums);
  else if (count == 1) pairs1(a, pitch, steps, b, sums);
  else if (count == 2) pairs2(a, pitch, steps, b, sums);
  else pairs3(a, pitch, steps, b, sums);
}

function quadRows(count: i32, a: usize, pitch: usize, steps: i32, b: usize, sums: usize): void {
  if (count == 6) quads6(a, pitch, steps, b, sums);
  else if (count == 1) quads1(a, pitch, steps, b, sums);
  else if (count == 2) quads2(a, pitch, steps, b, sums);
  else if (count == 3) quads3(a, pitch, steps, b, sums);
  else if (count == 4) quads4(a, pitch, steps, b, sums);
  else quads5(a, pitch, steps, b, sums);
}

/** Bytes of a panel's column sums, which stand before its integers. */
export const PANEL_HEAD: usize = 4 * PANEL;

/** Sums of `count` rows, `pitch` bytes apart, with `panels` ≤ BLOCK_COLUMNS / PANEL panels from `b` on, `panelBytes` apart. */
export function multiplyPanels(
  quads: bool,
  count: i32,
  a: usize,
  pitch: usize,
  steps: i32,
  b: usize,
  panelBytes: usize,
  panels: i32,
  sums: usize,
): void {
  b += PANEL_HEAD;
  if (count == 1) {
    for (; panels >= 4; panels -= 4, b += 4 * panelBytes, sums += 16 * PANEL) {
      if (ASC_FEATURE_RELAXED_SIMD && quads) wideQuads(a, steps, b, panelBytes, sums);
      else widePairs(a, steps, b, panelBytes, sums);
    }
  }
  const tall = ASC_FEATURE_RELAXED_SIMD && quads ? QUAD_ROWS : PAIR_ROWS;
  for (; panels; panels--, b += panelBytes, sums += 4 * PANEL) {
    for (let row = 0; row < count; row += tall) {
      const rows = min(tall, count - row);
      const from = a + <usize>row * pitch, to = sums + <usize>row * ACROSS;
      if (ASC_FEATURE_RELAXED_SIMD && quads) quadRows(rows, from, pitch, steps, b, to);
      else pairRows(rows, from, pitch, steps, b, to);
    }
  }
}
