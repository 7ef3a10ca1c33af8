import { Activation, activateRun, Epilogue } from './epilogue';
import { loadLanes, storeLanes } from './lanes';
import { clamp } from './math/clamp';
import { madd } from './math/madd';
import { endTap, firstTap } from './taps';

/**
 * Depthwise convolution, NHWC. x [batch][height][width][channels], y and residual [batch][outHeight][outWidth][channels];
 * w is packed by `packDepthwise`, bias [channels]. With `multiplier` m > 1, `channels` counts those of y, and x has
 * channels / m of them, each read by m neighbors. Pixel strides count floats and may exceed the channels: slices of
 * wider tensors.
 * Output (oy, ox) reads rows oy·strideHeight − padTop + ky·dilationHeight, columns likewise; outside x there is zero.
 * A 1-D convolution has height, outHeight, kernelHeight, strideHeight and dilationHeight 1.
 * A tile is `tilePixels` output pixels in memory order: tiles = ceil(batch·outHeight·outWidth / tilePixels).
 */
@unmanaged
export class DepthwiseParams extends Epilogue {
  x: usize = 0;
  w: usize = 0;
  y: usize = 0;
  batch: i32 = 0;
  height: i32 = 0;
  width: i32 = 0;
  channels: i32 = 0;
  multiplier: i32 = 0;
  outHeight: i32 = 0;
  outWidth: i32 = 0;
  kernelHeight: i32 = 0;
  kernelWidth: i32 = 0;
  strideHeight: i32 = 0;
  strideWidth: i32 = 0;
  dilationHeight: i32 = 0;
  dilationWidth: i32 = 0;
  padTop: i32 = 0;
  padLeft: i32 = 0;
  xPixelStride: i32 = 0;
  yPixelStride: i32 = 0;
  residualPixelStride: i32 = 0;
  tilePixels: i32 = 0;
}

/**
 * w [channels][taps] → y [ceil(channels / 4)][taps][4], the last block padded with zeros.
 * A tile is one block of 4 channels.
 */
@unmanaged
export class PackDepthwiseParams {
  w: usize = 0;
  y: usize = 0;
  channels: i32 = 0;
  taps: i32 = 0;
}

export function packDepthwise(p: PackDepthwiseParams, begin: i32, end: i32): void {
  const taps = p.taps;
  for (let block = begin; block < end; block++) {
    const y = p.y + <usize>block * <usize>taps * 16;
    for (let lane = 0; lane < 4; lane++) {
      const channel = block * 4 + lane;
      const w = p.w + <usize>channel * <usize>taps * 4;
      for (let tap = 0; tap < taps; tap++) {
        store<f32>(y + (<usize>tap << 4) + (<usize>lane << 2), channel < p.channels ? load<f32>(w + (<usize>tap << 2)) : 0);
      }
    }
  }
}

export function depthwiseConvolution(p: DepthwiseParams, begin: i32, end: i32): void {
  const pixels = p.batch * p.outHeight * p.outWidth;
  const to = min(end * p.tilePixels, pixels);
  let pixel = begin * p.tilePixels;
  while (pixel < to) {
    const line = pixel / p.outWidth;
    const from = pixel - line * p.outWidth;
    const count = min(p.outWidth - from, to - pixel);
    convolveLine(p, line, from, from + count);
    pixel += count;
  }
}

