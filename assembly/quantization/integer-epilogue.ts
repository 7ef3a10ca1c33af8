import { scratch } from '../program';
import { BLOCK_COLUMNS, PANEL } from './integer-microkernel';

/** What becomes of the sums. */
export const enum IntegerResult {
  /** sum + bias, all int32. */
  Integers = 0,
  /** float(sum) · scale + bias, the bias in floats. */
  Floats = 1,
  /** round(float(sum + bias) · scale) + yZero in int8, or uint8 if `ySigned` is 0; the bias is int32. */
  Narrow = 2,
}

/**
 * Zero points are read from memory, each one or (step 1) as many as there are rows, or columns; 0: none. Their signs are those of the
 * operands. `scale` is one float or (step 1) one per column. Results that are no integers of 32 bits are kept within low…high.
 */
@unmanaged
export class IntegerEpilogue {
  xZero: usize = 0;
  xZeroStep: i32 = 0;
  xSigned: i32 = 0;
  wZero: usize = 0;
  wZeroStep: i32 = 0;
  wSigned: i32 = 0;
  result: i32 = 0;
  scale: usize = 0;
  scaleStep: i32 = 0;
  bias: usize = 0;
  yZero: usize = 0;
  ySigned: i32 = 0;
  low: f32 = 0;
  high: f32 = 0;
}

const COLUMNS: usize = 4 * BLOCK_COLUMNS;
const SUMS: usize = 0;
const ZEROS: usize = COLUMNS;
const OFFSETS: usize = 2 * COLUMNS;
const SCALES: usize = 3 * COLUMNS;
const BIASES: usize = 4 * COLUMNS;
const RAGGED: usize = 5 * COLUMNS;

/** Scratch below this is the epilogue's. */
export const EPILOGUE_SCRATCH: usize = 6 * COLUMNS;

@inline
export function zeroAt(zero: usize, step: i32, index: i32, signed: i32): i32 {
  if (!zero) return 0;
  const at = zero + <usize>(index * step);
  return signed ? <i32>load<i8>(at) : <i32>load<u8>(at);
}

/**
 * Reads what belongs to columns `first`… of a matrix, `panels` of which are at `b`, into scratch. The weights are measured from
 * `wShift` less than their zero points say. Returns whether a zero point differs from nought, so that sums of rows matter.
 */
export function readColumns(
  e: IntegerEpilogue,
  b: usize,
  panelBytes: usize,
  first: i32,
  columns: i32,
  depth: i32,
  wShift: i32,
): bool {
  let matter = 0;
  for (let c = 0; c < columns; c++) {
    const at = scratch + (<usize>c << 2);
    const zero = zeroAt(e.wZero, e.wZeroStep, first + c, e.wSigned) - wShift;
    const sum = load<i32>(b + <usize>(c / PANEL) * panelBytes + (<usize>(c % PANEL) << 2));
    matter |= zero;
    store<i32>(at, zero, ZEROS);
    store<i32>(at, sum - depth * zero, SUMS);
    const column = <usize>(first + c) << 2;
    store<f32>(at, e.scale ? load<f32>(e.scale + column * <usize>e.scaleStep) : 1, SCALES);
    store<i32>(at, e.bias ? load<i32>(e.bias + column) : 0, BIASES);
  }
  return matter != 0;
}

/** What is added to the sums of rows whose operand is measured from xZero. */
export function offsetsFor(e: IntegerEpilogue, columns: i32, xZero: i32): void {
  const zero = i32x4.splat(xZero);
  const withBias = e.result != IntegerResult.Floats;
  for (let at = scratch, end = at + (<usize>columns << 2); at < end; at += 16) {
    const bias = withBias ? v128.load(at, BIASES) : i32x4.splat(0);
    v128.store(at, i32x4.sub(bias, i32x4.mul(zero, v128.load(at, SUMS))), OFFSETS);
  }
}

/** The sums of one row and a panel from column `at` (in bytes of sums) on, complete. */
@inline
function completed(sums: usize, at: usize, rowSum: v128, byRow: bool): v128 {
  const sum = i32x4.add(v128.load(sums + at), v128.load(scratch + at, OFFSETS));
  return byRow ? i32x4.sub(sum, i32x4.mul(rowSum, v128.load(scratch + at, ZEROS))) : sum;
}

/** Takes from sums per column those of the other operand, times the columns' own zero points. */
export function subtractZeros(sums: usize, others: usize, columns: i32): void {
  for (let at: usize = 0, end = <usize>columns << 2; at < end; at += 16) {
    const zeros = i32x4.mul(v128.load(others + at), v128.load(scratch + at, ZEROS));
    v128.store(sums + at, i32x4.sub(v128.load(sums + at), zeros));
  }
}

@inline
function clipped(x: v128, low: v128, high: v128): v128 {
  return f32x4.pmin(f32x4.pmax(x, low), high);
}

/** Rows of sums, BLOCK_COLUMNS apart, and where their results go. */
@unmanaged
export class FinishedRows {
  sums: usize = 0;
  count: i32 = 0;
  columns: i32 = 0;
  y: usize = 0;
  yStride: usize = 0;
  /** Sums of the rows' operands where these matter, else 0. */
  rowSums: usize = 0;
}

