import { ceilDiv } from './ceil-div';
import { Activation, activateRun, Epilogue } from './epilogue';
import { loadLanes, storeLanes } from './lanes';
import { clamp } from './math/clamp';
import { madd } from './math/madd';
import { endTap, firstTap } from './taps';

/**
 * Depthwise convolution, NHWC. x [batch][height][width][channels], y and residual
 * [batch][outHeight][outWidth][channels]; w is packed by `packDepthwise`, bias [channels]. With `multiplier` m > 1, `channels` counts the
 * channels of y, and x has channels / m; m neighboring output channels read each. Pixel strides count floats and may exceed the channels:
 * slices of wider tensors. y must not overlap an input: where the number of channels is not a multiple of 4, the last vector overlaps the
 * one before and computes some channels again.
 * Output (oy, ox) reads rows oy·strideHeight − padTop + ky·dilationHeight, columns likewise; x is zero outside. A 1-D convolution has
 * height, outHeight, kernelHeight, strideHeight and dilationHeight 1.
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
 * w [channels][taps] → y [ceil(channels / 4)][taps][4]. The last block holds the last four channels; fewer than four are padded with zeros.
 * A tile is one block of 4 channels.
 */
@unmanaged
export class PackDepthwiseParams {
  w: usize = 0;
  y: usize = 0;
  channels: i32 = 0;
  taps: i32 = 0;
}

/** First channel of the block of channel `c`. */
@inline
function firstOf(c: i32, channels: i32): i32 {
  return min(c, max(channels - 4, 0));
}

