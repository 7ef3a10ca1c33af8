import { loadLanes } from '../lanes';
import { scratch } from '../program';

/** Columns whose zero points, scales and biases are in scratch at the same time. */
export const BLOCK_COLUMNS: i32 = 64;

/** Columns in a panel of packed weights; the panel's head holds their sums. */
export const PANEL: i32 = 8;
export const PANEL_HEAD: usize = 4 * PANEL;

/** How sums become results. */
export const enum IntegerResult {
  /** sum + bias, all int32. */
  Integers = 0,
  /** float(sum) · scale + bias, the bias in floats. */
  Floats = 1,
  /** round(float(sum + bias) · scale) + yZero in int8, or uint8 if `ySigned` is 0; the bias is int32. */
  Narrow = 2,
}

/**
 * Zero points are read from memory: one, or (step 1) one per row or column; 0 means none. They have the signedness of the operands. `scale`
 * is one float or (step 1) one per column. Results other than 32-bit integers are clamped to low…high.
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
const LOW: usize = 5 * COLUMNS;
const HIGH: usize = LOW + 16;
const MOVED: usize = LOW + 32;
const FLIP: usize = LOW + 48;
const ROUND: usize = LOW + 64;

/** A tile of a partial panel. */
export const RAGGED: usize = 6 * COLUMNS;

/** The epilogue uses scratch below this offset. */
export const EPILOGUE_SCRATCH: usize = 7 * COLUMNS;

@inline
export function zeroAt(zero: usize, step: i32, index: i32, signed: i32): i32 {
  if (!zero) return 0;
  const at = zero + <usize>(index * step);
  return signed ? <i32>load<i8>(at) : <i32>load<u8>(at);
}

/** Adding this to a float below 2²² leaves the nearest integer, ties to even, in the lowest bits. */
const ROUNDING: f32 = 12582912;

/**
 * Stores values that all results share into scratch. Bounds are integers, so values may be clamped before they are rounded; uint8 is
 * narrowed as int8, reduced by 128.
 */
export function readBounds(e: IntegerEpilogue): void {
  const narrow = e.result == IntegerResult.Narrow;
  const zero = narrow ? zeroAt(e.yZero, 0, 0, e.ySigned) : 0;
  const least: f32 = e.ySigned ? -128 : 0, largest: f32 = e.ySigned ? 127 : 255;
  v128.store(scratch, f32x4.splat(narrow ? max(e.low, least) - <f32>zero : e.low), LOW);
  v128.store(scratch, f32x4.splat(narrow ? min(e.high, largest) - <f32>zero : e.high), HIGH);
  v128.store(scratch, i32x4.splat(reinterpret<i32>(ROUNDING) - zero + (e.ySigned ? 0 : 128)), MOVED);
  v128.store(scratch, i8x16.splat(e.ySigned ? 0 : -128), FLIP);
  v128.store(scratch, f32x4.splat(ROUNDING), ROUND);
}

/** Zero points of four weight columns from `column` on. */
@inline
function fourZeros(e: IntegerEpilogue, column: i32, count: i32): v128 {
  if (!e.wZeroStep || !e.wZero) return i32x4.splat(zeroAt(e.wZero, 0, 0, e.wSigned));
  let bytes: u32 = 0;
  const at = e.wZero + <usize>column;
  if (count == 4) bytes = load<u32>(at);
  else for (let i = 0; i < count; i++) bytes |= <u32>load<u8>(at + <usize>i) << (i << 3);
  const four = i32x4.splat(bytes);
  return e.wSigned
    ? i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(four))
    : i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(four));
}

@inline
function scalesAt(e: IntegerEpilogue, column: usize, count: i32): v128 {
  if (!e.scale) return f32x4.splat(1);
  return e.scaleStep ? loadLanes(e.scale + column, count) : v128.load32_splat(e.scale);
}

/** Replaces infinities by the largest numbers, and NaN by 0: in Narrow results, a sum of 0 then gives the zero point for any scale. */
@inline
function finite(x: v128): v128 {
  const within = f32x4.pmin(f32x4.pmax(x, f32x4.splat(-f32.MAX_VALUE)), f32x4.splat(f32.MAX_VALUE));
  return v128.and(within, f32x4.eq(x, x));
}

