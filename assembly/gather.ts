import { copyRun } from './copy-run';
import { indexAt } from './indices';
import { scratch } from './program';

/**
 * Gather and GatherND: row r = b·tuples + t of y is row b·batchRows + Σ index[j]·stride[j] of x, where index is tuple b·indexBatch + t of
 * `depth` indices. Rows are `rowBytes` long, x and y dense. `table` holds 32-bit words: dims [depth] and strides [depth] of the indexed
 * dimensions, in rows.
 * Gather along an axis: batches = product of the dims before it, batchRows = its dim, depth 1, stride 1, indexBatch 0.
 * Indices are i32 or i64 by `indexBytes`; the word at `flag` becomes 1 if one is out of range.
 * A tile is `tileRows` rows of y; tiles = ceil(batches · tuples / tileRows).
 */
@unmanaged
export class GatherParams {
  x: usize = 0;
  indices: usize = 0;
  y: usize = 0;
  flag: usize = 0;
  table: usize = 0;
  depth: i32 = 0;
  indexBytes: i32 = 0;
  batches: u32 = 0;
  batchRows: u32 = 0;
  tuples: u32 = 0;
  indexBatch: u32 = 0;
  rowBytes: u32 = 0;
  tileRows: u32 = 0;
}

/** The row that index tuple `tuple` selects; `table` holds the dims and strides. */
@inline
export function rowOfTuple(
  indices: usize, tuple: usize, depth: usize, indexBytes: i32, table: usize, flag: usize,
): usize {
  let row: usize = 0;
  for (let j: usize = 0; j < depth; j++) {
    const dim = load<u32>(table + (j << 2));
    row += indexAt(indices, tuple * depth + j, indexBytes, dim, flag) * <usize>load<u32>(table + ((depth + j) << 2));
  }
  return row;
}

@inline
function gatherRows<S>(p: GatherParams, from: usize, to: usize): void {
  const bytes = <usize>p.rowBytes;
  const run = bytes / sizeof<S>();
  const tuples = <usize>p.tuples;
  for (let row = from; row < to; row++) {
    const batch = row / tuples;
    const tuple = batch * <usize>p.indexBatch + (row - batch * tuples);
    const source = rowOfTuple(p.indices, tuple, p.depth, p.indexBytes, p.table, p.flag);
    const x = p.x + (batch * <usize>p.batchRows + source) * bytes;
    const y = p.y + row * bytes;
    if (run == 1) store<S>(y, load<S>(x));
    else copyRun<S>(y, x, run);
  }
}

export function gather(p: GatherParams, begin: i32, end: i32): void {
  const from = <usize>begin * <usize>p.tileRows;
  const to = min(<usize>end * <usize>p.tileRows, <usize>p.batches * <usize>p.tuples);
  const bytes = p.rowBytes;
  if (bytes % 16 == 0) gatherRows<v128>(p, from, to);
  else if (bytes % 8 == 0) gatherRows<u64>(p, from, to);
  else if (bytes % 4 == 0) gatherRows<u32>(p, from, to);
  else if (bytes % 2 == 0) gatherRows<u16>(p, from, to);
  else gatherRows<u8>(p, from, to);
}

export const enum GatherElements {
  /** Elements in a tile of gatherElements. */
  TILE = 16384,
  MAX_RANK = 16,
}

/**
 * y[i] = x[i with its coordinate at `axis` replaced by indices[i]] for the `count` elements of indices and y, both dense. `table` holds
 * 32-bit words: dims of y [rank], and strides of x in elements [rank] with 0 at the axis. Elements are `elementBytes` (1, 2, 4, 8) long;
 * indices and flag as in gather. Tiles = ceil(count / TILE).
 */
@unmanaged
export class GatherElementsParams {
  x: usize = 0;
  indices: usize = 0;
  y: usize = 0;
  flag: usize = 0;
  table: usize = 0;
  rank: i32 = 0;
  count: u32 = 0;
  elementBytes: i32 = 0;
  indexBytes: i32 = 0;
  axisDim: u32 = 0;
  axisStride: u32 = 0;
}

function gatherSpace<S>(p: GatherElementsParams, from: usize, to: usize): void {
  const index = scratch;
  const words = (<usize>p.rank) << 2;
  const strides = p.table + words;
  const axisStep = <usize>p.axisStride * sizeof<S>();
  let x = p.x;
  for (let at = words, rest = from; at > 0; ) {
    at -= 4;
    const dim = <usize>load<u32>(p.table + at);
    const i = rest % dim;
    rest /= dim;
    store<u32>(index + at, <u32>i);
    x += i * <usize>load<u32>(strides + at) * sizeof<S>();
  }
  for (let i = from; i < to; i++) {
    const at = indexAt(p.indices, i, p.indexBytes, p.axisDim, p.flag);
    store<S>(p.y + i * sizeof<S>(), load<S>(x + at * axisStep));
    for (let at = words; at > 0; ) {
      at -= 4;
      const dim = load<u32>(p.table + at);
      const step = <usize>load<u32>(strides + at) * sizeof<S>();
      const next = load<u32>(index + at) + 1;
      x += step;
      store<u32>(index + at, next);
      if (next < dim) break;
      store<u32>(index + at, 0);
      x -= step * <usize>dim;
    }
  }
}

export function gatherElements(p: GatherElementsParams, begin: i32, end: i32): void {
  const from = <usize>begin * GatherElements.TILE;
  const to = min(<usize>end * GatherElements.TILE, <usize>p.count);
  switch (p.elementBytes) {
    case 1: return gatherSpace<u8>(p, from, to);
    case 2: return gatherSpace<u16>(p, from, to);
    case 4: return gatherSpace<u32>(p, from, to);
    case 8: return gatherSpace<u64>(p, from, to);
  }
}
