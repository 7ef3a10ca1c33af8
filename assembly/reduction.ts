import { loadLanes, storeLanes } from './lanes';
import { expNonPositive } from './math/exp';
import { log64 } from './math/float64';
import { scratch } from './program';

export enum Reduction {
  Sum,
  Mean,
  Max,
  Min,
  Prod,
  SumSquare,
  L1,
  L2,
  LogSum,
  LogSumExp,
}

/**
 * Reduces the middle axis of x [outer, length, inner] into y [outer, inner]. A tile is `grain` consecutive outputs;
 * tiles = ceil(outer · inner / grain). NaN propagates through every kind. Integers support the kinds up to L1.
 */
@unmanaged
export class ReduceParams {
  x: usize = 0;
  y: usize = 0;
  outer: i32 = 0;
  length: i32 = 0;
  inner: i32 = 0;
  kind: i32 = Reduction.Sum;
  grain: i32 = 0;
}

const enum Fold {
  Add,
  AddSquare,
  AddAbs,
  AddExp,
  Multiply,
  Max,
  Min,
}

/** Elements of a row, or rows of columns, folded in f32 before they are added to the f64 total: long sums stay accurate. */
const ROW_BLOCK: i32 = 512;
const COLUMN_BLOCK: i32 = 64;

/** Outputs computed at once: their totals stay in the L1 cache while the rows of x stream by. */
const PANEL: i32 = 512;

function foldOf(kind: i32): i32 {
  if (kind == Reduction.Max) return Fold.Max;
  if (kind == Reduction.Min) return Fold.Min;
  if (kind == Reduction.Prod) return Fold.Multiply;
  if (kind == Reduction.SumSquare || kind == Reduction.L2) return Fold.AddSquare;
  if (kind == Reduction.L1) return Fold.AddAbs;
  if (kind == Reduction.LogSumExp) return Fold.AddExp;
  return Fold.Add;
}

@inline
function identity(fold: i32): f32 {
  if (fold == Fold.Max) return f32.NEGATIVE_INFINITY;
  if (fold == Fold.Min) return f32.POSITIVE_INFINITY;
  return fold == Fold.Multiply ? 1 : 0;
}

/** Combines two folds. Max and Min ignore NaN; `oddities` records it. */
@inline
function join(fold: i32, a: v128, b: v128): v128 {
  if (fold == Fold.Max) return f32x4.pmax(a, b);
  if (fold == Fold.Min) return f32x4.pmin(a, b);
  return fold == Fold.Multiply ? f32x4.mul(a, b) : f32x4.add(a, b);
}

/** Combines a total `a`, which stays NaN once it is, with a fold `b`. */
@inline
function join64(fold: i32, a: v128, b: v128): v128 {
  if (fold == Fold.Max) return v128.or(f64x2.pmax(a, b), f64x2.ne(b, b));
  if (fold == Fold.Min) return v128.or(f64x2.pmin(a, b), f64x2.ne(b, b));
  return fold == Fold.Multiply ? f64x2.mul(a, b) : f64x2.add(a, b);
}

/** Adds x to a fold. Max and Min ignore NaN, which takes one instruction instead of eight on x64; `oddities` records it. */
@inline
function take(fold: i32, sum: v128, x: v128, shift: v128): v128 {
  if (fold == Fold.AddSquare) return f32x4.add(sum, f32x4.mul(x, x));
  if (fold == Fold.AddAbs) return f32x4.add(sum, f32x4.abs(x));
  if (fold == Fold.AddExp) return f32x4.add(sum, expNonPositive(f32x4.sub(x, shift)));
  if (fold == Fold.Max) return f32x4.pmax(sum, x);
  if (fold == Fold.Min) return f32x4.pmin(sum, x);
  return join(fold, sum, x);
}

/** `seen` with all bits set (NaN) in the lanes where x is NaN. */
@inline
function oddities(fold: i32, seen: v128, x: v128): v128 {
  return fold == Fold.Max || fold == Fold.Min ? v128.or(seen, f32x4.ne(x, x)) : seen;
}

