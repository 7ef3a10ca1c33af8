import { copyRun, fillRun } from './copy-run';

/**
 * y[i] = x[Σ offset_d[i_d]] over a dense y of `dims`, every dimension with a table of offsets into x; an offset of FILL
 * anywhere makes the element `value`. Serves Pad in all its modes, nearest-neighbour Resize and gathers along several axes.
 * An element is `elementBytes` · `run` bytes: `run` dense elements of 1, 2, 4 or 8 bytes. `table` holds 32-bit words:
 * dims [rank] outermost first, then the tables one after another, in elements of elementBytes.
 * A tile is `tileRows` rows, a row being the innermost dimension; tiles = ceil(rows / tileRows), rows the product of the others.
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

export enum IndexedCopy {
  FILL = -1,
}

@inline
function copyIndexedRows<S>(p: IndexedCopyParams, from: u32, to: u32): void {
  const words = (<usize>p.rank) << 2;
  const run = <usize>p.run;
  const columns = <usize>load<u32>(p.table + words - 4);
  const value = changetype<usize>(p) + offsetof<IndexedCopyParams>('valueLow');
  let tables = p.table + words;
  for (let at: usize = 0; at < words - 4; at += 4) tables += <usize>load<u32>(p.table + at) << 2;
  for (let row = from; row < to; row++) {
    let rest = row;
    let base: usize = 0;
    let filled = false;
    let offsets = tables;
    for (let at = words - 4; at > 0; ) {
      at -= 4;
      const dim = load<u32>(p.table + at);
      const i = <usize>(rest % dim);
      rest /= dim;
      offsets -= <usize>dim << 2;
      const offset = load<i32>(offsets + (i << 2));
      filled = filled || offset == IndexedCopy.FILL;
      base += <usize>offset;
    }
    let y = p.y + <usize>row * columns * run * sizeof<S>();
    if (filled) {
      for (let i: usize = 0; i < columns * run; i++, y += sizeof<S>()) store<S>(y, load<S>(value));
      continue;
    }
    const x = p.x + base * sizeof<S>();
    for (let i: usize = 0; i < columns; i++, y += run * sizeof<S>()) {
      const offset = load<i32>(tables + (i << 2));
      if (offset == IndexedCopy.FILL) fillRun<S>(y, value, run);
      else if (run == 1) store<S>(y, load<S>(x + <usize>offset * sizeof<S>()));
      else copyRun<S>(y, x + <usize>offset * sizeof<S>(), run);
    }
  }
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
