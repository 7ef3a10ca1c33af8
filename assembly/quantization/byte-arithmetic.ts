import { scratch } from '../program';

/** Operations on two numbers. */
export const enum ByteOperation {
  Sum = 0,
  Product = 1,
}

export const enum ByteArithmetic {
  /** Elements in a tile. */
  Tile = 16384,
}

/**
 * y = round(t / step) + zero, clamped to low…high, where t is (a' + offset) + b' for ByteOperation.Sum, (a' · b') · factor + offset for
 * Product, and a' = (a − aZero) · aScale. Computes in floats; inputs and outputs are 8-bit integers. Bounds are integers of the result.
 * `table` has, for each of `rank` dimensions, outermost first, its length and the strides of a and b; the innermost strides are 0 or 1.
 * Tiles: ceil(count / ByteArithmetic.Tile) of the result's elements.
 */
@unmanaged
export class ByteArithmeticParams {
  a: usize = 0;
  b: usize = 0;
  y: usize = 0;
  table: usize = 0;
  rank: i32 = 1;
  count: u32 = 0;
  operation: i32 = 0;
  aSigned: i32 = 0;
  bSigned: i32 = 0;
  ySigned: i32 = 0;
  aZero: i32 = 0;
  bZero: i32 = 0;
  zero: i32 = 0;
  aScale: f32 = 1;
  bScale: f32 = 1;
  offset: f32 = 0;
  factor: f32 = 1;
  step: f32 = 1;
  low: f32 = 0;
  high: f32 = 0;
}

const VECTOR: usize = 16;
const REPEATED_A: usize = 0;
const REPEATED_B: usize = 16;
const RAGGED_A: usize = 32;
const RAGGED_B: usize = 48;
const RAGGED_Y: usize = 64;

export function byteArithmetic(p: ByteArithmeticParams, begin: i32, end: i32): void {
  const last = min(<u32>end * ByteArithmetic.Tile, p.count);
  const inner = p.table + <usize>(p.rank - 1) * 12;
  const length = load<u32>(inner);
  const aRuns = load<u32>(inner, 4) != 0, bRuns = load<u32>(inner, 8) != 0;
  for (let from = <u32>begin * ByteArithmetic.Tile; from < last; ) {
    const within = from % length;
    const run = min(length - within, last - from);
    let a = p.a, b = p.b;
    let rest = from / length;
    for (let entry = inner; entry > p.table; ) {
      entry -= 12;
      const size = load<u32>(entry), at = rest % size;
      a += <usize>(at * load<u32>(entry, 4));
      b += <usize>(at * load<u32>(entry, 8));
      rest /= size;
    }
    computeRun(p, aRuns ? a + <usize>within : repeated(a, REPEATED_A), aRuns ? VECTOR : 0,
      bRuns ? b + <usize>within : repeated(b, REPEATED_B), bRuns ? VECTOR : 0, p.y + <usize>from, run);
    from += run;
  }
}

/** Stores one element as a vector. */
function repeated(at: usize, place: usize): usize {
  v128.store(scratch + place, v128.load8_splat(at));
  return scratch + place;
}

function computeRun(p: ByteArithmeticParams, a: usize, aStep: usize, b: usize, bStep: usize, y: usize, count: u32): void {
  const whole = count & ~15;
  if (p.operation == ByteOperation.Sum) compute(true, p, a, aStep, b, bStep, y, whole);
  else compute(false, p, a, aStep, b, bStep, y, whole);
  const left = <usize>(count - whole);
  if (left == 0) return;
  if (aStep) a = staged(a + <usize>whole, left, RAGGED_A);
  if (bStep) b = staged(b + <usize>whole, left, RAGGED_B);
  const to = scratch + RAGGED_Y;
  if (p.operation == ByteOperation.Sum) compute(true, p, a, 0, b, 0, to, 16);
  else compute(false, p, a, 0, b, 0, to, 16);
  for (let i: usize = 0; i < left; i++) store<u8>(y + <usize>whole + i, load<u8>(to + i));
}