export function packDepthwise(p: PackDepthwiseParams, begin: i32, end: i32): void {
  const taps = p.taps;
  for (let block = begin; block < end; block++) {
    const y = p.y + <usize>block * <usize>taps * 16;
    for (let lane = 0; lane < 4; lane++) {
      const channel = firstOf(block * 4, p.channels) + lane;
      const w = p.w + <usize>channel * <usize>taps * 4;
      for (let tap = 0; tap < taps; tap++) {
        const value: f32 = channel < p.channels ? load<f32>(w + (<usize>tap << 2)) : 0;
        store<f32>(y + (<usize>tap << 4) + (<usize>lane << 2), value);
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

/** Output columns from…to of one line (image and row): strips of 4 where all taps are inside x, single pixels elsewhere. */
function convolveLine(p: DepthwiseParams, line: i32, from: i32, to: i32): void {
  const image = line / p.outHeight;
  const top = (line - image * p.outHeight) * p.strideHeight - p.padTop;
  const firstRow = firstTap(top, p.dilationHeight);
  const rows = endTap(top, p.dilationHeight, p.height, p.kernelHeight) - firstRow;
  const xStep = <usize>p.xPixelStride << 2;
  const x = p.x + (<usize>image * p.height + top + firstRow * p.dilationHeight) * <usize>p.width * xStep;
  const w = p.w + (<usize>(firstRow * p.kernelWidth) << 4);

  const insideFrom = min(to, max(from, ceilDiv(p.padLeft, p.strideWidth)));
  const slack = p.width - 1 - (p.kernelWidth - 1) * p.dilationWidth + p.padLeft;
  const strips = p.multiplier == 1 && p.channels >= 4 && rows > 0 && slack >= 0;
  const insideTo = strips ? max(insideFrom, min(to, slack / p.strideWidth + 1)) : insideFrom;

  const first = <usize>line * p.outWidth;
  let ox = from;
  for (; ox < insideFrom; ox++) convolvePixel(p, x, w, rows, first, ox);
  for (; ox + 4 <= insideTo; ox += 4) {
    const left = x + <usize>(ox * p.strideWidth - p.padLeft) * xStep;
    convolveStrip(p, left, w, rows, first + ox);
  }
  for (; ox < to; ox++) convolvePixel(p, x, w, rows, first, ox);
  if (p.activation > Activation.Clip) activateLine(p, first + from, to - from);
}

function activateLine(p: DepthwiseParams, pixel: usize, count: i32): void {
  const step = <usize>p.yPixelStride << 2;
  let y = p.y + pixel * step;
  if (p.yPixelStride == p.channels) return activateRun(y, count * p.channels, p.activation, p.alpha, p.beta);
  for (; count > 0; count--, y += step) activateRun(y, p.channels, p.activation, p.alpha, p.beta);
}

function convolveStrip(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize): void {
  const three = p.kernelWidth == 3;
  if (p.strideWidth == p.dilationWidth) {
    if (three) strip3(p, x, w, rows, pixel);
    else strip(p, x, w, rows, pixel);
  } else {
    if (three) stridedStrip3(p, x, w, rows, pixel);
    else stridedStrip(p, x, w, rows, pixel);
  }
}

function strip3(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize): void {
  convolve4(p, x, w, rows, pixel, true, true);
}

function strip(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize): void {
  convolve4(p, x, w, rows, pixel, true, false);
}

function stridedStrip3(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize): void {
  convolve4(p, x, w, rows, pixel, false, true);
}

function stridedStrip(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize): void {
  convolve4(p, x, w, rows, pixel, false, false);
}

/**
 * 4 neighboring output pixels whose taps are all inside x, with at least four channels. `shared`: stride = dilation, so the outputs' taps
 * fall on the same columns and each column is loaded once. `three`: three taps per row, unrolled. Both are constants. 3×3 over 56²×144
 * takes 0.23 ms; without either of them 0.30.
 */
@inline
function convolve4(p: DepthwiseParams, x: usize, w: usize, rows: i32, pixel: usize, shared: bool, three: bool): void {
  const xStep = <usize>p.xPixelStride << 2;
  const row = <usize>p.width * <usize>p.dilationHeight * xStep;
  const step = <usize>p.strideWidth * xStep;
  const dilation = <usize>p.dilationWidth * xStep;
  const block = <usize>(p.kernelHeight * p.kernelWidth) << 4;
  const last = <usize>(p.channels - 4) << 2;
  for (let c: usize = 0; ; c = min(c + 16, last), w += block) {
    let a0 = p.bias ? v128.load(p.bias + c) : f32x4.splat(0);
    let a1 = a0, a2 = a0, a3 = a0;
    let xr = x + c;
    let wk = w;
    for (let r = rows; r > 0; r--, xr += row) {
      let x0 = xr, x1 = x0 + step, x2 = x1 + step, x3 = x2 + step;
      let v0 = v128.load(x0), v1 = v128.load(x1), v2 = v128.load(x2), v3 = v128.load(x3);
      if (three) {
        const w0 = v128.load(wk), w1 = v128.load(wk, 16), w2 = v128.load(wk, 32);
        a0 = madd(v0, w0, a0);
        a1 = madd(v1, w0, a1);
        a2 = madd(v2, w0, a2);
        a3 = madd(v3, w0, a3);
        v0 = shared ? v1 : v128.load(x0 + dilation);
        v1 = shared ? v2 : v128.load(x1 + dilation);
        v2 = shared ? v3 : v128.load(x2 + dilation);
        v3 = v128.load(x3 + dilation);
        a0 = madd(v0, w1, a0);
        a1 = madd(v1, w1, a1);
        a2 = madd(v2, w1, a2);
        a3 = madd(v3, w1, a3);
        v0 = shared ? v1 : v128.load(x0 + 2 * dilation);
        v1 = shared ? v2 : v128.load(x1 + 2 * dilation);
        v2 = shared ? v3 : v128.load(x2 + 2 * dilation);
        v3 = v128.load(x3 + 2 * dilation);
        a0 = madd(v0, w2, a0);
        a1 = madd(v1, w2, a1);
        a2 = madd(v2, w2, a2);
        a3 = madd(v3, w2, a3);
        wk += 48;
      } else {
        for (let k = p.kernelWidth; ; ) {
          const w0 = v128.load(wk);
          a0 = madd(v0, w0, a0);
          a1 = madd(v1, w0, a1);
          a2 = madd(v2, w0, a2);
          a3 = madd(v3, w0, a3);
          wk += 16;
          if (--k == 0) break;
          x3 += dilation;
          v0 = shared ? v1 : v128.load((x0 += dilation));
          v1 = shared ? v2 : v128.load((x1 += dilation));
          v2 = shared ? v3 : v128.load((x2 += dilation));
          v3 = v128.load(x3);
        }
      }
    }
    finishStrip(p, pixel, c, a0, a1, a2, a3);
    if (c == last) break;
  }
}

/** Finishes channels c…c + 4 (c in bytes) of 4 pixels. */
@inline
function finishStrip(p: DepthwiseParams, pixel: usize, c: usize, a0: v128, a1: v128, a2: v128, a3: v128): void {
  const yStep = <usize>p.yPixelStride << 2;
  const residualStep = <usize>p.residualPixelStride << 2;
  const y = p.y + pixel * yStep + c;
  const residual = p.residual + pixel * residualStep + c;
  finish(p, y, residual, a0, 4);
  finish(p, y + yStep, residual + residualStep, a1, 4);
  finish(p, y + 2 * yStep, residual + 2 * residualStep, a2, 4);
  finish(p, y + 3 * yStep, residual + 3 * residualStep, a3, 4);
}

/** Applies residual and clip in registers; other activations run over the finished line. */
@inline
function finish(p: DepthwiseParams, y: usize, residual: usize, acc: v128, lanes: i32): void {
  if (p.residual) acc = f32x4.add(acc, loadLanes(residual, lanes));
  if (p.activation == Activation.Clip) acc = clamp(acc, p.alpha, p.beta);
  storeLanes(y, acc, lanes);
}

/**
 * One output pixel, with its taps clipped to the columns inside x: four vectors of channels at a time, then one. `line` is the index of the
 * first pixel of its line.
 */
function convolvePixel(p: DepthwiseParams, x: usize, w: usize, rows: i32, line: usize, ox: i32): void {
  const left = ox * p.strideWidth - p.padLeft;
  const first = firstTap(left, p.dilationWidth);
  const columns = endTap(left, p.dilationWidth, p.width, p.kernelWidth) - first;
  const block = <usize>(p.kernelHeight * p.kernelWidth) << 4;
  const pixel = line + ox;
  x += <usize>(left + first * p.dilationWidth) * (<usize>p.xPixelStride << 2);
  w += <usize>first << 4;
  let c = 0;
  if (p.multiplier == 1) {
    for (; c + 16 <= p.channels; c += 16, w += 4 * block) fourVectors(p, x, w, block, rows, columns, pixel, c);
  }
  for (; c < p.channels; c += 4, w += block) oneVector(p, x, w, rows, columns, pixel, firstOf(c, p.channels));
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
  finish(p, y, residual, a0, 4);
  finish(p, y + 16, residual + 16, a1, 4);
  finish(p, y + 32, residual + 32, a2, 4);
  finish(p, y + 48, residual + 48, a3, 4);
}

function oneVector(p: DepthwiseParams, x: usize, w: usize, rows: i32, columns: i32, pixel: usize, c: i32): void {
  const lanes = min(4, p.channels);
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

/** The inputs of output channels c, c + 1, …, where each input channel has `multiplier` outputs. */
@inline
function spread(x: usize, multiplier: i32, c: i32, lanes: i32): v128 {
  let v = v128.load32_splat(x + (<usize>(c / multiplier) << 2));
  if (lanes > 1) v = v128.load_lane<f32>(x + (<usize>((c + 1) / multiplier) << 2), v, 1);
  if (lanes > 2) v = v128.load_lane<f32>(x + (<usize>((c + 2) / multiplier) << 2), v, 2);
  if (lanes > 3) v = v128.load_lane<f32>(x + (<usize>((c + 3) / multiplier) << 2), v, 3);
  return v;
}