/** Output columns from…to of one line (image and row): those whose taps all lie inside x in strips of 4, the others singly. */
function convolveLine(p: DepthwiseParams, line: i32, from: i32, to: i32): void {
  const image = line / p.outHeight;
  const top = (line - image * p.outHeight) * p.strideHeight - p.padTop;
  const firstRow = firstTap(top, p.dilationHeight);
  const rows = endTap(top, p.dilationHeight, p.height, p.kernelHeight) - firstRow;
  const xStep = <usize>p.xPixelStride << 2;
  const x = p.x + (<usize>image * p.height + top + firstRow * p.dilationHeight) * <usize>p.width * xStep;
  const w = p.w + (<usize>(firstRow * p.kernelWidth) << 4);

  const insideFrom = min(to, max(from, (p.padLeft + p.strideWidth - 1) / p.strideWidth));
  const slack = p.width - 1 - (p.kernelWidth - 1) * p.dilationWidth + p.padLeft;
  const insideTo = p.multiplier > 1 || rows <= 0 || slack < 0 ? insideFrom : max(insideFrom, min(to, slack / p.strideWidth + 1));

  const tail = p.channels & ~3;
  const first = <usize>line * p.outWidth;
  let ox = from;
  for (; ox < insideFrom; ox++) convolvePixel(p, x, w, rows, first, ox, 0);
  for (; ox + 4 <= insideTo; ox += 4) {
    convolveStrip(p, x + <usize>(ox * p.strideWidth - p.padLeft) * xStep, w, rows, first + ox);
    for (let i = 0; i < 4 && tail < p.channels; i++) convolvePixel(p, x, w, rows, first, ox + i, tail);
  }
  for (; ox < to; ox++) convolvePixel(p, x, w, rows, first, ox, 0);
  if (p.activation > Activation.Clip) activateLine(p, first + from, to - from);
}

function activateLine(p: DepthwiseParams, pixel: usize, count: i32): void {
  const step = <usize>p.yPixelStride << 2;
  let y = p.y + pixel * step;
  if (p.yPixelStride == p.channels) return activateRun(y, count * p.channels, p.activation, p.alpha, p.beta);
  for (; count > 0; count--, y += step) activateRun(y, p.channels, p.activation, p.alpha, p.beta);
}

function convolveStrip(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize): void {
  if (p.dilationWidth == 1) {
    if (p.kernelWidth == 3 && p.strideWidth == 1) return strip3(p, x, w, rows, pixel);
    if (p.kernelWidth == 3 && p.strideWidth == 2) return strip3by2(p, x, w, rows, pixel);
    if (p.kernelWidth == 5 && p.strideWidth == 1) return strip5(p, x, w, rows, pixel);
    if (p.kernelWidth == 5 && p.strideWidth == 2) return strip5by2(p, x, w, rows, pixel);
  }
  stripOfAnyKernel(p, x, w, rows, pixel);
}

/** acc plus v times weight k, or acc alone where the kernel has no such tap; k and taps are constants. */
@inline
function tap(acc: v128, v: v128, k: i32, taps: i32, w0: v128, w1: v128, w2: v128, w3: v128, w4: v128): v128 {
  if (k < 0 || k >= taps) return acc;
  return madd(v, k == 0 ? w0 : k == 1 ? w1 : k == 2 ? w2 : k == 3 ? w3 : w4, acc);
}

/**
 * 4 neighboring output pixels, whole vectors of channels. Each input column is loaded once per row and serves every
 * output that has a tap on it. `taps` (3 or 5) and `stride` (1 or 2) are constants, so that the conditions vanish.
 */
