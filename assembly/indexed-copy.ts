import { copyRun, fillRun } from './copy-run';

/**
 * y[i] = x[Σ offset_d[i_d]] for a dense y of `dims`, where each dimension has a table of offsets into x; if an offset is FILL, the element
 * is `value`. Used for Pad in all modes, nearest-neighbor Resize and gathers along several axes. An element is `elementBytes` · `run`
 * bytes: `run` dense elements of 1, 2, 4 or 8 bytes. `table` holds 32-bit words: dims [rank] outermost first, then the tables one after
 * another, in elements of elementBytes.
 * A tile is `tileRows` rows; a row is the innermost dimension. tiles = ceil(rows / tileRows), rows is the product of the other dims.
 */
@unmanaged
export class IndexedCopyParams {
  x: usize = 0;
  y: usize = 0;
  table: usize = 0;
  rank: i32 = 0;
  elementBytes: i32 = 0;
  run: u32 = 0;
  rows: u32 = 0;
  tileRows: u32 = 0;
  /** The fill's bits, low word first. */
  valueLow: u32 = 0;
  valueHigh: u32 = 0;
}

export const enum IndexedCopy {
  FILL = -1,
}

/** Copies columns from…to of a row from the positions in their table. */
@inline
function copyColumns<S>(y: usize, x: usize, table: usize, from: usize, to: usize, run: usize, value: usize): void {
  y += from * run * sizeof<S>();
  for (let i = from; i < to; i++, y += run * sizeof<S>()) {
    const offset = load<i32>(table + (i << 2));
    if (offset == IndexedCopy.FILL) fillRun<S>(y, value, run);
    else if (run == 1) store<S>(y, load<S>(x + <usize>offset * sizeof<S>()));
    else copyRun<S>(y, x + <usize>offset * sizeof<S>(), run);
  }
}

/** The end of the columns from `first` on whose elements are adjacent in x. */
@inline
function denseEnd(table: usize, first: usize, columns: usize, run: i32): usize {
  let i = first;
  if (load<i32>(table + (i << 2)) == IndexedCopy.FILL) return i + 1;
  while (i + 1 < columns && load<i32>(table + (i << 2), 4) - load<i32>(table + (i << 2)) == run) i++;
  return i + 1;
}

/** Whether the columns repeat each neighbor twice: 0 0 1 1 2 2. */
@inline
function showsPairs(table: usize, columns: usize): bool {
  if (columns & 1 || load<i32>(table) == IndexedCopy.FILL) return false;
  for (let i: usize = 0; i < columns; i++) {
    if (load<i32>(table + (i << 2)) != load<i32>(table) + <i32>(i >> 1)) return false;
  }
  return true;
}

/** Copies each of `count` elements twice. */
@inline
function copyPairs<S>(y: usize, x: usize, count: usize): void {
  let i = count;
  if (sizeof<S>() == 4) {
    for (; i >= 4; i -= 4, x += 16, y += 32) {
      const v = v128.load(x);
      v128.store(y, v128.shuffle<i32>(v, v, 0, 0, 1, 1));
      v128.store(y, v128.shuffle<i32>(v, v, 2, 2, 3, 3), 16);
    }
  }
  for (; i; i--, x += sizeof<S>(), y += 2 * sizeof<S>()) {
    const element = load<S>(x);
    store<S>(y, element);
    store<S>(y, element, sizeof<S>());
  }
}

@inline
function copyIndexedRows<S>(p: IndexedCopyParams, from: u32, to: u32): void {
  const words = (<usize>p.rank) << 2;
  const run = <usize>p.run;
  const columns = <usize>load<u32>(p.table + words - 4);
  const rowBytes = columns * run * sizeof<S>();
  const height = words > 4 ? load<u32>(p.table + words - 8) : 1;
  const value = changetype<usize>(p) + offsetof<IndexedCopyParams>('valueLow');
  let table = p.table + words;
  for (let at: usize = 0; at < words - 4; at += 4) table += <usize>load<u32>(p.table + at) << 2;
  const rowTable = words > 4 ? table - (<usize>height << 2) : 0;
  const pairs = run == 1 && showsPairs(table, columns);
  let first: usize = 0;
  let end: usize = 0;
  for (let i: usize = 0; i < columns; ) {
    const next = denseEnd(table, i, columns, p.run);
    if (load<i32>(table + (i << 2)) != IndexedCopy.FILL && next - i > end - first) {
      first = i;
      end = next;
    }
    i = next;
  }
  const start = first < end ? <usize>load<i32>(table + (first << 2)) * sizeof<S>() : 0;

  for (let row = from; row < to; ) {
    const plane = row / height;
    const top = row - plane * height;
    const bottom = min(height, top + to - row);
    const offset = planeOffset(p, words, rowTable, plane);
    let y = p.y + <usize>row * rowBytes;
    let last = IndexedCopy.FILL;
    for (let r = top; r < bottom; r++, y += rowBytes) {
      const at = rowTable ? load<i32>(rowTable + (<usize>r << 2)) : 0;
      if (offset == IndexedCopy.FILL || at == IndexedCopy.FILL) {
        fillRun<S>(y, value, columns * run);
        last = IndexedCopy.FILL;
        continue;
      }
      const x = p.x + (<usize>offset + <usize>at) * sizeof<S>();
      if (at == last) {
        copyRun<S>(y, y - rowBytes, columns * run);
      } else if (pairs) {
        copyPairs<S>(y, x + <usize>load<i32>(table) * sizeof<S>(), columns >> 1);
      } else {
        copyColumns<S>(y, x, table, 0, first, run, value);
        if (first < end) copyRun<S>(y + first * run * sizeof<S>(), x + start, (end - first) * run);
        copyColumns<S>(y, x, table, end, columns, run, value);
      }
      last = at;
    }
    row += bottom - top;
  }
}

/** Offset of a plane (the two innermost dimensions) in x; FILL if the plane is all fill. */
@inline
function planeOffset(p: IndexedCopyParams, words: usize, end: usize, plane: u32): i32 {
  let rest = plane;
  let offset = 0;
  for (let at = words - 8, offsets = end; <isize>at > 0; ) {
    at -= 4;
    const dim = load<u32>(p.table + at);
    const i = <usize>(rest % dim);
    rest /= dim;
    offsets -= <usize>dim << 2;
    const own = load<i32>(offsets + (i << 2));
    if (own == IndexedCopy.FILL) return IndexedCopy.FILL;
    offset += own;
  }
  return offset;
}

export function indexedCopy(p: IndexedCopyParams, begin: i32, end: i32): void {
  const from = <u32>begin * p.tileRows;
  const to = min(<u32>end * p.tileRows, p.rows);
  switch (p.elementBytes) {
    case 1: return copyIndexedRows<u8>(p, from, to);
    case 2: return copyIndexedRows<u16>(p, from, to);
    case 4: return copyIndexedRows<u32>(p, from, to);
    case 8: return copyIndexedRows<u64>(p, from, to);
  }
}