/** Writes rows of results for the columns that were read. */
export function finishRows(e: IntegerEpilogue, rows: FinishedRows): void {
  const whole = rows.columns & -PANEL;
  finishRuns(e, rows, 0, whole);
  if (whole < rows.columns) finishRagged(e, rows, whole);
}

/** The columns behind the last whole panel: staged, so that nothing beside them is written. */
function finishRagged(e: IntegerEpilogue, rows: FinishedRows, whole: i32): void {
  const size = e.result == IntegerResult.Narrow ? 1 : 4;
  const bytes = <usize>((rows.columns - whole) * size);
  const staged = scratch + RAGGED;
  const count = rows.count, sums = rows.sums, rowSums = rows.rowSums, first = rows.y, stride = rows.yStride;
  let y = first + <usize>(whole * size);
  rows.count = 1;
  rows.y = staged - <usize>(whole * size);
  for (let row = 0; row < count; row++, y += stride) {
    finishRuns(e, rows, whole, whole + PANEL);
    memory.copy(y, staged, bytes);
    rows.sums += COLUMNS;
    if (rowSums) rows.rowSums += 4;
  }
  rows.count = count;
  rows.sums = sums;
  rows.rowSums = rowSums;
  rows.y = first;
}

@inline
function finishRuns(e: IntegerEpilogue, rows: FinishedRows, from: i32, to: i32): void {
  if (e.result == IntegerResult.Narrow) narrowRuns(e, rows, from, to);
  else if (e.result == IntegerResult.Floats) floatRuns(e, rows, from, to);
  else integerRuns(rows, from, to);
}

@inline
function rowSumOf(rows: FinishedRows, row: i32): v128 {
  return rows.rowSums ? v128.load32_splat(rows.rowSums + (<usize>row << 2)) : i32x4.splat(0);
}

function integerRuns(rows: FinishedRows, from: i32, to: i32): void {
  const byRow = rows.rowSums != 0;
  let sums = rows.sums;
  for (let row = 0; row < rows.count; row++, sums += COLUMNS) {
    const rowSum = rowSumOf(rows, row);
    let y = rows.y + <usize>row * rows.yStride + (<usize>from << 2);
    for (let at = <usize>from << 2, end = <usize>to << 2; at < end; at += 16, y += 16) {
      v128.store(y, completed(sums, at, rowSum, byRow));
    }
  }
}

function floatRuns(e: IntegerEpilogue, rows: FinishedRows, from: i32, to: i32): void {
  const byRow = rows.rowSums != 0;
  const low = f32x4.splat(e.low), high = f32x4.splat(e.high);
  let sums = rows.sums;
  for (let row = 0; row < rows.count; row++, sums += COLUMNS) {
    const rowSum = rowSumOf(rows, row);
    let y = rows.y + <usize>row * rows.yStride + (<usize>from << 2);
    for (let at = <usize>from << 2, end = <usize>to << 2; at < end; at += 16, y += 16) {
      const value = f32x4.convert_i32x4_s(completed(sums, at, rowSum, byRow));
      const scaled = f32x4.mul(value, v128.load(scratch + at, SCALES));
      v128.store(y, clipped(e.bias ? f32x4.add(scaled, v128.load(scratch + at, BIASES)) : scaled, low, high));
    }
  }
}

/** Added to a float of less than 2²², it leaves the nearest integer, ties to even, in the lowest bits. */
const ROUNDING: f32 = 12582912;

/** Bounds are integers, so that values may be kept within them before they are rounded. */
function narrowRuns(e: IntegerEpilogue, rows: FinishedRows, from: i32, to: i32): void {
  const byRow = rows.rowSums != 0, signed = e.ySigned != 0;
  const zero = zeroAt(e.yZero, 0, 0, e.ySigned);
  const low = f32x4.splat(max(e.low, signed ? -128 : 0) - <f32>zero);
  const high = f32x4.splat(min(e.high, signed ? 127 : 255) - <f32>zero);
  const moved = i32x4.splat(reinterpret<i32>(ROUNDING) - zero);
  let sums = rows.sums;
  for (let row = 0; row < rows.count; row++, sums += COLUMNS) {
    const rowSum = rowSumOf(rows, row);
    let y = rows.y + <usize>row * rows.yStride + <usize>from;
    for (let at = <usize>from << 2, end = <usize>to << 2; at < end; at += 32, y += 8) {
      const a = narrowed(completed(sums, at, rowSum, byRow), at, low, high);
      const b = narrowed(completed(sums, at + 16, rowSum, byRow), at + 16, low, high);
      const words = i16x8.narrow_i32x4_s(i32x4.sub(a, moved), i32x4.sub(b, moved));
      const bytes = signed ? i8x16.narrow_i16x8_s(words, words) : i8x16.narrow_i16x8_u(words, words);
      v128.store_lane<i64>(y, bytes, 0);
    }
  }
}

@inline
function narrowed(sum: v128, at: usize, low: v128, high: v128): v128 {
  const scaled = f32x4.mul(f32x4.convert_i32x4_s(sum), v128.load(scratch + at, SCALES));
  return f32x4.add(clipped(scaled, low, high), f32x4.splat(ROUNDING));
}
