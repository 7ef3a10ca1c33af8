import { Activation, activateRun, Epilogue } from './epilogue';
import { loadLanes, storeLanes } from './lanes';
import { clamp } from './math/clamp';
import { madd } from './math/madd';
import { endTap, firstTap } from './taps';

/**
 * Depthwise convolution, NHWC. x [n][height][width][channels], y and residual [n][outHeight][outWidth][channels];
 * w is packed by `packDepthwise`, bias [channels]. With `multiplier` m > 1, `channels` counts those of y, and x has
 * channels / m of them, each read by m neighbours.
 * Output (oy, ox) reads rows oy·strideH − padTop + ky·dilationH, columns likewise; outside x there is zero.
 * A 1-D convolution has height, outHeight, kernelH, strideH and dilationH 1.
 * A tile is `tilePixels` output pixels in memory order: tiles = ceil(n·outHeight·outWidth / tilePixels).
 */
@unmanaged
export class DepthwiseParams extends Epilogue {
  x: usize = 0;
  w: usize = 0;
  y: usize = 0;
  n: i32 = 0;
  height: i32 = 0;
  width: i32 = 0;
  channels: i32 = 0;
  multiplier: i32 = 0;
  outHeight: i32 = 0;
  outWidth: i32 = 0;
  kernelH: i32 = 0;
  kernelW: i32 = 0;
  strideH: i32 = 0;
  strideW: i32 = 0;
  dilationH: i32 = 0;
  dilationW: i32 = 0;
  padTop: i32 = 0;
  padLeft: i32 = 0;
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
  const pixels = p.n * p.outHeight * p.outWidth;
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
  const top = (line - image * p.outHeight) * p.strideH - p.padTop;
  const firstRow = firstTap(top, p.dilationH);
  const rows = endTap(top, p.dilationH, p.height, p.kernelH) - firstRow;
  const pixelBytes = <usize>(p.channels / p.multiplier) << 2;
  const x = p.x + (<usize>image * p.height + top + firstRow * p.dilationH) * <usize>p.width * pixelBytes;
  const w = p.w + (<usize>(firstRow * p.kernelW) << 4);

  const insideFrom = min(to, max(from, (p.padLeft + p.strideW - 1) / p.strideW));
  const slack = p.width - 1 - (p.kernelW - 1) * p.dilationW + p.padLeft;
  const insideTo = p.multiplier > 1 || rows <= 0 || slack < 0 ? insideFrom : max(insideFrom, min(to, slack / p.strideW + 1));

  const tail = p.channels & ~3;
  let ox = from;
  for (; ox < insideFrom; ox++) convolvePixel(p, x, w, rows, line, ox, 0);
  for (; ox + 4 <= insideTo; ox += 4) {
    const at = (<usize>line * p.outWidth + ox) * <usize>p.channels << 2;
    convolveStrip(p, x + <usize>(ox * p.strideW - p.padLeft) * pixelBytes, w, rows, at);
    for (let i = 0; i < 4 && tail < p.channels; i++) convolvePixel(p, x, w, rows, line, ox + i, tail);
  }
  for (; ox < to; ox++) convolvePixel(p, x, w, rows, line, ox, 0);
  if (p.activation > Activation.Clip) {
    const y = p.y + ((<usize>line * p.outWidth + from) * <usize>p.channels << 2);
    activateRun(y, (to - from) * p.channels, p.activation, p.alpha, p.beta);
  }
}

function convolveStrip(p: DepthwiseParams, x: usize, w: usize, rows: i32, at: usize): void {
  if (p.dilationW == 1) {
    if (p.kernelW == 3 && p.strideW == 1) return strip3(p, x, w, rows, at);
    if (p.kernelW == 3 && p.strideW == 2) return strip3by2(p, x, w, rows, at);
    if (p.kernelW == 5 && p.strideW == 1) return strip5(p, x, w, rows, at);
    if (p.kernelW == 5 && p.strideW == 2) return strip5by2(p, x, w, rows, at);
  }
  stripOfAnyKernel(p, x, w, rows, at);
}

