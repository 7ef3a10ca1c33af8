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

/** Writes a row of results at `y` for the first `columns` of its sums; `rowSum` is that of its operand. */
export function finishRow(e: IntegerEpilogue, y: usize, sums: usize, columns: i32, rowSum: i32, byRow: bool): void {
  const whole = columns & -PANEL;
  const bytes = e.result == IntegerResult.Narrow ? 1 : 4;
  finishRun(e, y, sums, 0, whole, rowSum, byRow);
  if (whole == columns) return;
  const ragged = scratch + RAGGED;
  finishRun(e, ragged, sums, whole, whole + PANEL, rowSum, byRow);
  memory.copy(y + <usize>(whole * bytes), ragged, <usize>((columns - whole) * bytes));
}

@inline
function finishRun(e: IntegerEpilogue, y: usize, sums: usize, from: i32, to: i32, rowSum: i32, byRow: bool): void {
  if (e.result == IntegerResult.Narrow) narrowRun(e, y, sums, from, to, rowSum, byRow);
  else if (e.result == IntegerResult.Floats) floatRun(e, y, sums, from, to, rowSum, byRow);
  else integerRun(y, sums, from, to, rowSum, byRow);
}

function integerRun(y: usize, sums: usize, from: i32, to: i32, rowSum: i32, byRow: bool): void {
  const row = i32x4.splat(rowSum);
  for (let at = <usize>from << 2, end = <usize>to << 2; at < end; at += 16, y += 16) {
    v128.store(y, completed(sums, at, row, byRow));
  }
}

function floatRun(e: IntegerEpilogue, y: usize, sums: usize, from: i32, to: i32, rowSum: i32, byRow: bool): void {
  const row = i32x4.splat(rowSum);
  const low = f32x4.splat(e.low), high = f32x4.splat(e.high);
  for (let at = <usize>from << 2, end = <usize>to << 2; at < end; at += 16, y += 16) {
    const value = f32x4.convert_i32x4_s(completed(sums, at, row, byRow));
    const scaled = f32x4.mul(value, v128.load(scratch + at, SCALES));
    v128.store(y, clipped(e.bias ? f32x4.add(scaled, v128.load(scratch + at, BIASES)) : scaled, low, high));
  }
}

function narrowRun(e: IntegerEpilogue, y: usize, sums: usize, from: i32, to: i32, rowSum: i32, byRow: bool): void {
  const row = i32x4.splat(rowSum);
  const zero = f32x4.splat(<f32>zeroAt(e.yZero, 0, 0, e.ySigned));
  const low = f32x4.splat(max(e.low, e.ySigned ? -128 : 0));
  const high = f32x4.splat(min(e.high, e.ySigned ? 127 : 255));
  for (let at = <usize>from << 2, end = <usize>to << 2; at < end; at += 32, y += 8) {
    const a = narrowed(completed(sums, at, row, byRow), at, zero, low, high);
    const b = narrowed(completed(sums, at + 16, row, byRow), at + 16, zero, low, high);
    const words = i16x8.narrow_i32x4_s(a, b);
    const bytes = e.ySigned ? i8x16.narrow_i16x8_s(words, words) : i8x16.narrow_i16x8_u(words, words);
    v128.store_lane<i64>(y, bytes, 0);
  }
}

@inline
function narrowed(sum: v128, at: usize, zero: v128, low: v128, high: v128): v128 {
  const scaled = f32x4.mul(f32x4.convert_i32x4_s(sum), v128.load(scratch + at, SCALES));
  return i32x4.trunc_sat_f32x4_s(clipped(f32x4.add(f32x4.nearest(scaled), zero), low, high));
}
