import { madd } from '../math/madd';
import { scratch } from '../program';
import { isNarrow } from './activations';
import { multiplyMeanings } from './n-bit-meanings';
import { NBitProductParams, NBitTile, ROW_BYTES, ZeroPoints } from './n-bit-params';
import { NBitPanel } from './pack-n-bit';

export function nBitProduct(p: NBitProductParams, begin: i32, end: i32): void {
  const panels = (p.n + NBitPanel.Columns - 1) / NBitPanel.Columns;
  const columnTiles = (panels + p.tilePanels - 1) / p.tilePanels;
  for (let tile = begin; tile < end; tile++) {
    const row = (tile / columnTiles) * NBitTile.Rows;
    const rows = min<i32>(NBitTile.Rows, p.m - row);
    const first = (tile % columnTiles) * p.tilePanels;
    const last = min(first + p.tilePanels, panels);
    for (let panel = first; panel < last; panel++) multiplyPanel(p, panel, row, row + rows);
  }
}

/** A panel of the matrix that each row chooses. */
function multiplyChosen(p: NBitProductParams, panel: i32, row: i32, end: i32): void {
  const narrow = isNarrow(p.narrow, p.bits);
  const panels = p.n / NBitPanel.Columns;
  for (; row < end; row++) {
    const choice = load<i32>(p.choices + (<usize>row << 3));
    multiplyRows(p, choice * panels + panel, row / p.perRow, 1, narrow);
    finishRow(p, panel, row, scratch, choice * p.n);
  }
}

function multiplyPanel(p: NBitProductParams, panel: i32, row: i32, end: i32): void {
  if (p.choices) return multiplyChosen(p, panel, row, end);
  const narrow = isNarrow(p.narrow, p.bits);
  for (; row + 4 <= end; row += 4) {
    multiplyRows(p, panel, row, 4, narrow);
    for (let r = 0; r < 4; r++) finishRow(p, panel, row + r, scratch + <usize>r * ROW_BYTES, 0);
  }
  for (; row < end; row++) {
    multiplyRows(p, panel, row, 1, narrow);
    finishRow(p, panel, row, scratch, 0);
  }
}

@inline
function multiplyRows(p: NBitProductParams, panel: i32, row: i32, count: i32, narrow: bool): void {
  if (p.meanings) {
    multiplyMeanings(p, panel, row, count);
  } else if (ASC_FEATURE_RELAXED_SIMD && narrow) {
    if (p.bits == 4) {
      if (count == 4) narrow4x4(p, panel, row);
      else narrow4x1(p, panel, row);
    } else {
      if (count == 4) narrow2x4(p, panel, row);
      else narrow2x1(p, panel, row);
    }
  } else if (p.bits == 4) {
    if (count == 4) wide4x4(p, panel, row);
    else wide4x1(p, panel, row);
  } else if (p.bits == 8) {
    if (count == 4) wide8x4(p, panel, row);
    else wide8x1(p, panel, row);
  } else {
    if (count == 4) wide2x4(p, panel, row);
    else wide2x1(p, panel, row);
  }
}

/** A row's sums, and bias from number `first` on, to the result: the last panel may be narrower. */
function finishRow(p: NBitProductParams, panel: i32, row: i32, sums: usize, first: i32): void {
  const column = panel * NBitPanel.Columns;
  const columns = min<i32>(NBitPanel.Columns, p.n - column);
  const y = p.y + ((<usize>row * <usize>p.n + <usize>column) << 2);
  const bias = p.bias ? p.bias + ((<usize>(first + column)) << 2) : 0;
  if (columns == NBitPanel.Columns) {
    let low = v128.load(sums), high = v128.load(sums, 16);
    if (bias) {
      low = f32x4.add(low, v128.load(bias));
      high = f32x4.add(high, v128.load(bias, 16));
    }
    v128.store(y, low);
    v128.store(y, high, 16);
    return;
  }
  for (let i: usize = 0; i < <usize>columns << 2; i += 4) {
    store<f32>(y + i, bias ? load<f32>(sums + i) + load<f32>(bias + i) : load<f32>(sums + i));
  }
}