@inline
function foldRowBlock(fold: i32, x: usize, count: i32, shift: v128): f32 {
  let a = f32x4.splat(identity(fold)), b = a, c = a, d = a;
  let odd = f32x4.splat(0), odd2 = odd;
  let i = count;
  for (; i >= 16; i -= 16, x += 64) {
    const u = v128.load(x), v = v128.load(x, 16), w = v128.load(x, 32), z = v128.load(x, 48);
    a = take(fold, a, u, shift);
    b = take(fold, b, v, shift);
    c = take(fold, c, w, shift);
    d = take(fold, d, z, shift);
    odd = oddities(fold, oddities(fold, odd, u), v);
    odd2 = oddities(fold, oddities(fold, odd2, w), z);
  }
  for (; i >= 4; i -= 4, x += 16) {
    const u = v128.load(x);
    a = take(fold, a, u, shift);
    odd = oddities(fold, odd, u);
  }
  let rest = f32x4.splat(identity(fold));
  for (; i; i--, x += 4) {
    const u = v128.load32_splat(x);
    rest = take(fold, rest, u, shift);
    odd = oddities(fold, odd, u);
  }
  a = join(fold, join(fold, a, b), join(fold, c, d));
  a = join(fold, a, v128.shuffle<i32>(a, a, 2, 3, 0, 1));
  a = join(fold, a, v128.shuffle<i32>(a, a, 1, 0, 3, 2));
  const folded = f32x4.extract_lane(join(fold, a, rest), 0);
  return (fold == Fold.Max || fold == Fold.Min) && v128.any_true(v128.or(odd, odd2)) ? f32.NaN : folded;
}

/** Folds the first `count` elements of each of `rows` rows into one float per row at `sums`. */
@inline
function foldRowBlocks(fold: i32, x: usize, rows: i32, stride: usize, count: i32, shifts: usize, sums: usize): void {
  for (; rows; rows--, x += stride, shifts += 4, sums += 4)
    store<f32>(sums, foldRowBlock(fold, x, count, fold == Fold.AddExp ? v128.load32_splat(shifts) : f32x4.splat(0)));
}

@inline
function takeOf(fold: i32, sum: v128, x: v128, shift: v128): v128 {
  return oddities(fold, take(fold, sum, x, shift), x);
}

/** Folds `rows` rows of `width` columns, `stride` bytes apart, into ceil4(width) floats at `sums`. */
@inline
function foldColumnBlock(fold: i32, x: usize, rows: i32, stride: usize, width: i32, shifts: usize, sums: usize): void {
  const start = f32x4.splat(identity(fold));
  const vectors = (<usize>(width & ~3)) << 2;
  const rest = width & 3;
  for (let j: usize = 0; j < vectors; j += 16) v128.store(sums + j, start);
  let tail = start;
  const tailShift = fold == Fold.AddExp ? v128.load(shifts + vectors) : start;
  for (; rows >= 4; rows -= 4, x += stride << 2) {
    const x1 = x + stride, x2 = x1 + stride, x3 = x2 + stride;
    for (let j: usize = 0; j < vectors; j += 16) {
      const shift = fold == Fold.AddExp ? v128.load(shifts + j) : start;
      let sum = takeOf(fold, v128.load(sums + j), v128.load(x + j), shift);
      sum = takeOf(fold, sum, v128.load(x1 + j), shift);
      sum = takeOf(fold, sum, v128.load(x2 + j), shift);
      v128.store(sums + j, takeOf(fold, sum, v128.load(x3 + j), shift));
    }
    if (!rest) continue;
    tail = takeOf(fold, tail, loadLanes(x + vectors, rest), tailShift);
    tail = takeOf(fold, tail, loadLanes(x1 + vectors, rest), tailShift);
    tail = takeOf(fold, tail, loadLanes(x2 + vectors, rest), tailShift);
    tail = takeOf(fold, tail, loadLanes(x3 + vectors, rest), tailShift);
  }
  for (; rows; rows--, x += stride) {
    for (let j: usize = 0; j < vectors; j += 16) {
      const shift = fold == Fold.AddExp ? v128.load(shifts + j) : start;
      v128.store(sums + j, takeOf(fold, v128.load(sums + j), v128.load(x + j), shift));
    }
    if (rest) tail = takeOf(fold, tail, loadLanes(x + vectors, rest), tailShift);
  }
  if (rest) v128.store(sums + vectors, tail);
}