/** acc plus v times weight k, or acc alone where the kernel has no such tap; k and taps are constants. */
@inline
function tap(acc: v128, v: v128, k: i32, taps: i32, w0: v128, w1: v128, w2: v128, w3: v128, w4: v128): v128 {
  if (k < 0 || k >= taps) return acc;
  return madd(v, k == 0 ? w0 : k == 1 ? w1 : k == 2 ? w2 : k == 3 ? w3 : w4, acc);
}

/**
 * 4 neighbouring output pixels, whole vectors of channels. Each input column is loaded once per row and serves every
 * output that has a tap on it. `taps` (3 or 5) and `stride` (1 or 2) are constants, so that the conditions vanish.
 */
@inline
function strip(p: DepthwiseParams, x: usize, w: usize, rows: i32, at: usize, taps: i32, stride: i32): void {
  const pixel = <usize>p.channels << 2;
  const row = <usize>p.width * <usize>p.dilationH * pixel;
  const block = <usize>(p.kernelH * taps) << 4;
  const end = (<usize>(p.channels & ~3)) << 2;
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
      column += pixel;
      v = v128.load(column);
      a0 = tap(a0, v, 1, taps, w0, w1, w2, w3, w4);
      a1 = tap(a1, v, 1 - stride, taps, w0, w1, w2, w3, w4);
      a2 = tap(a2, v, 1 - 2 * stride, taps, w0, w1, w2, w3, w4);
      a3 = tap(a3, v, 1 - 3 * stride, taps, w0, w1, w2, w3, w4);
      column += pixel;
      v = v128.load(column);
      a0 = tap(a0, v, 2, taps, w0, w1, w2, w3, w4);
      a1 = tap(a1, v, 2 - stride, taps, w0, w1, w2, w3, w4);
      a2 = tap(a2, v, 2 - 2 * stride, taps, w0, w1, w2, w3, w4);
      a3 = tap(a3, v, 2 - 3 * stride, taps, w0, w1, w2, w3, w4);
      column += pixel;
      v = v128.load(column);
      a0 = tap(a0, v, 3, taps, w0, w1, w2, w3, w4);
      a1 = tap(a1, v, 3 - stride, taps, w0, w1, w2, w3, w4);
      a2 = tap(a2, v, 3 - 2 * stride, taps, w0, w1, w2, w3, w4);
      a3 = tap(a3, v, 3 - 3 * stride, taps, w0, w1, w2, w3, w4);
      column += pixel;
      v = v128.load(column);
      a0 = tap(a0, v, 4, taps, w0, w1, w2, w3, w4);
      a1 = tap(a1, v, 4 - stride, taps, w0, w1, w2, w3, w4);
      a2 = tap(a2, v, 4 - 2 * stride, taps, w0, w1, w2, w3, w4);
      a3 = tap(a3, v, 4 - 3 * stride, taps, w0, w1, w2, w3, w4);
      column += pixel;
      v = v128.load(column);
      a0 = tap(a0, v, 5, taps, w0, w1, w2, w3, w4);
      a1 = tap(a1, v, 5 - stride, taps, w0, w1, w2, w3, w4);
      a2 = tap(a2, v, 5 - 2 * stride, taps, w0, w1, w2, w3, w4);
      a3 = tap(a3, v, 5 - 3 * stride, taps, w0, w1, w2, w3, w4);
      if (taps + 3 * stride > 6) {
        column += pixel;
        v = v128.load(column);
        a0 = tap(a0, v, 6, taps, w0, w1, w2, w3, w4);
        a1 = tap(a1, v, 6 - stride, taps, w0, w1, w2, w3, w4);
        a2 = tap(a2, v, 6 - 2 * stride, taps, w0, w1, w2, w3, w4);
        a3 = tap(a3, v, 6 - 3 * stride, taps, w0, w1, w2, w3, w4);
      }
      if (taps + 3 * stride > 7) {
        column += pixel;
        v = v128.load(column);
        a0 = tap(a0, v, 7, taps, w0, w1, w2, w3, w4);
        a1 = tap(a1, v, 7 - stride, taps, w0, w1, w2, w3, w4);
        a2 = tap(a2, v, 7 - 2 * stride, taps, w0, w1, w2, w3, w4);
        a3 = tap(a3, v, 7 - 3 * stride, taps, w0, w1, w2, w3, w4);
      }
      if (taps + 3 * stride > 8) {
        column += pixel;
        v = v128.load(column);
        a0 = tap(a0, v, 8, taps, w0, w1, w2, w3, w4);
        a1 = tap(a1, v, 8 - stride, taps, w0, w1, w2, w3, w4);
        a2 = tap(a2, v, 8 - 2 * stride, taps, w0, w1, w2, w3, w4);
        a3 = tap(a3, v, 8 - 3 * stride, taps, w0, w1, w2, w3, w4);
      }
      if (taps + 3 * stride > 9) {
        column += pixel;
        v = v128.load(column);
        a0 = tap(a0, v, 9, taps, w0, w1, w2, w3, w4);
        a1 = tap(a1, v, 9 - stride, taps, w0, w1, w2, w3, w4);
        a2 = tap(a2, v, 9 - 2 * stride, taps, w0, w1, w2, w3, w4);
        a3 = tap(a3, v, 9 - 3 * stride, taps, w0, w1, w2, w3, w4);
      }
      if (taps + 3 * stride > 10) {
        column += pixel;
        v = v128.load(column);
        a0 = tap(a0, v, 10, taps, w0, w1, w2, w3, w4);
        a1 = tap(a1, v, 10 - stride, taps, w0, w1, w2, w3, w4);
        a2 = tap(a2, v, 10 - 2 * stride, taps, w0, w1, w2, w3, w4);
        a3 = tap(a3, v, 10 - 3 * stride, taps, w0, w1, w2, w3, w4);
      }
      xr += row;
      wr += <usize>taps << 4;
    }
    finishStrip(p, at + c, pixel, a0, a1, a2, a3);
    w += block;
  }
}