/** Where a product is in scales, zero points and sums of blocks. */
@unmanaged
class Scaling {
  scales: usize = 0;
  zeros: usize = 0;
  zeroBytes: usize = 0;
  kind: i32 = 0;
  same: i32 = 0;
  /** Blocks of A until the next of B. */
  left: i32 = 0;
  /** Of the first row: each further one is `rowBytes` on. */
  aScales: usize = 0;
  sums: usize = 0;
  rowBytes: usize = 0;
}

const SCALING: usize = 4 * ROW_BYTES;

/** Of a block's zero points in a panel. */
function bytesOfZeros(kind: i32): usize {
  if (kind == ZeroPoints.Same) return 0;
  return kind == ZeroPoints.Bytes ? <usize>NBitPanel.Columns : ROW_BYTES;
}

function begin(s: Scaling, p: NBitProductParams, panel: i32, row: i32): void {
  const first = <usize>panel * <usize>p.blocks;
  s.scales = p.scales + first * ROW_BYTES;
  s.zeroBytes = bytesOfZeros(p.zeroPoints);
  s.zeros = p.zeros + first * s.zeroBytes;
  s.kind = p.zeroPoints;
  s.same = p.zeroPoint;
  s.left = p.split;
  s.rowBytes = (<usize>p.blocks * <usize>p.split) << 2;
  s.aScales = p.aScales + <usize>row * s.rowBytes;
  s.sums = p.sums + <usize>row * s.rowBytes;
  memory.fill(scratch, 0, 4 * ROW_BYTES);
}

@inline
function nextBlock(s: Scaling, split: i32): void {
  s.aScales += 4;
  s.sums += 4;
  if (--s.left) return;
  s.left = split;
  s.scales += ROW_BYTES;
  s.zeros += s.zeroBytes;
}

/** Adds to the sums of a row: scale of A · scale of B · (Σ a·code − zero point · Σ a). */
@inline
function addScaled(NARROW: bool, s: Scaling, row: usize, dots0: v128, dots1: v128): void {
  const at = row * s.rowBytes;
  const total = load<i32>(s.sums + at);
  const scale = v128.load32_splat(s.aScales + at);
  addColumns(scratch + row * ROW_BYTES, s, 0, total, scale, NARROW ? i32x4.extadd_pairwise_i16x8_s(dots0) : dots0);
  addColumns(scratch + row * ROW_BYTES, s, 4, total, scale, NARROW ? i32x4.extadd_pairwise_i16x8_s(dots1) : dots1);
}

@inline
function addColumns(to: usize, s: Scaling, column: usize, total: i32, scale: v128, dots: v128): void {
  const at = column << 2;
  const x = centered(s.kind, s.same, s.zeros, column, total, dots);
  v128.store(to + at, madd(x, f32x4.mul(scale, v128.load(s.scales + at)), v128.load(to + at)));
}

/** Σ a·code − zero point · Σ a of four columns, in floats: exact but where zero points are floats. */
@inline
function centered(kind: i32, same: i32, zeros: usize, column: usize, total: i32, dots: v128): v128 {
  if (kind == ZeroPoints.Same) return f32x4.convert_i32x4_s(i32x4.sub(dots, i32x4.splat(same * total)));
  if (kind == ZeroPoints.Bytes) {
    const moved = i32x4.mul(bytesAt(zeros + column), i32x4.splat(total));
    return f32x4.convert_i32x4_s(i32x4.sub(dots, moved));
  }
  const moved = f32x4.mul(f32x4.splat(<f32>total), v128.load(zeros + (column << 2)));
  return f32x4.sub(f32x4.convert_i32x4_s(dots), moved);
}

@inline
function bytesAt(at: usize): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at)));
}

/** The lowest bits of 16-bit halves, or of bytes. */
@inline
function lowest(BITS: i32, NARROW: bool): v128 {
  const mask = (1 << BITS) - 1;
  return NARROW ? i8x16.splat(<i8>mask) : i16x8.splat(<i16>mask);
}

