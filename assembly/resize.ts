import { loadLanes, storeLanes } from './lanes';
import { madd } from './math/madd';

/**
 * Resizes two axes of x [outer][height][width][channels] into y [outer][outHeight][outWidth][channels]:
 *   y[oy][ox] = Σ rowWeights[oy][i]·row(i) + rowConstants[oy] over i < rowTaps, where
 *   row(i) = Σ columnWeights[ox][j]·x[rowIndices[oy][i]][columnIndices[ox][j]] + columnConstants[ox] over j < columnTaps.
 * The planner computes the tables; the constants may be 0 (none).
 * To resize one axis, the other gets an identity table: one tap of weight 1. Three axes, or many taps, take two passes. Pixels of x and y
 * lie `xPixelStride` and `yPixelStride` floats apart, so either may be a channel slice of a wider tensor.
 * A tile is `tilePixels` output pixels in memory order: tiles = ceil(outer·outHeight·outWidth / tilePixels).
 */
@unmanaged
export class ResizeParams {
  x: usize = 0;
  y: usize = 0;
  rowIndices: usize = 0;
  rowWeights: usize = 0;
  rowConstants: usize = 0;
  columnIndices: usize = 0;
  columnWeights: usize = 0;
  columnConstants: usize = 0;
  rowTaps: i32 = 0;
  columnTaps: i32 = 0;
  outer: i32 = 0;
  height: i32 = 0;
  width: i32 = 0;
  channels: i32 = 0;
  xPixelStride: i32 = 0;
  yPixelStride: i32 = 0;
  outHeight: i32 = 0;
  outWidth: i32 = 0;
  tilePixels: i32 = 0;
}

export function resize(p: ResizeParams, begin: i32, end: i32): void {
  const to = min(end * p.tilePixels, p.outer * p.outHeight * p.outWidth);
  const plain = !p.rowConstants && !p.columnConstants;
  const nearest = plain && p.rowTaps == 1 && p.columnTaps == 1;
  const bilinear = plain && p.rowTaps == 2 && p.columnTaps == 2;
  let pixel = begin * p.tilePixels;
  while (pixel < to) {
    const line = pixel / p.outWidth;
    const from = pixel - line * p.outWidth;
    const count = min(p.outWidth - from, to - pixel);
    const image = line / p.outHeight;
    const oy = line - image * p.outHeight;
    const x = p.x + (<usize>image * p.height * p.width * p.xPixelStride << 2);
    const y = p.y + (<usize>pixel * p.yPixelStride << 2);
    if (nearest) copyLine(p, x, y, oy, from, from + count);
    else if (bilinear) blendLine(p, x, y, oy, from, from + count);
    else sumLine(p, x, y, oy, from, from + count);
    pixel += count;
  }
}

@inline
function row(p: ResizeParams, x: usize, tap: i32): usize {
  return x + (<usize>load<i32>(p.rowIndices + (<usize>tap << 2)) * p.width * p.xPixelStride << 2);
}

@inline
function column(p: ResizeParams, tap: i32): usize {
  return <usize>load<i32>(p.columnIndices + (<usize>tap << 2)) * p.xPixelStride << 2;
}

@inline
function weight(table: usize, tap: i32): v128 {
  return v128.load32_splat(table + (<usize>tap << 2));
}

/** One tap, with weight 1, or 0 outside a crop. */
function copyLine(p: ResizeParams, x: usize, y: usize, oy: i32, from: i32, to: i32): void {
  const line = row(p, x, oy);
  const rowWeight = weight(p.rowWeights, oy);
  for (let ox = from; ox < to; ox++, y += <usize>p.yPixelStride << 2) {
    const pixel = line + column(p, ox);
    const scale = f32x4.mul(rowWeight, weight(p.columnWeights, ox));
    for (let c = 0; c < p.channels; c += 4) {
      const at = <usize>c << 2;
      storeLanes(y + at, f32x4.mul(loadLanes(pixel + at, p.channels - c), scale), p.channels - c);
    }
  }
}