function rowBlocks(fold: i32, x: usize, rows: i32, stride: usize, count: i32, shifts: usize, sums: usize): void {
  switch (fold) {
    case Fold.AddSquare: return foldRowBlocks(Fold.AddSquare, x, rows, stride, count, shifts, sums);
    case Fold.AddAbs: return foldRowBlocks(Fold.AddAbs, x, rows, stride, count, shifts, sums);
    case Fold.AddExp: return foldRowBlocks(Fold.AddExp, x, rows, stride, count, shifts, sums);
    case Fold.Multiply: return foldRowBlocks(Fold.Multiply, x, rows, stride, count, shifts, sums);
    case Fold.Max: return foldRowBlocks(Fold.Max, x, rows, stride, count, shifts, sums);
    case Fold.Min: return foldRowBlocks(Fold.Min, x, rows, stride, count, shifts, sums);
    default: return foldRowBlocks(Fold.Add, x, rows, stride, count, shifts, sums);
  }
}

function columnBlock(fold: i32, x: usize, rows: i32, stride: usize, width: i32, shifts: usize, sums: usize): void {
  switch (fold) {
    case Fold.AddSquare: return foldColumnBlock(Fold.AddSquare, x, rows, stride, width, shifts, sums);
    case Fold.AddAbs: return foldColumnBlock(Fold.AddAbs, x, rows, stride, width, shifts, sums);
    case Fold.AddExp: return foldColumnBlock(Fold.AddExp, x, rows, stride, width, shifts, sums);
    case Fold.Multiply: return foldColumnBlock(Fold.Multiply, x, rows, stride, width, shifts, sums);
    case Fold.Max: return foldColumnBlock(Fold.Max, x, rows, stride, width, shifts, sums);
    case Fold.Min: return foldColumnBlock(Fold.Min, x, rows, stride, width, shifts, sums);
    default: return foldColumnBlock(Fold.Add, x, rows, stride, width, shifts, sums);
  }
}

/** Adds floats to f64 totals, vector by vector. */
@inline
function joinTotalsOf(fold: i32, totals: usize, sums: usize, count: i32): void {
  for (; count > 0; count -= 4, totals += 32, sums += 16) {
    const v = v128.load(sums);
    v128.store(totals, join64(fold, v128.load(totals), f64x2.promote_low_f32x4(v)));
    const high = f64x2.promote_low_f32x4(v128.shuffle<i32>(v, v, 2, 3, 2, 3));
    v128.store(totals, join64(fold, v128.load(totals, 16), high), 16);
  }
}

function joinTotals(fold: i32, totals: usize, sums: usize, count: i32): void {
  if (fold == Fold.Max) joinTotalsOf(Fold.Max, totals, sums, count);
  else if (fold == Fold.Min) joinTotalsOf(Fold.Min, totals, sums, count);
  else if (fold == Fold.Multiply) joinTotalsOf(Fold.Multiply, totals, sums, count);
  else joinTotalsOf(Fold.Add, totals, sums, count);
}

/** Folds `count` adjacent outputs, the first starting at x, into f64 at `totals`. */
function foldPanel(p: ReduceParams, fold: i32, x: usize, count: i32, shifts: usize, totals: usize, sums: usize): void {
  const start = f64x2.splat(identity(fold));
  for (let at = totals, end = totals + ((<usize>count) << 3); at < end; at += 16) v128.store(at, start);
  const byRows = p.inner == 1;
  const stride = (<usize>(byRows ? p.length : p.inner)) << 2;
  const block = byRows ? ROW_BLOCK : COLUMN_BLOCK;
  for (let i = 0; i < p.length; i += block) {
    const length = min(block, p.length - i);
    if (byRows) rowBlocks(fold, x + ((<usize>i) << 2), count, stride, length, shifts, sums);
    else columnBlock(fold, x + <usize>i * stride, length, stride, count, shifts, sums);
    joinTotals(fold, totals, sums, count);
  }
}

