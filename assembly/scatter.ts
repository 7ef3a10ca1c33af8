import { Storage } from './elementwise/storage';
import { rowOfTuple } from './gather';
import { indexAt } from './indices';

/** How an update combines with the element that it is written to. */
export enum ScatterReduction {
  None,
  Add,
  Mul,
  Min,
  Max,
}

@inline
function reduced<T>(a: T, b: T, reduction: i32): T {
  if (reduction == ScatterReduction.Add) return a + b;
  if (reduction == ScatterReduction.Mul) return a * b;
  if (isFloat<T>() && a != a) return a;
  if (isFloat<T>() && b != b) return b;
  if (reduction == ScatterReduction.Min) return b < a ? b : a;
  return b > a ? b : a;
}

/**
 * ScatterND: updates row Σ index[j]·stride[j] of y with row t of updates, for the tuples t in order. y already holds the data. Rows are
 * `row` elements of `storage` long, y and updates dense. `table` holds 32-bit words: dims [depth], strides [depth] in rows.
 * Indices are i32 or i64 by `indexBytes`; the word at `flag` becomes 1 if one is out of range. Reductions other than None are for Float32,
 * Float64, Int32 and Int64.
 * A tile is `tileColumns` elements of every row, so that equal indices are in one tile; tiles = ceil(row / tileColumns).
 */
@unmanaged
export class ScatterParams {
  updates: usize = 0;
  indices: usize = 0;
  y: usize = 0;
  flag: usize = 0;
  table: usize = 0;
  depth: i32 = 0;
  indexBytes: i32 = 0;
  tuples: u32 = 0;
  row: u32 = 0;
  storage: i32 = 0;
  reduction: i32 = 0;
  tileColumns: u32 = 0;
}

@inline
function scatterColumns<T>(p: ScatterParams, from: usize, to: usize): void {
  const rowBytes = <usize>p.row * sizeof<T>();
  const start = from * sizeof<T>();
  const bytes = (to - from) * sizeof<T>();
  for (let t: usize = 0; t < <usize>p.tuples; t++) {
    const row = rowOfTuple(p.indices, t, p.depth, p.indexBytes, p.table, p.flag);
    let y = p.y + row * rowBytes + start;
    let x = p.updates + t * rowBytes + start;
    if (p.reduction == ScatterReduction.None) {
      if (bytes == sizeof<T>()) store<T>(y, load<T>(x));
      else memory.copy(y, x, bytes);
    } else {
      for (const end = y + bytes; y < end; y += sizeof<T>(), x += sizeof<T>())
        store<T>(y, reduced<T>(load<T>(y), load<T>(x), p.reduction));
    }
  }
}

export function scatter(p: ScatterParams, begin: i32, end: i32): void {
  const from = <usize>begin * <usize>p.tileColumns;
  const to = min(<usize>end * <usize>p.tileColumns, <usize>p.row);
  if (from >= to) return;
  switch (p.storage) {
    case Storage.Float32: return scatterColumns<f32>(p, from, to);
    case Storage.Float64: return scatterColumns<f64>(p, from, to);
    case Storage.Int32: return scatterColumns<i32>(p, from, to);
    case Storage.Uint32: return scatterColumns<u32>(p, from, to);
    case Storage.Int64: return scatterColumns<i64>(p, from, to);
    case Storage.Uint64: return scatterColumns<u64>(p, from, to);
    case Storage.Float16:
    case Storage.BFloat16:
    case Storage.Int16:
    case Storage.Uint16: return scatterColumns<u16>(p, from, to);
    default: return scatterColumns<u8>(p, from, to);
  }
}

/**
 * ScatterElements: updates y[i with its coordinate at the axis replaced by indices[i]] with updates[i], for i in order along each line
 * parallel to the axis. y already holds the data; indices and updates are dense. `table` holds 32-bit words, without the axis: dims of
 * updates [rank], strides of updates [rank], strides of y [rank], in elements. The axis is given by axisCount (its dim in updates), axisDim
 * (in y), axisUpdateStride and axisStride. Storage, reduction, indices and flag are as in scatter. A tile is `tileLines` lines; tiles =
 * ceil(lines / tileLines).
 */
@unmanaged
export class ScatterElementsParams {
  updates: usize = 0;
  indices: usize = 0;
  y: usize = 0;
  flag: usize = 0;
  table: usize = 0;
  rank: i32 = 0;
  indexBytes: i32 = 0;
  lines: u32 = 0;
  axisCount: u32 = 0;
  axisDim: u32 = 0;
  axisUpdateStride: u32 = 0;
  axisStride: u32 = 0;
  storage: i32 = 0;
  reduction: i32 = 0;
  tileLines: u32 = 0;
}

@inline
function scatterLines<T>(p: ScatterElementsParams, from: u32, to: u32): void {
  const words = (<usize>p.rank) << 2;
  for (let line = from; line < to; line++) {
    let rest = line;
    let update: usize = 0;
    let target: usize = 0;
    for (let at = words; at > 0; ) {
      at -= 4;
      const dim = load<u32>(p.table + at);
      const i = <usize>(rest % dim);
      rest /= dim;
      update += i * <usize>load<u32>(p.table + words + at);
      target += i * <usize>load<u32>(p.table + 2 * words + at);
    }
    for (let j: u32 = 0; j < p.axisCount; j++, update += <usize>p.axisUpdateStride) {
      const at = indexAt(p.indices, update, p.indexBytes, p.axisDim, p.flag);
      const y = p.y + (target + at * <usize>p.axisStride) * sizeof<T>();
      const value = load<T>(p.updates + update * sizeof<T>());
      store<T>(y, p.reduction == ScatterReduction.None ? value : reduced<T>(load<T>(y), value, p.reduction));
    }
  }
}

export function scatterElements(p: ScatterElementsParams, begin: i32, end: i32): void {
  const from = <u32>begin * p.tileLines;
  const to = min(<u32>end * p.tileLines, p.lines);
  switch (p.storage) {
    case Storage.Float32: return scatterLines<f32>(p, from, to);
    case Storage.Float64: return scatterLines<f64>(p, from, to);
    case Storage.Int32: return scatterLines<i32>(p, from, to);
    case Storage.Uint32: return scatterLines<u32>(p, from, to);
    case Storage.Int64: return scatterLines<i64>(p, from, to);
    case Storage.Uint64: return scatterLines<u64>(p, from, to);
    case Storage.Float16:
    case Storage.BFloat16:
    case Storage.Int16:
    case Storage.Uint16: return scatterLines<u16>(p, from, to);
    default: return scatterLines<u8>(p, from, to);
  }
}