function staged(from: usize, count: usize, place: usize): usize {
  for (let i: usize = 0; i < count; i++) store<u8>(scratch + place + i, load<u8>(from + i));
  return scratch + place;
}

@inline
function scaled(words: v128, high: bool, scale: v128): v128 {
  const integers = high ? i32x4.extend_high_i16x8_s(words) : i32x4.extend_low_i16x8_s(words);
  return f32x4.mul(f32x4.convert_i32x4_s(integers), scale);
}

/** Adding this to a float below 2²² leaves the nearest integer, ties to even, in the lowest bits. */
const ROUNDING: f32 = 12582912;

@inline
function combined(SUM: bool, a: v128, b: v128, factor: v128, offset: v128): v128 {
  return SUM ? f32x4.add(f32x4.add(a, offset), b) : f32x4.add(f32x4.mul(f32x4.mul(a, b), factor), offset);
}

@inline
function compute(SUM: bool, p: ByteArithmeticParams, a: usize, aStep: usize, b: usize, bStep: usize, y: usize, count: u32): void {
  // Treats all as signed: unsigned values and their zero points are reduced by 128.
  const aFlip = i8x16.splat(p.aSigned ? 0 : -128), bFlip = i8x16.splat(p.bSigned ? 0 : -128), yFlip = i8x16.splat(p.ySigned ? 0 : -128);
  const aZero = i16x8.splat(<i16>(p.aZero - (p.aSigned ? 0 : 128))), bZero = i16x8.splat(<i16>(p.bZero - (p.bSigned ? 0 : 128)));
  const aScale = f32x4.splat(p.aScale), bScale = f32x4.splat(p.bScale);
  const factor = f32x4.splat(p.factor), offset = f32x4.splat(p.offset), step = f32x4.splat(p.step);
  const zero = <f32>p.zero;
  const low = f32x4.splat(p.low - zero), high = f32x4.splat(p.high - zero);
  const round = f32x4.splat(ROUNDING);
  const moved = i32x4.splat(reinterpret<i32>(ROUNDING) - p.zero + (p.ySigned ? 0 : 128));
  for (const end = y + <usize>count; y < end; y += 16, a += aStep, b += bStep) {
    const xa = v128.xor(v128.load(a), aFlip), xb = v128.xor(v128.load(b), bFlip);
    const a0 = i16x8.sub(i16x8.extend_low_i8x16_s(xa), aZero), a1 = i16x8.sub(i16x8.extend_high_i8x16_s(xa), aZero);
    const b0 = i16x8.sub(i16x8.extend_low_i8x16_s(xb), bZero), b1 = i16x8.sub(i16x8.extend_high_i8x16_s(xb), bZero);
    const t0 = combined(SUM, scaled(a0, false, aScale), scaled(b0, false, bScale), factor, offset);
    const t1 = combined(SUM, scaled(a0, true, aScale), scaled(b0, true, bScale), factor, offset);
    const t2 = combined(SUM, scaled(a1, false, aScale), scaled(b1, false, bScale), factor, offset);
    const t3 = combined(SUM, scaled(a1, true, aScale), scaled(b1, true, bScale), factor, offset);
    const y0 = i16x8.narrow_i32x4_s(rounded(t0, step, low, high, round, moved), rounded(t1, step, low, high, round, moved));
    const y1 = i16x8.narrow_i32x4_s(rounded(t2, step, low, high, round, moved), rounded(t3, step, low, high, round, moved));
    v128.store(y, v128.xor(i8x16.narrow_i16x8_s(y0, y1), yFlip));
  }
}

@inline
function rounded(t: v128, step: v128, low: v128, high: v128, round: v128, moved: v128): v128 {
  const within = f32x4.pmin(f32x4.pmax(f32x4.div(t, step), low), high);
  return i32x4.sub(f32x4.add(within, round), moved);
}