@inline
function strip(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize, taps: i32, stride: i32): void {
  const xStep = <usize>p.xPixelStride << 2;
  const yStep = <usize>p.yPixelStride << 2;
  const residualStep = <usize>p.residualPixelStride << 2;
  const row = <usize>p.width * <usize>p.dilationHeight * xStep;
  const y = p.y + pixel * yStep;
  const residual = p.residual + pixel * residualStep;
  const block = <usize>(p.kernelHeight * taps) << 4;
  const end = <usize>(p.channels & ~3) << 2;
  for (let c: usize = 0; c < end; c += 16) {
    let a0 = p.bias ? v128.load(p.bias + c) : f32x4.splat(0);
    let a1 = a0;
    let a2 = a0;
    let a3 = a0;
    let xr = x + c;
    let wr = w;
    for (let r = rows; r > 0; r--) {
      const w0 = v128.load(wr);
      const w1 = v128.load(wr, 16);
      const w2 = v128.load(wr, 32);
      const w3 = taps > 3 ? v128.load(wr, 48) : w0;
      const w4 = taps > 3 ? v128.load(wr, 64) : w0;
      let column = xr;
      let v = v128.load(column);
      a0 = tap(a0, v, 0, taps, w0, w1, w2, w3, w4);
      a1 = tap(a1, v, 0 - stride, taps, w0, w1, w2, w3, w4);
      a2 = tap(a2, v, 0 - 2 * stride, taps, w0, w1, w2, w3, w4);
      a3 = tap(a3, v, 0 - 3 * stride, taps, w0, w1, w2, w3, w4);
      column += xStep;
      v = v128.load(column);
      a0 = tap(a0, v, 1, taps, w0, w1, w2, w3, w4);
      a1 = tap(a1, v, 1 - stride, taps, w0, w1, w2, w3, w4);
      a2 = tap(a2, v, 1 - 2 * stride, taps, w0, w1, w2, w3, w4);
      a3 = tap(a3, v, 1 - 3 * stride, taps, w0, w1, w2, w3, w4);
      column += xStep;
      v = v128.load(column);
      a0 = tap(a0, v, 2, taps, w0, w1, w2, w3, w4);
      a1 = tap(a1, v, 2 - stride, taps, w0, w1, w2, w3, w4);
      a2 = tap(a2, v, 2 - 2 * stride, taps, w0, w1, w2, w3, w4);
      a3 = tap(a3, v, 2 - 3 * stride, taps, w0, w1, w2, w3, w4);
      column += xStep;
      v = v128.load(column);
      a0 = tap(a0, v, 3, taps, w0, w1, w2, w3, w4);
      a1 = tap(a1, v, 3 - stride, taps, w0, w1, w2, w3, w4);
      a2 = tap(a2, v, 3 - 2 * stride, taps, w0, w1, w2, w3, w4);
      a3 = tap(a3, v, 3 - 3 * stride, taps, w0, w1, w2, w3, w4);
      column += xStep;
      v = v128.load(column);
      a0 = tap(a0, v, 4, taps, w0, w1, w2, w3, w4);
      a1 = tap(a1, v, 4 - stride, taps, w0, w1, w2, w3, w4);
      a2 = tap(a2, v, 4 - 2 * stride, taps, w0, w1, w2, w3, w4);
      a3 = tap(a3, v, 4 - 3 * stride, taps, w0, w1, w2, w3, w4);
      column += xStep;
      v = v128.load(column);
      a0 = tap(a0, v, 5, taps, w0, w1, w2, w3, w4);
      a1 = tap(a1, v, 5 - stride, taps, w0, w1, w2, w3, w4);
      a2 = tap(a2, v, 5 - 2 * stride, taps, w0, w1, w2, w3, w4);
      a3 = tap(a3, v, 5 - 3 * stride, taps, w0, w1, w2, w3, w4);
      if (taps + 3 * stride > 6) {
        column += xStep;
        v = v128.load(column);
        a0 = tap(a0, v, 6, taps, w0, w1, w2, w3, w4);
        a1 = tap(a1, v, 6 - stride, taps, w0, w1, w2, w3, w4);
        a2 = tap(a2, v, 6 - 2 * stride, taps, w0, w1, w2, w3, w4);
        a3 = tap(a3, v, 6 - 3 * stride, taps, w0, w1, w2, w3, w4);
      }
      if (taps + 3 * stride > 7) {
        column += xStep;
        v = v128.load(column);
        a0 = tap(a0, v, 7, taps, w0, w1, w2, w3, w4);
        a1 = tap(a1, v, 7 - stride, taps, w0, w1, w2, w3, w4);
        a2 = tap(a2, v, 7 - 2 * stride, taps, w0, w1, w2, w3, w4);
        a3 = tap(a3, v, 7 - 3 * stride, taps, w0, w1, w2, w3, w4);
      }
      if (taps + 3 * stride > 8) {
        column += xStep;
        v = v128.load(column);
        a0 = tap(a0, v, 8, taps, w0, w1, w2, w3, w4);
        a1 = tap(a1, v, 8 - stride, taps, w0, w1, w2, w3, w4);
        a2 = tap(a2, v, 8 - 2 * stride, taps, w0, w1, w2, w3, w4);
        a3 = tap(a3, v, 8 - 3 * stride, taps, w0, w1, w2, w3, w4);
      }
      if (taps + 3 * stride > 9) {
        column += xStep;
        v = v128.load(column);
        a0 = tap(a0, v, 9, taps, w0, w1, w2, w3, w4);
        a1 = tap(a1, v, 9 - stride, taps, w0, w1, w2, w3, w4);
        a2 = tap(a2, v, 9 - 2 * stride, taps, w0, w1, w2, w3, w4);
        a3 = tap(a3, v, 9 - 3 * stride, taps, w0, w1, w2, w3, w4);
      }
      if (taps + 3 * stride > 10) {
        column += xStep;
        v = v128.load(column);
        a0 = tap(a0, v, 10, taps, w0, w1, w2, w3, w4);
        a1 = tap(a1, v, 10 - stride, taps, w0, w1, w2, w3, w4);
        a2 = tap(a2, v, 10 - 2 * stride, taps, w0, w1, w2, w3, w4);
        a3 = tap(a3, v, 10 - 3 * stride, taps, w0, w1, w2, w3, w4);
      }
      xr += row;
      wr += <usize>taps << 4;
    }
    finishStrip(p, y + c, residual + c, yStep, residualStep, a0, a1, a2, a3);
    w += block;
  }
}

