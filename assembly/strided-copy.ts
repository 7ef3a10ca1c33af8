import { ceilDiv } from './ceil-div';
import { copyRun, fillRun, stridedRun } from './copy-run';
import { scratch } from './program';
import { transposePlane } from './transpose';

export const enum StridedCopy {
  /** Elements in a tile of stridedCopy. */
  TILE = 16384,
  MAX_RANK = 16,
}

/**
 * y[yOffset + Σ i·yStride] = x[xOffset + Σ i·xStride] for a space of `count` elements of `elementBytes` (1, 2, 4, 8 or 16). `table` holds
 * 32-bit words: dims [rank] outermost first, strides of x [rank], strides of y [rank], in elements, of any sign. Source and destination do
 * not overlap. Tiles = ceil(count / TILE).
 */
@unmanaged
export class StridedCopyParams {
  x: usize = 0;
  y: usize = 0;
  table: usize = 0;
  xOffset: u32 = 0;
  yOffset: u32 = 0;
  rank: i32 = 0;
  count: u32 = 0;
  elementBytes: i32 = 0;
}

/** Copies `rows` runs of `run` elements each, `yRow` and `xRow` bytes apart. */
@inline
function copyRows<S>(
  y: usize, yStep: usize, yRow: usize, x: usize, xStep: usize, xRow: usize, run: usize, rows: usize,
): void {
  const dense = yStep == sizeof<S>();
  if (dense && xStep == sizeof<S>()) for (; rows > 0; rows--, y += yRow, x += xRow) copyRun<S>(y, x, run);
  else if (dense && xStep == 0) for (; rows > 0; rows--, y += yRow, x += xRow) fillRun<S>(y, x, run);
  else for (; rows > 0; rows--, y += yRow, x += xRow) stridedRun<S>(y, yStep, x, xStep, run);
}

function walk<S>(p: StridedCopyParams, from: usize, count: usize): void {
  const index = scratch;
  const dims = p.table;
  const words = (<usize>p.rank) << 2;
  const xStrides = dims + words;
  const yStrides = xStrides + words;
  let x = p.x + <usize>p.xOffset * sizeof<S>();
  let y = p.y + <usize>p.yOffset * sizeof<S>();
  for (let at = words, rest = from; at > 0; ) {
    at -= 4;
    const dim = <usize>load<u32>(dims + at);
    const i = rest % dim;
    rest /= dim;
    store<u32>(index + at, <u32>i);
    x += i * <usize>load<i32>(xStrides + at) * sizeof<S>();
    y += i * <usize>load<i32>(yStrides + at) * sizeof<S>();
  }
  const last = words - 4;
  const inner = <usize>load<u32>(dims + last);
  const xStep = <usize>load<i32>(xStrides + last) * sizeof<S>();
  const yStep = <usize>load<i32>(yStrides + last) * sizeof<S>();
  const hasRows = p.rank > 1;
  const outer = hasRows ? <usize>load<u32>(dims + last - 4) : 1;
  const xRow = hasRows ? <usize>load<i32>(xStrides + last - 4) * sizeof<S>() : 0;
  const yRow = hasRows ? <usize>load<i32>(yStrides + last - 4) * sizeof<S>() : 0;
  let column = <usize>load<u32>(index + last);
  let row = hasRows ? <usize>load<u32>(index + last - 4) : 0;
  while (true) {
    // Whole rows up to the end of the plane, else the rest of one row.
    const rows = column == 0 && count >= inner ? min(outer - row, count / inner) : 1;
    const run = rows > 1 || (column == 0 && count >= inner) ? inner : min(inner - column, count);
    copyRows<S>(y, yStep, yRow, x, xStep, xRow, run, rows);
    count -= run * rows;
    if (count == 0) return;
    x += xRow * rows - xStep * column;
    y += yRow * rows - yStep * column;
    column = 0;
    row += rows;
    if (row < outer) continue;
    x -= xRow * outer;
    y -= yRow * outer;
    row = 0;
    for (let at = last - 8; ; at -= 4) {
      const dim = load<u32>(dims + at);
      const xOuter = <usize>load<i32>(xStrides + at) * sizeof<S>();
      const yOuter = <usize>load<i32>(yStrides + at) * sizeof<S>();
      const i = load<u32>(index + at) + 1;
      x += xOuter;
      y += yOuter;
      if (i < dim) {
        store<u32>(index + at, i);
        break;
      }
      store<u32>(index + at, 0);
      x -= xOuter * <usize>dim;
      y -= yOuter * <usize>dim;
    }
  }
}