/** 2 × 2 taps. */
function blendLine(p: ResizeParams, x: usize, y: usize, oy: i32, from: i32, to: i32): void {
  const top = row(p, x, 2 * oy);
  const bottom = row(p, x, 2 * oy + 1);
  const upper = weight(p.rowWeights, 2 * oy);
  const lower = weight(p.rowWeights, 2 * oy + 1);
  const whole = <usize>(p.channels & ~3) << 2;
  const lanes = p.channels & 3;
  for (let ox = from; ox < to; ox++, y += <usize>p.yPixelStride << 2) {
    const left = column(p, 2 * ox);
    const right = column(p, 2 * ox + 1);
    const wa = f32x4.mul(upper, weight(p.columnWeights, 2 * ox));
    const wb = f32x4.mul(upper, weight(p.columnWeights, 2 * ox + 1));
    const wc = f32x4.mul(lower, weight(p.columnWeights, 2 * ox));
    const wd = f32x4.mul(lower, weight(p.columnWeights, 2 * ox + 1));
    const a = top + left;
    const b = top + right;
    const c = bottom + left;
    const d = bottom + right;
    for (let at: usize = 0; at < whole; at += 16) {
      const above = madd(v128.load(b + at), wb, f32x4.mul(v128.load(a + at), wa));
      v128.store(y + at, madd(v128.load(d + at), wd, madd(v128.load(c + at), wc, above)));
    }
    if (!lanes) continue;
    const above = madd(loadLanes(b + whole, lanes), wb, f32x4.mul(loadLanes(a + whole, lanes), wa));
    const sum = madd(loadLanes(d + whole, lanes), wd, madd(loadLanes(c + whole, lanes), wc, above));
    storeLanes(y + whole, sum, lanes);
  }
}

/** Any number of taps, with constants: four vectors of channels at a time, then one. */
function sumLine(p: ResizeParams, x: usize, y: usize, oy: i32, from: i32, to: i32): void {
  for (let ox = from; ox < to; ox++, y += <usize>p.yPixelStride << 2) {
    let c = 0;
    for (; c + 16 <= p.channels; c += 16) sumFour(p, x + (<usize>c << 2), y + (<usize>c << 2), oy, ox);
    for (; c < p.channels; c += 4) sumOne(p, x + (<usize>c << 2), y + (<usize>c << 2), oy, ox, p.channels - c);
  }
}

@inline
function constant(table: usize, o: i32): v128 {
  return table ? weight(table, o) : f32x4.splat(0);
}

function sumFour(p: ResizeParams, x: usize, y: usize, oy: i32, ox: i32): void {
  let s0 = constant(p.rowConstants, oy);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  for (let i = oy * p.rowTaps; i < (oy + 1) * p.rowTaps; i++) {
    const line = row(p, x, i);
    let r0 = constant(p.columnConstants, ox);
    let r1 = r0;
    let r2 = r0;
    let r3 = r0;
    for (let j = ox * p.columnTaps; j < (ox + 1) * p.columnTaps; j++) {
      const pixel = line + column(p, j);
      const w = weight(p.columnWeights, j);
      r0 = madd(v128.load(pixel), w, r0);
      r1 = madd(v128.load(pixel, 16), w, r1);
      r2 = madd(v128.load(pixel, 32), w, r2);
      r3 = madd(v128.load(pixel, 48), w, r3);
    }
    const w = weight(p.rowWeights, i);
    s0 = madd(r0, w, s0);
    s1 = madd(r1, w, s1);
    s2 = madd(r2, w, s2);
    s3 = madd(r3, w, s3);
  }
  v128.store(y, s0);
  v128.store(y, s1, 16);
  v128.store(y, s2, 32);
  v128.store(y, s3, 48);
}

function sumOne(p: ResizeParams, x: usize, y: usize, oy: i32, ox: i32, lanes: i32): void {
  let sum = constant(p.rowConstants, oy);
  for (let i = oy * p.rowTaps; i < (oy + 1) * p.rowTaps; i++) {
    const line = row(p, x, i);
    let inRow = constant(p.columnConstants, ox);
    for (let j = ox * p.columnTaps; j < (ox + 1) * p.columnTaps; j++) {
      inRow = madd(loadLanes(line + column(p, j), lanes), weight(p.columnWeights, j), inRow);
    }
    sum = madd(inRow, weight(p.rowWeights, i), sum);
  }
  storeLanes(y, sum, lanes);
}