@inline
function finishStrip(p: DepthwiseParams, at: usize, pixel: usize, a0: v128, a1: v128, a2: v128, a3: v128): void {
  finish(p, at, a0, 4);
  finish(p, at + pixel, a1, 4);
  finish(p, at + 2 * pixel, a2, 4);
  finish(p, at + 3 * pixel, a3, 4);
}

/** Residual and clip in registers; the other activations follow over the finished line. */
@inline
function finish(p: DepthwiseParams, at: usize, acc: v128, lanes: i32): void {
  if (p.residual) acc = f32x4.add(acc, loadLanes(p.residual + at, lanes));
  if (p.activation == Activation.Clip) acc = clamp(acc, p.alpha, p.beta);
  storeLanes(p.y + at, acc, lanes);
}

function strip3(p: DepthwiseParams, x: usize, w: usize, rows: i32, at: usize): void {
  strip(p, x, w, rows, at, 3, 1);
}

function strip3by2(p: DepthwiseParams, x: usize, w: usize, rows: i32, at: usize): void {
  strip(p, x, w, rows, at, 3, 2);
}

function strip5(p: DepthwiseParams, x: usize, w: usize, rows: i32, at: usize): void {
  strip(p, x, w, rows, at, 5, 1);
}

function strip5by2(p: DepthwiseParams, x: usize, w: usize, rows: i32, at: usize): void {
  strip(p, x, w, rows, at, 5, 2);
}