/** Two results from f64 totals, for the kinds without a logarithm. */
@inline
function finished(kind: i32, total: v128, length: v128): v128 {
  if (kind == Reduction.Mean) return f64x2.div(total, length);
  return kind == Reduction.L2 ? f64x2.sqrt(total) : total;
}

/** `shift`: for LogSumExp, the maximum. */
@inline
function logarithm(kind: i32, total: f64, shift: f32): f32 {
  if (kind == Reduction.LogSum) return <f32>log64(total);
  return isFinite(shift) ? <f32>(log64(total) + shift) : shift;
}

function finish(kind: i32, y: usize, count: i32, length: i32, shifts: usize, totals: usize): void {
  if (kind == Reduction.LogSum || kind == Reduction.LogSumExp) {
    for (; count; count--, y += 4, shifts += 4, totals += 8)
      store<f32>(y, logarithm(kind, load<f64>(totals), load<f32>(shifts)));
    return;
  }
  const divisor = f64x2.splat(length);
  for (; count > 0; count -= 4, y += 16, totals += 32) {
    const low = f32x4.demote_f64x2_zero(finished(kind, v128.load(totals), divisor));
    const high = f32x4.demote_f64x2_zero(finished(kind, v128.load(totals, 16), divisor));
    storeLanes(y, v128.shuffle<i32>(low, high, 0, 1, 4, 5), count);
  }
}

/** Computes `count` adjacent outputs from index `output` on; where inner > 1, all have the same outer index. */
function reducePanel(p: ReduceParams, output: i32, count: i32): void {
  const x = p.x + (((<usize>(output / p.inner) * p.length) * p.inner + (output % p.inner)) << 2);
  const totals = scratch, sums = totals + (PANEL << 3), shifts = sums + (PANEL << 2);
  if (p.kind == Reduction.LogSumExp) {
    foldPanel(p, Fold.Max, x, count, shifts, totals, sums);
    for (let j = 0; j < count; j++) store<f32>(shifts + (j << 2), <f32>load<f64>(totals + (j << 3)));
  }
  foldPanel(p, foldOf(p.kind), x, count, shifts, totals, sums);
  finish(p.kind, p.y + ((<usize>output) << 2), count, p.length, shifts, totals);
}

export function reduce(p: ReduceParams, begin: i32, end: i32): void {
  const last = min(end * p.grain, p.outer * p.inner);
  // Long rows are reduced one after another.
  const most = p.inner == 1 && p.length > ROW_BLOCK ? 1 : PANEL;
  for (let i = begin * p.grain, count = 0; i < last; i += count) {
    count = min(most, min(p.inner == 1 ? last - i : p.inner - (i % p.inner), last - i));
    reducePanel(p, i, count);
  }
}

@inline
function foldScalars<T>(kind: i32, x: usize, length: i32, stride: usize): T {
  let total = <T>(kind == Reduction.Prod ? 1 : 0);
  if ((kind == Reduction.Max || kind == Reduction.Min) && length) total = load<T>(x);
  for (let i = length; i; i--, x += stride) {
    const value = load<T>(x);
    if (kind == Reduction.Max) total = max(total, value);
    else if (kind == Reduction.Min) total = min(total, value);
    else if (kind == Reduction.Prod) total *= value;
    else if (kind == Reduction.SumSquare) total += value * value;
    else if (kind == Reduction.L1) total += value < 0 ? -value : value;
    else total += value;
  }
  return kind == Reduction.Mean ? total / <T>length : total;
}

@inline
function reduceIntegers<T>(p: ReduceParams, begin: i32, end: i32): void {
  const stride = <usize>p.inner * sizeof<T>();
  const last = min(end * p.grain, p.outer * p.inner);
  for (let i = begin * p.grain; i < last; i++) {
    const x = p.x + <usize>(i / p.inner) * p.length * stride + <usize>(i % p.inner) * sizeof<T>();
    store<T>(p.y + <usize>i * sizeof<T>(), foldScalars<T>(p.kind, x, p.length, stride));
  }
}

export function reduceI32(p: ReduceParams, begin: i32, end: i32): void {
  reduceIntegers<i32>(p, begin, end);
}

export function reduceI64(p: ReduceParams, begin: i32, end: i32): void {
  reduceIntegers<i64>(p, begin, end);
}
