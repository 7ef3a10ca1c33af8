import { ceilDiv } from './ceil-div';
import { loadLanes, storeLanes } from './lanes';
import { exp } from './math/exp';
import { largest } from './math/largest';
import { log } from './math/log';
import { endTap, firstTap } from './taps';

/**
 * Pools windows of x [batch][depth][height][width][channels] into y [batch][outDepth][outHeight][outWidth][channels]; missing axes have
 * length, kernel, stride and dilation 1. Pixels of x and y lie `xPixelStride` and `yPixelStride` floats apart, so either may be a channel
 * slice of a wider tensor.
 * Taps outside x are ignored; averagePool divides by the number of taps inside x, or with `countIncludePad` inside x and its pads. A window
 * with no tap inside gives −∞ (maxPool), NaN (averagePool) or 0 (lpPool). NaN propagates. `order` is the p ≥ 1 of lpPool.
 * A tile is `tilePixels` output pixels in memory order: tiles = ceil(batch·outDepth·outHeight·outWidth / tilePixels).
 */
@unmanaged
export class PoolParams {
  x: usize = 0;
  y: usize = 0;
  batch: i32 = 0;
  channels: i32 = 0;
  xPixelStride: i32 = 0;
  yPixelStride: i32 = 0;
  depth: i32 = 0;
  height: i32 = 0;
  width: i32 = 0;
  outDepth: i32 = 0;
  outHeight: i32 = 0;
  outWidth: i32 = 0;
  kernelDepth: i32 = 0;
  kernelHeight: i32 = 0;
  kernelWidth: i32 = 0;
  strideDepth: i32 = 0;
  strideHeight: i32 = 0;
  strideWidth: i32 = 0;
  dilationDepth: i32 = 0;
  dilationHeight: i32 = 0;
  dilationWidth: i32 = 0;
  padFront: i32 = 0;
  padTop: i32 = 0;
  padLeft: i32 = 0;
  padBack: i32 = 0;
  padBottom: i32 = 0;
  padRight: i32 = 0;
  countIncludePad: i32 = 0;
  order: i32 = 0;
  tilePixels: i32 = 0;
}

const enum Pool {
  Max,
  Average,
  Lp,
}

export function maxPool(p: PoolParams, begin: i32, end: i32): void {
  poolTiles(p, begin, end, Pool.Max);
}

export function averagePool(p: PoolParams, begin: i32, end: i32): void {
  poolTiles(p, begin, end, Pool.Average);
}

export function lpPool(p: PoolParams, begin: i32, end: i32): void {
  poolTiles(p, begin, end, Pool.Lp);
}

@inline
function poolTiles(p: PoolParams, begin: i32, end: i32, kind: Pool): void {
  const to = min(end * p.tilePixels, p.batch * p.outDepth * p.outHeight * p.outWidth);
  let pixel = begin * p.tilePixels;
  while (pixel < to) {
    const line = pixel / p.outWidth;
    const from = pixel - line * p.outWidth;
    const count = min(p.outWidth - from, to - pixel);
    poolLine(p, line, from, from + count, kind);
    pixel += count;
  }
}