/** Plane `i` of codes: 16-bit halves, or bytes where activations are bytes too. */
@inline
function plane(BITS: i32, NARROW: bool, i: i32, codes: v128): v128 {
  const shifted = i > 0 ? i16x8.shr_u(codes, i * BITS) : codes;
  if (!NARROW && (i + 1) * BITS == 16) return shifted;
  return v128.and(shifted, lowest(BITS, NARROW));
}

/** Codes are below 16 and activations at most 127, so that sixteen pairs stay within 16 bits, on every engine. */
@inline
function addDot(NARROW: bool, sum: v128, a: v128, codes: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD && NARROW) return i16x8.add(sum, i16x8.relaxed_dot_i8x16_i7x16_s(a, codes));
  return i32x4.add(sum, i32x4.dot_i16x8_s(a, codes));
}

/** One row × a panel, to scratch. Planes by hand: a loop over them shifts twice as often. */
@inline
function multiplyOne(BITS: i32, NARROW: bool, p: NBitProductParams, panel: i32, row: i32): void {
  const PLANES = (NARROW ? 8 : 16) / BITS;
  const blocks = <usize>p.blocks * <usize>p.split;
  const steps = (p.block * BITS) >> 5;
  const kind = p.zeroPoints, same = p.zeroPoint, split = p.split;
  const zeroBytes = bytesOfZeros(kind);
  const first = <usize>panel * <usize>p.blocks;
  let scales = p.scales + first * ROW_BYTES;
  let zeros = p.zeros + first * zeroBytes;
  let aScales = p.aScales + ((<usize>row * blocks) << 2);
  let sums = p.sums + ((<usize>row * blocks) << 2);
  let left = split;
  let y0 = f32x4.splat(0), y1 = y0;
  let b = p.b + <usize>panel * blocks * <usize>steps * NBitPanel.StepBytes;
  let a = p.q + ((<usize>row * blocks * <usize>p.block) << (NARROW ? 0 : 1));
  for (let block = 0; block < <i32>blocks; block++) {
    let s0 = i32x4.splat(0), s1 = s0;
    for (let step = steps; step; step--) {
      let v0 = v128.load(b), v1 = v128.load(b, 16);
      for (let half = 0; half < (PLANES == 8 ? 2 : 1); half++) {
        let x = v128.load32_splat(a);
        s0 = addDot(NARROW, s0, x, plane(BITS, NARROW, 0, v0));
        s1 = addDot(NARROW, s1, x, plane(BITS, NARROW, 0, v1));
        x = v128.load32_splat(a, 4);
        s0 = addDot(NARROW, s0, x, plane(BITS, NARROW, 1, v0));
        s1 = addDot(NARROW, s1, x, plane(BITS, NARROW, 1, v1));
        if (PLANES > 2) {
          x = v128.load32_splat(a, 8);
          s0 = addDot(NARROW, s0, x, plane(BITS, NARROW, 2, v0));
          s1 = addDot(NARROW, s1, x, plane(BITS, NARROW, 2, v1));
          x = v128.load32_splat(a, 12);
          s0 = addDot(NARROW, s0, x, plane(BITS, NARROW, 3, v0));
          s1 = addDot(NARROW, s1, x, plane(BITS, NARROW, 3, v1));
        }
        if (PLANES == 8) {
          v0 = i16x8.shr_u(v0, 8);
          v1 = i16x8.shr_u(v1, 8);
        }
        a += PLANES == 2 ? 8 : 16;
      }
      b += NBitPanel.StepBytes;
    }
    const total = load<i32>(sums);
    const scale = v128.load32_splat(aScales);
    const x0 = centered(kind, same, zeros, 0, total, NARROW ? i32x4.extadd_pairwise_i16x8_s(s0) : s0);
    const x1 = centered(kind, same, zeros, 4, total, NARROW ? i32x4.extadd_pairwise_i16x8_s(s1) : s1);
    y0 = madd(x0, f32x4.mul(scale, v128.load(scales)), y0);
    y1 = madd(x1, f32x4.mul(scale, v128.load(scales, 16)), y1);
    aScales += 4;
    sums += 4;
    if (--left) continue;
    left = split;
    scales += ROW_BYTES;
    zeros += zeroBytes;
  }
  v128.store(scratch, y0);
  v128.store(scratch, y1, 16);
}