@inline
function finishStrip(
  p: DepthwiseParams,
  y: usize,
  residual: usize,
  yStep: usize,
  residualStep: usize,
  a0: v128,
  a1: v128,
  a2: v128,
  a3: v128,
): void {
  finish(p, y, residual, a0, 4);
  finish(p, y + yStep, residual + residualStep, a1, 4);
  finish(p, y + 2 * yStep, residual + 2 * residualStep, a2, 4);
  finish(p, y + 3 * yStep, residual + 3 * residualStep, a3, 4);
}

/** Residual and clip in registers; the other activations follow over the finished line. */
@inline
function finish(p: DepthwiseParams, y: usize, residual: usize, acc: v128, lanes: i32): void {
  if (p.residual) acc = f32x4.add(acc, loadLanes(residual, lanes));
  if (p.activation == Activation.Clip) acc = clamp(acc, p.alpha, p.beta);
  storeLanes(y, acc, lanes);
}

function strip3(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize): void {
  strip(p, x, w, rows, pixel, 3, 1);
}

function strip3by2(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize): void {
  strip(p, x, w, rows, pixel, 3, 2);
}

function strip5(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize): void {
  strip(p, x, w, rows, pixel, 5, 1);
}

function strip5by2(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize): void {
  strip(p, x, w, rows, pixel, 5, 2);
}

/** The same strip for any kernel, stride and dilation: every tap loads its four inputs. */
function stripOfAnyKernel(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize): void {
  const xStep = <usize>p.xPixelStride << 2;
  const yStep = <usize>p.yPixelStride << 2;
  const residualStep = <usize>p.residualPixelStride << 2;
  const row = <usize>p.width * <usize>p.dilationHeight * xStep;
  const y = p.y + pixel * yStep;
  const residual = p.residual + pixel * residualStep;
  const dilation = <usize>p.dilationWidth * xStep;
  const step = <usize>p.strideWidth * xStep;
  const block = <usize>(p.kernelHeight * p.kernelWidth) << 4;
  const end = <usize>(p.channels & ~3) << 2;
  for (let c: usize = 0; c < end; c += 16) {
    let a0 = p.bias ? v128.load(p.bias + c) : f32x4.splat(0);
    let a1 = a0;
    let a2 = a0;
    let a3 = a0;
    let xr = x + c;
    let wr = w;
    for (let r = rows; r > 0; r--) {
      let xt = xr;
      for (let k = p.kernelWidth; k > 0; k--) {
        const wt = v128.load(wr);
        a0 = madd(v128.load(xt), wt, a0);
        a1 = madd(v128.load(xt + step), wt, a1);
        a2 = madd(v128.load(xt + 2 * step), wt, a2);
        a3 = madd(v128.load(xt + 3 * step), wt, a3);
        xt += dilation;
        wr += 16;
      }
      xr += row;
    }
    finishStrip(p, y + c, residual + c, yStep, residualStep, a0, a1, a2, a3);
    w += block;
  }
}

/**
 * One output pixel, its taps clipped to the columns inside x, from channel `c` on: four vectors at a time, then one.
 * `line` is the index of the first pixel of its line.
 */