/** Output columns from…to of one line (image, depth and row). */
@inline
function poolLine(p: PoolParams, line: i32, from: i32, to: i32, kind: Pool): void {
  const plane = line / p.outHeight;
  const image = plane / p.outDepth;
  const front = (plane - image * p.outDepth) * p.strideDepth - p.padFront;
  const top = (line - plane * p.outHeight) * p.strideHeight - p.padTop;
  const firstZ = firstTap(front, p.dilationDepth);
  const firstY = firstTap(top, p.dilationHeight);
  const planes = max(0, endTap(front, p.dilationDepth, p.depth, p.kernelDepth) - firstZ);
  const rows = max(0, endTap(top, p.dilationHeight, p.height, p.kernelHeight) - firstY);
  const paddedPlanes = endTap(front, p.dilationDepth, p.depth + p.padBack, p.kernelDepth);
  const paddedRows = endTap(top, p.dilationHeight, p.height + p.padBottom, p.kernelHeight);
  const z = image * p.depth + front + firstZ * p.dilationDepth;
  const y = top + firstY * p.dilationHeight;
  const x = p.x + ((<usize>z * p.height + y) * <usize>p.width * <usize>p.xPixelStride << 2);

  for (let ox = from; ox < to; ox++) {
    const left = ox * p.strideWidth - p.padLeft;
    const firstX = firstTap(left, p.dilationWidth);
    const columns = max(0, endTap(left, p.dilationWidth, p.width, p.kernelWidth) - firstX);
    const counted = p.countIncludePad
      ? paddedPlanes * paddedRows * endTap(left, p.dilationWidth, p.width + p.padRight, p.kernelWidth)
      : planes * rows * columns;
    const window = x + (<usize>(left + firstX * p.dilationWidth) * <usize>p.xPixelStride << 2);
    const output = p.y + ((<usize>line * p.outWidth + ox) * <usize>p.yPixelStride << 2);
    poolWindow(p, window, output, planes, rows, columns, <f32>counted, kind);
  }
}

/** One output pixel from the planes × rows × columns taps at `x`: four vectors of channels at a time, then one. */
@inline
function poolWindow(
  p: PoolParams,
  x: usize,
  y: usize,
  planes: i32,
  rows: i32,
  columns: i32,
  count: f32,
  kind: Pool,
): void {
  const columnStep = <usize>p.dilationWidth * <usize>p.xPixelStride << 2;
  const rowBytes = <usize>p.width * <usize>p.xPixelStride << 2;
  const rowStep = <usize>p.dilationHeight * rowBytes - <usize>columns * columnStep;
  const planeStep = (<usize>p.dilationDepth * <usize>p.height - <usize>rows * <usize>p.dilationHeight) * rowBytes;
  let lanes = p.channels;
  for (; lanes >= 16; lanes -= 16) {
    let a0 = initial(kind);
    let a1 = a0;
    let a2 = a0;
    let a3 = a0;
    let at = x;
    for (let i = planes; i > 0; i--) {
      for (let j = rows; j > 0; j--) {
        for (let k = columns; k > 0; k--) {
          a0 = fold(a0, v128.load(at), p.order, kind);
          a1 = fold(a1, v128.load(at, 16), p.order, kind);
          a2 = fold(a2, v128.load(at, 32), p.order, kind);
          a3 = fold(a3, v128.load(at, 48), p.order, kind);
          at += columnStep;
        }
        at += rowStep;
      }
      at += planeStep;
    }
    v128.store(y, result(a0, count, p.order, kind));
    v128.store(y, result(a1, count, p.order, kind), 16);
    v128.store(y, result(a2, count, p.order, kind), 32);
    v128.store(y, result(a3, count, p.order, kind), 48);
    x += 64;
    y += 64;
  }
  for (; lanes > 0; lanes -= 4) {
    let acc = initial(kind);
    let at = x;
    for (let i = planes; i > 0; i--) {
      for (let j = rows; j > 0; j--) {
        for (let k = columns; k > 0; k--) {
          acc = fold(acc, loadLanes(at, lanes), p.order, kind);
          at += columnStep;
        }
        at += rowStep;
      }
      at += planeStep;
    }
    storeLanes(y, result(acc, count, p.order, kind), lanes);
    x += 16;
    y += 16;
  }
}

@inline
function initial(kind: Pool): v128 {
  return f32x4.splat(kind == Pool.Max ? f32.NEGATIVE_INFINITY : 0);
}

@inline
function fold(acc: v128, v: v128, order: i32, kind: Pool): v128 {
  if (kind == Pool.Max) return largest(acc, v);
  if (kind == Pool.Average) return f32x4.add(acc, v);
  return f32x4.add(acc, power(f32x4.abs(v), order));
}

