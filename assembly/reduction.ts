import { loadLanes } from './lanes';
import { expNonPositive } from './math/exp';
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
 * Folds the middle axis of x [outer, length, inner] into y [outer, inner]. A tile is `grain` consecutive outputs;
 * tiles = ceil(outer · inner / grain). NaN propagates through every kind. Integers know the kinds up to L1.
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

/** Elements (of a row) or rows (of columns) folded in f32 before they join the f64 total: long sums stay accurate. */
const ROW_BLOCK: i32 = 512;
const COLUMN_BLOCK: i32 = 64;

/** Columns folded at once: one cache line. */
const COLUMNS: i32 = 16;

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

@inline
function join(fold: i32, a: v128, b: v128): v128 {
  if (fold == Fold.Max) return f32x4.max(a, b);
  if (fold == Fold.Min) return f32x4.min(a, b);
  return fold == Fold.Multiply ? f32x4.mul(a, b) : f32x4.add(a, b);
}

function joinTotal(fold: i32, a: f64, b: f64): f64 {
  if (fold == Fold.Max) return max(a, b);
  if (fold == Fold.Min) return min(a, b);
  return fold == Fold.Multiply ? a * b : a + b;
}

/** Max and Min lose NaN here, in one instruction instead of eight on x64; `oddities` keeps it. */
@inline
function take(fold: i32, sum: v128, x: v128, shift: v128): v128 {
  if (fold == Fold.AddSquare) return f32x4.add(sum, f32x4.mul(x, x));
  if (fold == Fold.AddAbs) return f32x4.add(sum, f32x4.abs(x));
  if (fold == Fold.AddExp) return f32x4.add(sum, expNonPositive(f32x4.sub(x, shift)));
  if (fold == Fold.Max) return f32x4.pmax(sum, x);
  if (fold == Fold.Min) return f32x4.pmin(sum, x);
  return join(fold, sum, x);
}

/** `seen` with all bits set, which is NaN, in the lanes where x is NaN. */
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
  a = v128.or(join(fold, join(fold, a, b), join(fold, c, d)), v128.or(odd, odd2));
  a = join(fold, a, v128.shuffle<i32>(a, a, 2, 3, 0, 1));
  a = join(fold, a, v128.shuffle<i32>(a, a, 1, 0, 3, 2));
  return f32x4.extract_lane(join(fold, a, rest), 0);
}

/** Folds `rows` rows of `width` columns, `stride` bytes apart, into ceil4(width) floats at `sums`. */
@inline
function foldColumnBlock(fold: i32, x: usize, rows: i32, stride: usize, width: i32, shifts: usize, sums: usize): void {
  const start = f32x4.splat(identity(fold));
  if (width == COLUMNS) {
    let a = start, b = start, c = start, d = start;
    let oddA = f32x4.splat(0), oddB = oddA, oddC = oddA, oddD = oddA;
    for (let i = rows; i; i--, x += stride) {
      const u = v128.load(x), v = v128.load(x, 16), w = v128.load(x, 32), z = v128.load(x, 48);
      a = take(fold, a, u, fold == Fold.AddExp ? v128.load(shifts) : start);
      b = take(fold, b, v, fold == Fold.AddExp ? v128.load(shifts, 16) : start);
      c = take(fold, c, w, fold == Fold.AddExp ? v128.load(shifts, 32) : start);
      d = take(fold, d, z, fold == Fold.AddExp ? v128.load(shifts, 48) : start);
      oddA = oddities(fold, oddA, u);
      oddB = oddities(fold, oddB, v);
      oddC = oddities(fold, oddC, w);
      oddD = oddities(fold, oddD, z);
    }
    v128.store(sums, v128.or(a, oddA));
    v128.store(sums, v128.or(b, oddB), 16);
    v128.store(sums, v128.or(c, oddC), 32);
    v128.store(sums, v128.or(d, oddD), 48);
    return;
  }
  for (; width > 0; width -= 4, x += 16, shifts += 16, sums += 16) {
    const shift = fold == Fold.AddExp ? v128.load(shifts) : start;
    let a = start, odd = f32x4.splat(0);
    for (let i = rows, row = x; i; i--, row += stride) {
      const u = loadLanes(row, width);
      a = take(fold, a, u, shift);
      odd = oddities(fold, odd, u);
    }
    v128.store(sums, v128.or(a, odd));
  }
}