/**
 * Reads the parameters of columns `first`… of a matrix with panels at `b` into scratch. Weights are stored minus `wShift`, which is
 * subtracted from their zero points. Returns whether any zero point is not 0, so that sums of rows are necessary.
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
  let matter = i32x4.splat(0);
  const depths = i32x4.splat(depth), shift = i32x4.splat(wShift);
  for (let c = 0; c < columns; c += 4) {
    const at = scratch + (<usize>c << 2);
    const count = min(4, columns - c);
    const zeros = i32x4.sub(fourZeros(e, first + c, count), shift);
    const sums = v128.load(b + <usize>(c / PANEL) * panelBytes + (<usize>(c % PANEL) << 2));
    const column = <usize>(first + c) << 2;
    matter = v128.or(matter, zeros);
    v128.store(at, zeros, ZEROS);
    v128.store(at, i32x4.sub(sums, i32x4.mul(depths, zeros)), SUMS);
    v128.store(at, e.result == IntegerResult.Narrow ? finite(scalesAt(e, column, count)) : scalesAt(e, column, count), SCALES);
    v128.store(at, e.bias ? loadLanes(e.bias + column, count) : i32x4.splat(0), BIASES);
  }
  return v128.any_true(matter);
}

/** Computes the constants that are added to sums of rows with zero point `xZero`. */
export function offsetsFor(e: IntegerEpilogue, columns: i32, xZero: i32): void {
  const zero = i32x4.splat(xZero);
  const withBias = e.result != IntegerResult.Floats;
  for (let at = scratch, end = at + (<usize>columns << 2); at < end; at += 16) {
    const bias = withBias ? v128.load(at, BIASES) : i32x4.splat(0);
    v128.store(at, i32x4.sub(bias, i32x4.mul(zero, v128.load(at, SUMS))), OFFSETS);
  }
}

/** Address of a column's parameters in scratch. */
@inline
export function placeOf(c: i32): usize {
  return scratch + (<usize>c << 2);
}

/** Initial values of the sums of columns from `at` on. */
@inline
export function startOf(at: usize): v128 {
  return v128.load(at, OFFSETS);
}

/** Initial values for a row whose sum of the operand matters. */
@inline
export function lessRow(start: v128, rowSum: usize, at: usize): v128 {
  return i32x4.sub(start, i32x4.mul(v128.load32_splat(rowSum), v128.load(at, ZEROS)));
}

/** Subtracts the sums of the other operand per column, times the columns' own zero points. */
@inline
export function lessColumns(start: v128, sums: v128, at: usize): v128 {
  return i32x4.sub(start, i32x4.mul(sums, v128.load(at, ZEROS)));
}

@inline
export function scaleOf(at: usize): v128 {
  return v128.load(at, SCALES);
}

@inline
export function biasOf(at: usize): v128 {
  return v128.load(at, BIASES);
}

@inline
export function lowest(): v128 {
  return v128.load(scratch, LOW);
}

@inline
export function highest(): v128 {
  return v128.load(scratch, HIGH);
}

@inline
export function rounding(): v128 {
  return v128.load(scratch, ROUND);
}

@inline
export function movement(): v128 {
  return v128.load(scratch, MOVED);
}

@inline
export function signFlip(): v128 {
  return v128.load(scratch, FLIP);
}

@inline
function clipped(x: v128, low: v128, high: v128): v128 {
  return f32x4.pmin(f32x4.pmax(x, low), high);
}

@inline
function rounded(sum: v128, scale: v128, low: v128, high: v128, round: v128, moved: v128): v128 {
  const scaled = f32x4.mul(f32x4.convert_i32x4_s(sum), scale);
  return i32x4.sub(f32x4.add(clipped(scaled, low, high), round), moved);
}

/** Eight sums as int8 values in 16-bit lanes, reduced by 128 for uint8 results. */
@inline
export function narrowed(a: v128, b: v128, scaleA: v128, scaleB: v128, low: v128, high: v128, round: v128, moved: v128): v128 {
  return i16x8.narrow_i32x4_s(rounded(a, scaleA, low, high, round, moved), rounded(b, scaleB, low, high, round, moved));
}

/** Stores four sums as floats at y; adds the bias if `biased`. */
@inline
export function storeFloats(y: usize, sum: v128, scale: v128, bias: v128, biased: bool, low: v128, high: v128): void {
  const scaled = f32x4.mul(f32x4.convert_i32x4_s(sum), scale);
  v128.store(y, clipped(biased ? f32x4.add(scaled, bias) : scaled, low, high));
}

/** Stores eight sums of the columns at `at` in the result's type. */
export function storeEight(e: IntegerEpilogue, at: usize, y: usize, a: v128, b: v128): void {
  const scaleA = scaleOf(at), scaleB = scaleOf(at + 16), low = lowest(), high = highest();
  if (e.result == IntegerResult.Narrow) {
    const words = narrowed(a, b, scaleA, scaleB, low, high, rounding(), movement());
    v128.store_lane<i64>(y, v128.xor(i8x16.narrow_i16x8_s(words, words), signFlip()), 0);
  } else if (e.result == IntegerResult.Floats) {
    storeFloats(y, a, scaleA, biasOf(at), e.bias != 0, low, high);
    storeFloats(y + 16, b, scaleB, biasOf(at + 16), e.bias != 0, low, high);
  } else {
    v128.store(y, a);
    v128.store(y, b, 16);
  }
}

/** Copies the first `bytes` of each row of a staged tile to y. */
export function unstageRows(y: usize, yStride: usize, count: i32, stagedStride: usize, bytes: usize): void {
  let from = scratch + RAGGED;
  for (let row = 0; row < count; row++, from += stagedStride, y += yStride) {
    for (let i: usize = 0; i < bytes; i++) store<u8>(y + i, load<u8>(from + i));
  }
}
