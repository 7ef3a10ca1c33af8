import { loadLanes, storeLanes } from './lanes';
import { largest } from './math/largest';
import { scratch } from './program';
import { endTap, firstTap } from './taps';

/**
 * Max pooling of x [planes][height][width] into y [planes][outHeight][outWidth]. Ignores taps outside x; a window with no tap inside gives
 * −∞; NaN propagates. strideWidth is 1 or 2, kernelWidth at most PlanarPool.KERNEL.
 * A tile is `tileLines` lines of y: tiles = ceil(planes·outHeight / tileLines).
 */
@unmanaged
export class PlanarPoolParams {
  x: usize = 0;
  y: usize = 0;
  planes: i32 = 0;
  height: i32 = 0;
  width: i32 = 0;
  outHeight: i32 = 0;
  outWidth: i32 = 0;
  kernelHeight: i32 = 0;
  kernelWidth: i32 = 0;
  strideHeight: i32 = 0;
  strideWidth: i32 = 0;
  padTop: i32 = 0;
  padLeft: i32 = 0;
  tileLines: i32 = 0;
}

export const enum PlanarPool {
  KERNEL = 1024,
}

/** Columns of y computed together: their inputs fit into the scratch block. */
const COLUMNS: i32 = 1024;

export function planarMaxPool(p: PlanarPoolParams, begin: i32, end: i32): void {
  const to = min(end * p.tileLines, p.planes * p.outHeight);
  for (let line = begin * p.tileLines; line < to; line++) {
    const plane = line / p.outHeight;
    const top = (line - plane * p.outHeight) * p.strideHeight - p.padTop;
    const first = firstTap(top, 1);
    const rows = max(0, endTap(top, 1, p.height, p.kernelHeight) - first);
    const x = p.x + ((<usize>plane * p.height + top + first) * <usize>p.width << 2);
    const y = p.y + (<usize>line * p.outWidth << 2);
    for (let from = 0; from < p.outWidth; from += COLUMNS) {
      const count = min(COLUMNS, p.outWidth - from);
      foldRows(p, x, rows, from * p.strideWidth - p.padLeft, (count - 1) * p.strideWidth + p.kernelWidth);
      if (p.strideWidth == 1) foldColumns(p.kernelWidth, y + (<usize>from << 2), count, 1);
      else foldColumns(p.kernelWidth, y + (<usize>from << 2), count, 2);
    }
  }
}

/** Maximum of `rows` rows of x, for `count` columns from `left` on, into scratch; −∞ outside x, and for one vector past the end. */
function foldRows(p: PlanarPoolParams, x: usize, rows: i32, left: i32, count: i32): void {
  const none = f32x4.splat(f32.NEGATIVE_INFINITY);
  const from = min(max(0, -left), count);
  const to = rows ? max(from, min(count, p.width - left)) : from;
  for (let i = 0; i < from; i += 4) v128.store(scratch + (<usize>i << 2), none);
  const step = <usize>p.width << 2;
  let at = x + (<usize>(left + from) << 2);
  let line = scratch + (<usize>from << 2);
  let rest = to - from;
  for (; rest >= 16; rest -= 16, at += 64, line += 64) {
    let a = v128.load(at);
    let b = v128.load(at, 16);
    let c = v128.load(at, 32);
    let d = v128.load(at, 48);
    let row = at;
    for (let i = rows; i > 1; i--) {
      row += step;
      a = largest(a, v128.load(row));
      b = largest(b, v128.load(row, 16));
      c = largest(c, v128.load(row, 32));
      d = largest(d, v128.load(row, 48));
    }
    v128.store(line, a);
    v128.store(line, b, 16);
    v128.store(line, c, 32);
    v128.store(line, d, 48);
  }
  for (; rest > 0; rest -= 4, at += 16, line += 16) {
    let a = loadLanes(at, rest);
    let row = at;
    for (let i = rows; i > 1; i--) {
      row += step;
      a = largest(a, loadLanes(row, rest));
    }
    storeLanes(line, a, rest);
  }
  const end = scratch + (<usize>count << 2) + 32;
  for (line = scratch + (<usize>to << 2); line < end; line += 16) v128.store(line, none);
}

/** Maximum of each window of `taps` columns of scratch, the windows `stride` apart. */
@inline
function foldColumns(taps: i32, y: usize, count: i32, stride: i32): void {
  let x = scratch;
  let lanes = count;
  for (; lanes >= 4; lanes -= 4, y += 16, x += <usize>stride << 4) {
    v128.store(y, stride == 1 ? foldWindows(x, taps) : foldEverySecondWindow(x, taps));
  }
  if (lanes) storeLanes(y, stride == 1 ? foldWindows(x, taps) : foldEverySecondWindow(x, taps), lanes);
}

/** Four windows, one column apart. */
@inline
function foldWindows(x: usize, taps: i32): v128 {
  let acc = v128.load(x);
  for (let i = taps; i > 1; i--) {
    x += 4;
    acc = largest(acc, v128.load(x));
  }
  return acc;
}

/** Four windows, two columns apart: of each two vectors, the even columns are one tap and the odd columns the next. */
@inline
function foldEverySecondWindow(x: usize, taps: i32): v128 {
  let a = v128.load(x);
  let b = v128.load(x, 16);
  let acc = v128.shuffle<i32>(a, b, 0, 2, 4, 6);
  for (let i = taps; i > 1; i -= 2) {
    acc = largest(acc, v128.shuffle<i32>(a, b, 1, 3, 5, 7));
    if (i == 2) break;
    x += 8;
    a = v128.load(x);
    b = v128.load(x, 16);
    acc = largest(acc, v128.shuffle<i32>(a, b, 0, 2, 4, 6));
  }
  return acc;
}
