import { loadLanes, storeLanes } from './lanes';
import { madd } from './math/madd';
import { scratch } from './program';

/**
 * Samples the input of a deformable convolution at its taps, into an image for an ordinary convolution with stride = kernel: y
 * [batch][outDepth · kernelDepth][outHeight · kernelHeight][outWidth · kernelWidth][channels]. x is
 * [batch][depth][height][width][channels], zero outside; y interpolates linearly between its pixels. A tap's position is out · stride − pad
 * + tap · dilation + offset, with offset [batch][out…][offsetGroups][taps][axes]; offsets exist for the last `axes` of depth, height and
 * width. mask [batch][out…][offsetGroups][taps] scales the taps; it may be 0 (none). offsetGroups divides channels.
 * A tile is `tilePixels` output pixels: tiles = ceil(batch · outDepth · outHeight · outWidth / tilePixels).
 */
@unmanaged
export class DeformSampleParams {
  x: usize = 0;
  offset: usize = 0;
  mask: usize = 0;
  y: usize = 0;
  batch: i32 = 0;
  channels: i32 = 0;
  offsetGroups: i32 = 0;
  axes: i32 = 0;
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
  tilePixels: i32 = 0;
}

/** Larger offsets, and NaN, are outside any image. */
const FAR: f32 = 16777216;

/** A pixel that a tap reads, as an offset in its image, and its weight. Also used for a row or plane of pixels. */
@unmanaged
class Neighbor {
  bytes: usize = 0;
  weight: f32 = 0;
}

const NEIGHBOR = offsetof<Neighbor>();

@inline
function neighbor(table: usize, i: i32): Neighbor {
  return changetype<Neighbor>(table + <usize>i * NEIGHBOR);
}

export function deformSample(p: DeformSampleParams, begin: i32, end: i32): void {
  const pixels = p.batch * p.outDepth * p.outHeight * p.outWidth;
  const to = min(end * p.tilePixels, pixels);
  for (let pixel = begin * p.tilePixels; pixel < to; pixel++) {
    for (let group = 0; group < p.offsetGroups; group++) samplePixel(p, pixel, group);
  }
}

/** Samples all taps of one offset group at one output pixel. */
function samplePixel(p: DeformSampleParams, pixel: i32, group: i32): void {
  const line = pixel / p.outWidth, plane = line / p.outHeight, batch = plane / p.outDepth;
  const oz = plane - batch * p.outDepth, oy = line - plane * p.outHeight, ox = pixel - line * p.outWidth;
  const front = oz * p.strideDepth - p.padFront;
  const top = oy * p.strideHeight - p.padTop;
  const left = ox * p.strideWidth - p.padLeft;
  const step = <usize>p.channels << 2;
  const row = <usize>p.width * step, volume = <usize>p.height * row;
  const own = p.channels / p.offsetGroups;
  const x = p.x + <usize>(batch * p.depth) * volume + (<usize>(group * own) << 2);
  const first = <usize>(pixel * p.offsetGroups + group) * (p.kernelDepth * p.kernelHeight * p.kernelWidth);
  let offset = p.offset + ((first * p.axes) << 2);
  let mask = p.mask + (first << 2);

  const columns = scratch, rows = columns + 2 * NEIGHBOR, planes = rows + 2 * NEIGHBOR, all = planes + 2 * NEIGHBOR;
  for (let kz = 0; kz < p.kernelDepth; kz++) {
    for (let ky = 0; ky < p.kernelHeight; ky++) {
      const outPlane = plane * p.kernelDepth + kz;
      const outRow = (outPlane * p.outHeight + oy) * p.kernelHeight + ky;
      let y = p.y + <usize>((outRow * p.outWidth + ox) * p.kernelWidth) * step + (<usize>(group * own) << 2);
      for (let kx = 0; kx < p.kernelWidth; kx++, y += step) {
        const last = offset + (<usize>(p.axes - 1) << 2);
        const dz: f32 = p.axes > 2 ? load<f32>(last - 8) : 0;
        const dy: f32 = p.axes > 1 ? load<f32>(last - 4) : 0;
        const nx = locate(columns, left + kx * p.dilationWidth, load<f32>(last), p.width, step);
        const ny = locate(rows, top + ky * p.dilationHeight, dy, p.height, row);
        const nz = locate(planes, front + kz * p.dilationDepth, dz, p.depth, volume);
        cross(all, planes, nz, rows, ny, columns, nx, p.mask ? load<f32>(mask) : 1);
        blend(x, all, nz * ny * nx, y, own);
        offset += <usize>p.axes << 2;
        mask += 4;
      }
    }
  }
}