/** Four rows × a panel. Planes by a loop: unrolled, V8 holds several at once, and spills. */
@inline
function multiplyFour(BITS: i32, NARROW: bool, p: NBitProductParams, panel: i32, row: i32): void {
  const blocks = <usize>p.blocks * <usize>p.split;
  const rowBytes = (blocks * <usize>p.block) << (NARROW ? 0 : 1);
  const steps = (p.block * BITS) >> 5;
  const mask = lowest(BITS, NARROW);
  const scaling = changetype<Scaling>(scratch + SCALING);
  begin(scaling, p, panel, row);
  let b = p.b + <usize>panel * blocks * <usize>steps * NBitPanel.StepBytes;
  let a0 = p.q + <usize>row * rowBytes, a1 = a0 + rowBytes, a2 = a1 + rowBytes, a3 = a2 + rowBytes;
  for (let block = 0; block < <i32>blocks; block++) {
    const zero = i32x4.splat(0);
    let s00 = zero, s01 = zero, s10 = zero, s11 = zero, s20 = zero, s21 = zero, s30 = zero, s31 = zero;
    for (let step = steps; step; step--) {
      let v0 = v128.load(b), v1 = v128.load(b, 16);
      for (let left = (NARROW ? 8 : 16) / BITS; left; left--) {
        const w0 = v128.and(v0, mask), w1 = v128.and(v1, mask);
        let x = v128.load32_splat(a0);
        s00 = addDot(NARROW, s00, x, w0);
        s01 = addDot(NARROW, s01, x, w1);
        x = v128.load32_splat(a1);
        s10 = addDot(NARROW, s10, x, w0);
        s11 = addDot(NARROW, s11, x, w1);
        x = v128.load32_splat(a2);
        s20 = addDot(NARROW, s20, x, w0);
        s21 = addDot(NARROW, s21, x, w1);
        x = v128.load32_splat(a3);
        s30 = addDot(NARROW, s30, x, w0);
        s31 = addDot(NARROW, s31, x, w1);
        v0 = i16x8.shr_u(v0, BITS);
        v1 = i16x8.shr_u(v1, BITS);
        a0 += 4;
        a1 += 4;
        a2 += 4;
        a3 += 4;
      }
      b += NBitPanel.StepBytes;
    }
    addScaled(NARROW, scaling, 0, s00, s01);
    addScaled(NARROW, scaling, 1, s10, s11);
    addScaled(NARROW, scaling, 2, s20, s21);
    addScaled(NARROW, scaling, 3, s30, s31);
    nextBlock(scaling, p.split);
  }
}

function wide8x1(p: NBitProductParams, panel: i32, row: i32): void {
  multiplyOne(8, false, p, panel, row);
}

function wide8x4(p: NBitProductParams, panel: i32, row: i32): void {
  multiplyFour(8, false, p, panel, row);
}

function wide4x1(p: NBitProductParams, panel: i32, row: i32): void {
  multiplyOne(4, false, p, panel, row);
}

function wide4x4(p: NBitProductParams, panel: i32, row: i32): void {
  multiplyFour(4, false, p, panel, row);
}

function wide2x1(p: NBitProductParams, panel: i32, row: i32): void {
  multiplyOne(2, false, p, panel, row);
}

function wide2x4(p: NBitProductParams, panel: i32, row: i32): void {
  multiplyFour(2, false, p, panel, row);
}

function narrow4x1(p: NBitProductParams, panel: i32, row: i32): void {
  multiplyOne(4, true, p, panel, row);
}

function narrow4x4(p: NBitProductParams, panel: i32, row: i32): void {
  multiplyFour(4, true, p, panel, row);
}

function narrow2x1(p: NBitProductParams, panel: i32, row: i32): void {
  multiplyOne(2, true, p, panel, row);
}

function narrow2x4(p: NBitProductParams, panel: i32, row: i32): void {
  multiplyFour(2, true, p, panel, row);
}