/** The same strip for any kernel, stride and dilation: every tap loads its four inputs. */
function stripOfAnyKernel(p: DepthwiseParams, x: usize, w: usize, rows: i32, at: usize): void {
  const pixel = <usize>p.channels << 2;
  const row = <usize>p.width * <usize>p.dilationH * pixel;
  const dilation = <usize>p.dilationW * pixel;
  const step = <usize>p.strideW * pixel;
  const block = <usize>(p.kernelH * p.kernelW) << 4;
  const end = (<usize>(p.channels & ~3)) << 2;
  for (let c: usize = 0; c < end; c += 16) {
    let a0 = p.bias ? v128.load(p.bias + c) : f32x4.splat(0);
    let a1 = a0;
    let a2 = a0;
    let a3 = a0;
    let xr = x + c;
    let wr = w;
    for (let r = rows; r > 0; r--) {
      let xt = xr;
      for (let k = p.kernelW; k > 0; k--) {
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
    finishStrip(p, at + c, pixel, a0, a1, a2, a3);
    w += block;
  }
}

/** One output pixel, its taps clipped to the columns inside x, from channel `c` on: four vectors at a time, then one. */
function convolvePixel(p: DepthwiseParams, x: usize, w: usize, rows: i32, line: i32, ox: i32, c: i32): void {
  const left = ox * p.strideW - p.padLeft;
  const first = firstTap(left, p.dilationW);
  const columns = endTap(left, p.dilationW, p.width, p.kernelW) - first;
  const at = (<usize>line * p.outWidth + ox) * <usize>p.channels << 2;
  const block = <usize>(p.kernelH * p.kernelW) << 4;
  x += <usize>(left + first * p.dilationW) * (<usize>(p.channels / p.multiplier) << 2);
  w += (<usize>first << 4) + <usize>(c >> 2) * block;
  if (p.multiplier == 1) {
    for (; c + 16 <= p.channels; c += 16) {
      fourVectors(p, x + (<usize>c << 2), w, block, rows, columns, at, c);
      w += 4 * block;
    }
  }
  for (; c < p.channels; c += 4) {
    oneVector(p, x, w, rows, columns, at, c);
    w += block;
  }
}

function fourVectors(p: DepthwiseParams, x: usize, w: usize, block: usize, rows: i32, columns: i32, at: usize, c: i32): void {
  const pixel = <usize>p.channels << 2;
  const row = <usize>p.width * <usize>p.dilationH * pixel;
  const dilation = <usize>p.dilationW * pixel;
  const bias = p.bias + (<usize>c << 2);
  let a0 = p.bias ? v128.load(bias) : f32x4.splat(0);
  let a1 = p.bias ? v128.load(bias, 16) : f32x4.splat(0);
  let a2 = p.bias ? v128.load(bias, 32) : f32x4.splat(0);
  let a3 = p.bias ? v128.load(bias, 48) : f32x4.splat(0);
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
    w += <usize>p.kernelW << 4;
  }
  finishStrip(p, at + (<usize>c << 2), 16, a0, a1, a2, a3);
}

function oneVector(p: DepthwiseParams, x: usize, w: usize, rows: i32, columns: i32, at: usize, c: i32): void {
  const lanes = min(4, p.channels - c);
  const pixel = <usize>(p.channels / p.multiplier) << 2;
  let acc = p.bias ? loadLanes(p.bias + (<usize>c << 2), lanes) : f32x4.splat(0);
  for (let ky = 0; ky < rows; ky++) {
    for (let kx = 0; kx < columns; kx++) {
      const position = x + (<usize>(ky * p.dilationH) * <usize>p.width + <usize>(kx * p.dilationW)) * pixel;
      const v = p.multiplier == 1 ? loadLanes(position + (<usize>c << 2), lanes) : spread(position, p.multiplier, c, lanes);
      acc = madd(v, v128.load(w + (<usize>(ky * p.kernelW + kx) << 4)), acc);
    }
  }
  finish(p, at + (<usize>c << 2), acc, lanes);
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