@inline
function result(acc: v128, count: f32, order: i32, kind: Pool): v128 {
  if (kind == Pool.Average) return f32x4.div(acc, f32x4.splat(count));
  return kind == Pool.Lp ? root(acc, order) : acc;
}

function power(v: v128, order: i32): v128 {
  let y = v;
  for (let i = 1; i < order; i++) y = f32x4.mul(y, v);
  return y;
}

function root(v: v128, order: i32): v128 {
  if (order == 1) return v;
  if (order == 2) return f32x4.sqrt(v);
  return exp(f32x4.div(log(v), f32x4.splat(<f32>order)));
}

/**
 * y [batch][channels] = the average or, with `maximum`, the maximum of x [batch][pixels][channels] over its pixels.
 * Pixels of x lie `xPixelStride` floats apart, images of y `yPixelStride`.
 * A tile is one block of GlobalPool.Channels channels of one image: tiles = batch·ceil(channels / GlobalPool.Channels).
 */
@unmanaged
export class GlobalPoolParams {
  x: usize = 0;
  y: usize = 0;
  batch: i32 = 0;
  pixels: i32 = 0;
  channels: i32 = 0;
  xPixelStride: i32 = 0;
  yPixelStride: i32 = 0;
  maximum: i32 = 0;
}

export const enum GlobalPool {
  Channels = 16,
}

/** Pixels that are summed in f32 before the sum is added to the total: the rounding error stays near 1e-6. */
const RUN = 64;

export function globalPool(p: GlobalPoolParams, begin: i32, end: i32): void {
  const blocks = ceilDiv(p.channels, GlobalPool.Channels);
  for (let tile = begin; tile < end; tile++) {
    const image = tile / blocks;
    const c = (tile - image * blocks) * GlobalPool.Channels;
    const x = p.x + ((<usize>image * p.pixels * p.xPixelStride + c) << 2);
    const y = p.y + ((<usize>image * p.yPixelStride + c) << 2);
    if (p.maximum) poolBlock(p, x, y, p.channels - c, Pool.Max);
    else poolBlock(p, x, y, p.channels - c, Pool.Average);
  }
}

@inline
function poolBlock(p: GlobalPoolParams, x: usize, y: usize, lanes: i32, kind: Pool): void {
  const step = <usize>p.xPixelStride << 2;
  const count = <f32>p.pixels;
  if (lanes < GlobalPool.Channels) {
    for (; lanes > 0; lanes -= 4) {
      let total = initial(kind);
      let at = x;
      for (let left = p.pixels; left > 0; left -= RUN) {
        let acc = initial(kind);
        for (let i = min(left, RUN); i > 0; i--) {
          acc = fold(acc, loadLanes(at, lanes), 0, kind);
          at += step;
        }
        total = fold(total, acc, 0, kind);
      }
      storeLanes(y, result(total, count, 0, kind), lanes);
      x += 16;
      y += 16;
    }
    return;
  }
  let t0 = initial(kind);
  let t1 = t0;
  let t2 = t0;
  let t3 = t0;
  for (let left = p.pixels; left > 0; left -= RUN) {
    let a0 = initial(kind);
    let a1 = a0;
    let a2 = a0;
    let a3 = a0;
    for (let i = min(left, RUN); i > 0; i--) {
      a0 = fold(a0, v128.load(x), 0, kind);
      a1 = fold(a1, v128.load(x, 16), 0, kind);
      a2 = fold(a2, v128.load(x, 32), 0, kind);
      a3 = fold(a3, v128.load(x, 48), 0, kind);
      x += step;
    }
    t0 = fold(t0, a0, 0, kind);
    t1 = fold(t1, a1, 0, kind);
    t2 = fold(t2, a2, 0, kind);
    t3 = fold(t3, a3, 0, kind);
  }
  v128.store(y, result(t0, count, 0, kind));
  v128.store(y, result(t1, count, 0, kind), 16);
  v128.store(y, result(t2, count, 0, kind), 32);
  v128.store(y, result(t3, count, 0, kind), 48);
}