export function stridedCopy(p: StridedCopyParams, begin: i32, end: i32): void {
  const from = <usize>begin * StridedCopy.TILE;
  const to = min(<usize>end * StridedCopy.TILE, <usize>p.count);
  if (from >= to) return;
  switch (p.elementBytes) {
    case 1: return walk<u8>(p, from, to - from);
    case 2: return walk<u16>(p, from, to - from);
    case 4: return walk<u32>(p, from, to - from);
    case 8: return walk<u64>(p, from, to - from);
    case 16: return walk<v128>(p, from, to - from);
  }
}

/**
 * Copies planes whose elements are adjacent along rows in x and along columns in y; for every plane,
 * y[yOffset + row·yStride + column] = x[xOffset + column·xStride + row]. `table` holds 32-bit words: the dims of the space of planes
 * [rank], strides of x [rank], strides of y [rank], in elements of `elementBytes` (1, 2, 4, 8 or 16). A block is blockRows × blockColumns
 * of a plane; blocks = planes · ceil(rows / blockRows) · ceil(columns / blockColumns).
 * A tile is tileBlocks blocks; tiles = ceil(blocks / tileBlocks).
 */
@unmanaged
export class TransposeParams {
  x: usize = 0;
  y: usize = 0;
  table: usize = 0;
  xOffset: u32 = 0;
  yOffset: u32 = 0;
  rank: i32 = 0;
  elementBytes: i32 = 0;
  rows: u32 = 0;
  columns: u32 = 0;
  xStride: i32 = 0;
  yStride: i32 = 0;
  blockRows: u32 = 0;
  blockColumns: u32 = 0;
  planes: u32 = 0;
  tileBlocks: u32 = 0;
}

@inline
function blocksAcross(p: TransposeParams): u32 {
  return ceilDiv(p.columns, p.blockColumns);
}

@inline
function blocksDown(p: TransposeParams): u32 {
  return ceilDiv(p.rows, p.blockRows);
}

function transposeBlocks<S>(p: TransposeParams, from: u32, to: u32): void {
  const size = sizeof<S>();
  const words = (<usize>p.rank) << 2;
  const xStep = <usize>p.xStride * size;
  const yStep = <usize>p.yStride * size;
  const across = blocksAcross(p);
  const down = blocksDown(p);
  for (let block = from; block < to; block++) {
    const column = (block % across) * p.blockColumns;
    let rest = block / across;
    const row = (rest % down) * p.blockRows;
    rest /= down;
    let x = p.x + (<usize>p.xOffset + <usize>row) * size + <usize>column * xStep;
    let y = p.y + (<usize>p.yOffset + <usize>column) * size + <usize>row * yStep;
    for (let at = words; at > 0; ) {
      at -= 4;
      const dim = load<u32>(p.table + at);
      const i = <usize>(rest % dim);
      rest /= dim;
      x += i * <usize>load<i32>(p.table + words + at) * size;
      y += i * <usize>load<i32>(p.table + 2 * words + at) * size;
    }
    const rows = <usize>min(p.blockRows, p.rows - row);
    const columns = <usize>min(p.blockColumns, p.columns - column);
    transposePlane<S>(y, yStep, x, xStep, rows, columns);
  }
}

export function transpose(p: TransposeParams, begin: i32, end: i32): void {
  const from = <u32>begin * p.tileBlocks;
  const to = min(<u32>end * p.tileBlocks, p.planes * blocksAcross(p) * blocksDown(p));
  switch (p.elementBytes) {
    case 1: return transposeBlocks<u8>(p, from, to);
    case 2: return transposeBlocks<u16>(p, from, to);
    case 4: return transposeBlocks<u32>(p, from, to);
    case 8: return transposeBlocks<u64>(p, from, to);
    case 16: return transposeBlocks<v128>(p, from, to);
  }
}
