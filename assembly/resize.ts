import { loadLanes, storeLanes } from './lanes';
import { madd } from './math/madd';

/**
 * Resizes two axes of x [outer][height][width][channels] into y [outer][outHeight][outWidth][channels]:
 * y[oy][ox] = Σ rowWeights[oy][i]·(Σ columnWeights[ox][j]·x[rowIndices[oy][i]][columnIndices[ox][j]] + columnConstants[ox])
 * + rowConstants[oy], i < rowTaps, j < columnTaps. The tables are the planner's; the constants may be 0 (none).
 * One axis alone: the other has the table of the identity, one tap of weight 1. Three axes: twice.
 * Pixels of x and y lie `xPixel` and `yPixel` floats apart, so that either may be a channel slice of a wider tensor.
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
  xPixel: i32 = 0;
  yPixel: i32 = 0;
  outHeight: i32 = 0;
  outWidth: i32 = 0;
  tilePixels: i32 = 0;
}

export function resize(p: ResizeParams, begin: i32, end: i32): void {
  const to = min(end * p.tilePixels, p.outer * p.outHeight * p.outWidth);
  const plain = !p.rowConstants && !p.columnConstants;
  const nearest = plain && p.rowTaps == 1 && p.columnTaps == 1;
  const bilinear = plain && p.rowTaps == 2 && p.columnTaps == 2;
  for (let pixel = begin * p.tilePixels; pixel < to; pixel++) {
    const line = pixel / p.outWidth;
    const image = line / p.outHeight;
    const oy = line - image * p.outHeight;
    const ox = pixel - line * p.outWidth;
    const x = p.x + (<usize>image * p.height * p.width * p.xPixel << 2);
    const y = p.y + (<usize>pixel * p.yPixel << 2);
    if (nearest) copyPixel(p, x, y, oy, ox);
    else if (bilinear) blendPixel(p, x, y, oy, ox);
    else sumPixel(p, x, y, oy, ox);
  }
}

@inline
function row(p: ResizeParams, x: usize, tap: i32): usize {
  return x + (<usize>load<i32>(p.rowIndices + (<usize>tap << 2)) * p.width * p.xPixel << 2);
}

@inline
function column(p: ResizeParams, tap: i32): usize {
  return <usize>load<i32>(p.columnIndices + (<usize>tap << 2)) * p.xPixel << 2;
}

@inline
function weight(table: usize, tap: i32): v128 {
  return v128.load32_splat(table + (<usize>tap << 2));
}

/** One tap, of weight 1 or, outside a crop, 0. */
function copyPixel(p: ResizeParams, x: usize, y: usize, oy: i32, ox: i32): void {
  const from = row(p, x, oy) + column(p, ox);
  const scale = f32x4.mul(weight(p.rowWeights, oy), weight(p.columnWeights, ox));
  for (let c = 0; c < p.channels; c += 4) {
    const at = <usize>c << 2;
    storeLanes(y + at, f32x4.mul(loadLanes(from + at, p.channels - c), scale), p.channels - c);
  }
}

/** 2 × 2 taps. */
function blendPixel(p: ResizeParams, x: usize, y: usize, oy: i32, ox: i32): void {
  const top = row(p, x, 2 * oy);
  const bottom = row(p, x, 2 * oy + 1);
  const left = column(p, 2 * ox);
  const right = column(p, 2 * ox + 1);
  const topLeft = f32x4.mul(weight(p.rowWeights, 2 * oy), weight(p.columnWeights, 2 * ox));
  const topRight = f32x4.mul(weight(p.rowWeights, 2 * oy), weight(p.columnWeights, 2 * ox + 1));
  const bottomLeft = f32x4.mul(weight(p.rowWeights, 2 * oy + 1), weight(p.columnWeights, 2 * ox));
  const bottomRight = f32x4.mul(weight(p.rowWeights, 2 * oy + 1), weight(p.columnWeights, 2 * ox + 1));
  const a = top + left;
  const b = top + right;
  const c = bottom + left;
  const d = bottom + right;
  const whole = <usize>(p.channels & ~3) << 2;
  for (let at: usize = 0; at < whole; at += 16) {
    const upper = madd(v128.load(b + at), topRight, f32x4.mul(v128.load(a + at), topLeft));
    v128.store(y + at, madd(v128.load(d + at), bottomRight, madd(v128.load(c + at), bottomLeft, upper)));
  }
  const lanes = p.channels & 3;
  if (!lanes) return;
  const upper = madd(loadLanes(b + whole, lanes), topRight, f32x4.mul(loadLanes(a + whole, lanes), topLeft));
  const lower = madd(loadLanes(c + whole, lanes), bottomLeft, upper);
  storeLanes(y + whole, madd(loadLanes(d + whole, lanes), bottomRight, lower), lanes);
}

function sumPixel(p: ResizeParams, x: usize, y: usize, oy: i32, ox: i32): void {
  const rowConstant = p.rowConstants ? weight(p.rowConstants, oy) : f32x4.splat(0);
  const columnConstant = p.columnConstants ? weight(p.columnConstants, ox) : f32x4.splat(0);
  for (let c = 0; c < p.channels; c += 4) {
    const lanes = p.channels - c;
    let sum = rowConstant;
    for (let i = oy * p.rowTaps; i < (oy + 1) * p.rowTaps; i++) {
      const from = row(p, x, i) + (<usize>c << 2);
      let inRow = columnConstant;
      for (let j = ox * p.columnTaps; j < (ox + 1) * p.columnTaps; j++) {
        inRow = madd(loadLanes(from + column(p, j), lanes), weight(p.columnWeights, j), inRow);
      }
      sum = madd(inRow, weight(p.rowWeights, i), sum);
    }
    storeLanes(y + (<usize>c << 2), sum, lanes);
  }
}