function rowBlock(fold: i32, x: usize, count: i32, shift: v128): f32 {
  switch (fold) {
    case Fold.AddSquare: return foldRowBlock(Fold.AddSquare, x, count, shift);
    case Fold.AddAbs: return foldRowBlock(Fold.AddAbs, x, count, shift);
    case Fold.AddExp: return foldRowBlock(Fold.AddExp, x, count, shift);
    case Fold.Multiply: return foldRowBlock(Fold.Multiply, x, count, shift);
    case Fold.Max: return foldRowBlock(Fold.Max, x, count, shift);
    case Fold.Min: return foldRowBlock(Fold.Min, x, count, shift);
    default: return foldRowBlock(Fold.Add, x, count, shift);
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

/** `shift`: of LogSumExp, the maximum. */
function finish(kind: i32, total: f64, length: i32, shift: f32): f32 {
  if (kind == Reduction.Mean) return <f32>(total / length);
  if (kind == Reduction.L2) return <f32>sqrt(total);
  if (kind == Reduction.LogSum) return <f32>Math.log(total);
  if (kind == Reduction.LogSumExp) return isFinite(shift) ? <f32>(Math.log(total) + shift) : shift;
  return <f32>total;
}

/** The fold of one contiguous row. */
function foldRow(fold: i32, x: usize, length: i32, shift: f32): f64 {
  let total: f64 = identity(fold);
  for (let i = 0; i < length; i += ROW_BLOCK) {
    const count = min(ROW_BLOCK, length - i);
    total = joinTotal(fold, total, rowBlock(fold, x + ((<usize>i) << 2), count, f32x4.splat(shift)));
  }
  return total;
}

/** The folds of `width` adjacent columns as f64 at `totals`; the block sums go to `sums`. */
function foldColumns(p: ReduceParams, fold: i32, x: usize, width: i32, shifts: usize, totals: usize, sums: usize): void {
  const stride = (<usize>p.inner) << 2;
  for (let j = 0; j < width; j++) store<f64>(totals + (j << 3), identity(fold));
  for (let i = 0; i < p.length; i += COLUMN_BLOCK) {
    columnBlock(fold, x + <usize>i * stride, min(COLUMN_BLOCK, p.length - i), stride, width, shifts, sums);
    for (let j = 0; j < width; j++) {
      const total = totals + (j << 3);
      store<f64>(total, joinTotal(fold, load<f64>(total), load<f32>(sums + (j << 2))));
    }
  }
}

function reduceRow(p: ReduceParams, row: i32): void {
  const x = p.x + (((<usize>row) * p.length) << 2);
  const shift: f32 = p.kind == Reduction.LogSumExp ? <f32>foldRow(Fold.Max, x, p.length, 0) : 0;
  const total = foldRow(foldOf(p.kind), x, p.length, shift);
  store<f32>(p.y + ((<usize>row) << 2), finish(p.kind, total, p.length, shift));
}

function reduceColumns(p: ReduceParams, output: i32, width: i32): void {
  const outer = output / p.inner;
  const x = p.x + (((<usize>outer * p.length) * p.inner + (output % p.inner)) << 2);
  const totals = scratch, sums = totals + (COLUMNS << 3), shifts = sums + (COLUMNS << 2);
  memory.fill(shifts, 0, COLUMNS << 2);
  if (p.kind == Reduction.LogSumExp) {
    foldColumns(p, Fold.Max, x, width, shifts, totals, sums);
    for (let j = 0; j < width; j++) store<f32>(shifts + (j << 2), <f32>load<f64>(totals + (j << 3)));
  }
  foldColumns(p, foldOf(p.kind), x, width, shifts, totals, sums);
  for (let j = 0; j < width; j++) {
    const y = finish(p.kind, load<f64>(totals + (j << 3)), p.length, load<f32>(shifts + (j << 2)));
    store<f32>(p.y + ((<usize>(output + j)) << 2), y);
  }
}

export function reduce(p: ReduceParams, begin: i32, end: i32): void {
  const last = min(end * p.grain, p.outer * p.inner);
  for (let i = begin * p.grain; i < last; ) {
    if (p.inner == 1) {
      reduceRow(p, i++);
      continue;
    }
    const width = min(COLUMNS, min(p.inner - (i % p.inner), last - i));
    reduceColumns(p, i, width);
    i += width;
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