function convolvePixel(p: DepthwiseParams, x: usize, w: usize, rows: i32, line: usize, ox: i32, c: i32): void {
  const left = ox * p.strideWidth - p.padLeft;
  const first = firstTap(left, p.dilationWidth);
  const columns = endTap(left, p.dilationWidth, p.width, p.kernelWidth) - first;
  const block = <usize>(p.kernelHeight * p.kernelWidth) << 4;
  const pixel = line + ox;
  x += <usize>(left + first * p.dilationWidth) * (<usize>p.xPixelStride << 2);
  w += (<usize>first << 4) + <usize>(c >> 2) * block;
  if (p.multiplier == 1) {
    for (; c + 16 <= p.channels; c += 16, w += 4 * block) fourVectors(p, x, w, block, rows, columns, pixel, c);
  }
  for (; c < p.channels; c += 4, w += block) oneVector(p, x, w, rows, columns, pixel, c);
}

function fourVectors(
  p: DepthwiseParams,
  x: usize,
  w: usize,
  block: usize,
  rows: i32,
  columns: i32,
  pixel: usize,
  c: i32,
): void {
  const xStep = <usize>p.xPixelStride << 2;
  const row = <usize>p.width * <usize>p.dilationHeight * xStep;
  const dilation = <usize>p.dilationWidth * xStep;
  const at = <usize>c << 2;
  let a0 = p.bias ? v128.load(p.bias + at) : f32x4.splat(0);
  let a1 = p.bias ? v128.load(p.bias + at, 16) : f32x4.splat(0);
  let a2 = p.bias ? v128.load(p.bias + at, 32) : f32x4.splat(0);
  let a3 = p.bias ? v128.load(p.bias + at, 48) : f32x4.splat(0);
  x += at;
  for (let r = rows; r > 0; r--) {
    let xt = x;
    let wt = w;
    for (let k = columns; k > 0; k--) {
      a0 = madd(v128.load(xt), v128.load(wt), a0);
      a1 = madd(v128.load(xt, 16), v128.load(wt + block), a1);
      a2 = madd(v128.load(xt, 32), v128.load(wt + 2 * block), a2);
      a3 = madd(v128.load(xt, 48), v128.load(wt + 3 * block), a3);
      xt += dilation;
      wt += 16;
    }
    x += row;
    w += <usize>p.kernelWidth << 4;
  }
  const y = p.y + (pixel * <usize>p.yPixelStride << 2) + at;
  const residual = p.residual + (pixel * <usize>p.residualPixelStride << 2) + at;
  finishStrip(p, y, residual, 16, 16, a0, a1, a2, a3);
}

function oneVector(p: DepthwiseParams, x: usize, w: usize, rows: i32, columns: i32, pixel: usize, c: i32): void {
  const lanes = min(4, p.channels - c);
  const xStep = <usize>p.xPixelStride << 2;
  const at = <usize>c << 2;
  let acc = p.bias ? loadLanes(p.bias + at, lanes) : f32x4.splat(0);
  for (let ky = 0; ky < rows; ky++) {
    for (let kx = 0; kx < columns; kx++) {
      const tap = x + (<usize>(ky * p.dilationHeight) * <usize>p.width + <usize>(kx * p.dilationWidth)) * xStep;
      const v = p.multiplier == 1 ? loadLanes(tap + at, lanes) : spread(tap, p.multiplier, c, lanes);
      acc = madd(v, v128.load(w + (<usize>(ky * p.kernelWidth + kx) << 4)), acc);
    }
  }
  const y = p.y + (pixel * <usize>p.yPixelStride << 2) + at;
  finish(p, y, p.residual + (pixel * <usize>p.residualPixelStride << 2) + at, acc, lanes);
}

/** The inputs of output channels c, c + 1, … where every input channel has `multiplier` outputs. */
@inline
function spread(x: usize, multiplier: i32, c: i32, lanes: i32): v128 {
  let v = v128.load32_splat(x + (<usize>(c / multiplier) << 2));
  if (lanes > 1) v = v128.load_lane<f32>(x + (<usize>((c + 1) / multiplier) << 2), v, 1);
  if (lanes > 2) v = v128.load_lane<f32>(x + (<usize>((c + 2) / multiplier) << 2), v, 2);
  if (lanes > 3) v = v128.load_lane<f32>(x + (<usize>((c + 3) / multiplier) << 2), v, 3);
  return v;
}