/** Combines planes, rows and columns to pixels; each weight is the product of their weights and `scale`. */
@inline
function cross(all: usize, planes: usize, nz: i32, rows: usize, ny: i32, columns: usize, nx: i32, scale: f32): void {
  let count = 0;
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      const bytes = neighbor(planes, k).bytes + neighbor(rows, j).bytes;
      const weight = scale * neighbor(planes, k).weight * neighbor(rows, j).weight;
      for (let i = 0; i < nx; i++, count++) {
        neighbor(all, count).bytes = bytes + neighbor(columns, i).bytes;
        neighbor(all, count).weight = weight * neighbor(columns, i).weight;
      }
    }
  }
}

/** Finds the one or two positions inside 0…size around start + offset along one axis; returns their number. */
function locate(table: usize, start: i32, offset: f32, size: i32, step: usize): i32 {
  if (!(abs(offset) < FAR)) return 0;
  const low = floor(offset), part = offset - low;
  const at = start + <i32>low;
  let count = 0;
  if (at >= 0 && at < size && part < 1) {
    neighbor(table, 0).bytes = <usize>at * step;
    neighbor(table, 0).weight = 1 - part;
    count = 1;
  }
  if (at >= -1 && at + 1 < size && part > 0) {
    neighbor(table, count).bytes = <usize>(at + 1) * step;
    neighbor(table, count).weight = part;
    count++;
  }
  return count;
}

/** Σ weight · neighbor over `count`, which is 0, 1, 2, 4 or 8. */
function blend(x: usize, table: usize, count: i32, to: usize, channels: i32): void {
  if (count == 0) return memory.fill(to, 0, <usize>channels << 2);
  for (let i = 0; i < count; ) {
    if (count >= 4) {
      blend4(x, table + <usize>i * NEIGHBOR, to, channels, i > 0);
      i += 4;
    } else {
      blend1(x, table + <usize>i * NEIGHBOR, to, channels, i > 0);
      i++;
    }
  }
}

function blend4(x: usize, table: usize, to: usize, channels: i32, adds: bool): void {
  const x0 = x + neighbor(table, 0).bytes, w0 = f32x4.splat(neighbor(table, 0).weight);
  const x1 = x + neighbor(table, 1).bytes, w1 = f32x4.splat(neighbor(table, 1).weight);
  const x2 = x + neighbor(table, 2).bytes, w2 = f32x4.splat(neighbor(table, 2).weight);
  const x3 = x + neighbor(table, 3).bytes, w3 = f32x4.splat(neighbor(table, 3).weight);
  const whole = <usize>(channels & ~3) << 2;
  let c: usize = 0;
  for (; c < whole; c += 16) {
    let sum = f32x4.mul(v128.load(x0 + c), w0);
    sum = madd(v128.load(x1 + c), w1, sum);
    sum = madd(v128.load(x2 + c), w2, sum);
    sum = madd(v128.load(x3 + c), w3, sum);
    v128.store(to + c, adds ? f32x4.add(sum, v128.load(to + c)) : sum);
  }
  const lanes = channels & 3;
  if (lanes == 0) return;
  let sum = f32x4.mul(loadLanes(x0 + c, lanes), w0);
  sum = madd(loadLanes(x1 + c, lanes), w1, sum);
  sum = madd(loadLanes(x2 + c, lanes), w2, sum);
  sum = madd(loadLanes(x3 + c, lanes), w3, sum);
  storeLanes(to + c, adds ? f32x4.add(sum, loadLanes(to + c, lanes)) : sum, lanes);
}

function blend1(x: usize, table: usize, to: usize, channels: i32, adds: bool): void {
  x += neighbor(table, 0).bytes;
  const weight = f32x4.splat(neighbor(table, 0).weight);
  const whole = <usize>(channels & ~3) << 2;
  let c: usize = 0;
  for (; c < whole; c += 16) {
    const product = f32x4.mul(v128.load(x + c), weight);
    v128.store(to + c, adds ? f32x4.add(product, v128.load(to + c)) : product);
  }
  const lanes = channels & 3;
  if (lanes == 0) return;
  const product = f32x4.mul(loadLanes(x + c, lanes), weight);
  storeLanes(to + c, adds ? f32x4.add(product, loadLanes(to + c, lanes)) : product, lanes);
}
