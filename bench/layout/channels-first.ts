// Convolutions on channels-first activations, [channels][height][width]: the layout that Sardonyx did not choose. Only
// `npm run bench:layout` compiles this file; no binary of the product contains it.
import { madd } from '../../assembly/math/madd';
import { PANEL, ROWS } from '../../assembly/matmul/microkernel';

/**
 * One convolution of one image, y = x * w + bias[channel]. The map has at least 8 pixels. `block` output pixels, a
 * multiple of 8, pass by each tile of weights in turn. `scratch` holds the block's im2col panels (outputs × taps ×
 * channels floats), or for `depthwise` a row of zeros.
 */
@unmanaged
export class Layer {
  x: usize = 0;
  w: usize = 0;
  bias: usize = 0;
  y: usize = 0;
  scratch: usize = 0;
  block: i32 = 0;
  channels: i32 = 0;
  outChannels: i32 = 0;
  height: i32 = 0;
  width: i32 = 0;
  outHeight: i32 = 0;
  outWidth: i32 = 0;
  kernel: i32 = 0;
  stride: i32 = 0;
  pad: i32 = 0;
}

/** Weights [outChannels][depth] → tiles [ceil(outChannels / ROWS)][depth][≤ ROWS]. */
export function packWeights(packed: usize, w: usize, outChannels: i32, depth: i32): void {
  for (let channel = 0; channel < outChannels; channel += ROWS) {
    const count = min(ROWS, outChannels - channel);
    for (let k = 0; k < depth; k++) {
      for (let row = 0; row < count; row++, packed += 4) {
        store<f32>(packed, load<f32>(w + (((<usize>(channel + row)) * depth + k) << 2)));
      }
    }
  }
}

/** COUNT channels × 8 or 4 pixels: the product's register tile, with weights broadcast and pixels along the lanes. */
@inline
function multiply(
  COUNT: i32,
  WIDE: bool,
  w: usize,
  depth: i32,
  x: usize,
  step: usize,
  bias: usize,
  y: usize,
  yStep: usize,
): void {
  const zero = f32x4.splat(0);
  let s00 = v128.load32_splat(bias);
  let s10 = COUNT > 1 ? v128.load32_splat(bias, 4) : zero;
  let s20 = COUNT > 2 ? v128.load32_splat(bias, 8) : zero;
  let s30 = COUNT > 3 ? v128.load32_splat(bias, 12) : zero;
  let s40 = COUNT > 4 ? v128.load32_splat(bias, 16) : zero;
  let s50 = COUNT > 5 ? v128.load32_splat(bias, 20) : zero;
  let s01 = s00, s11 = s10, s21 = s20, s31 = s30, s41 = s40, s51 = s50;
  for (let k = depth; k; k--) {
    const x0 = v128.load(x);
    const x1 = WIDE ? v128.load(x, 16) : zero;
    let a = v128.load32_splat(w);
    s00 = madd(a, x0, s00);
    if (WIDE) s01 = madd(a, x1, s01);
    if (COUNT > 1) {
      a = v128.load32_splat(w, 4);
      s10 = madd(a, x0, s10);
      if (WIDE) s11 = madd(a, x1, s11);
    }
    if (COUNT > 2) {
      a = v128.load32_splat(w, 8);
      s20 = madd(a, x0, s20);
      if (WIDE) s21 = madd(a, x1, s21);
    }
    if (COUNT > 3) {
      a = v128.load32_splat(w, 12);
      s30 = madd(a, x0, s30);
      if (WIDE) s31 = madd(a, x1, s31);
    }
    if (COUNT > 4) {
      a = v128.load32_splat(w, 16);
      s40 = madd(a, x0, s40);
      if (WIDE) s41 = madd(a, x1, s41);
    }
    if (COUNT > 5) {
      a = v128.load32_splat(w, 20);
      s50 = madd(a, x0, s50);
      if (WIDE) s51 = madd(a, x1, s51);
    }
    w += 4 * COUNT;
    x += step;
  }
  writeRow(WIDE, y, s00, s01);
  if (COUNT > 1) writeRow(WIDE, (y += yStep), s10, s11);
  if (COUNT > 2) writeRow(WIDE, (y += yStep), s20, s21);
  if (COUNT > 3) writeRow(WIDE, (y += yStep), s30, s31);
  if (COUNT > 4) writeRow(WIDE, (y += yStep), s40, s41);
  if (COUNT > 5) writeRow(WIDE, (y += yStep), s50, s51);
}

@inline
function writeRow(WIDE: bool, y: usize, sum0: v128, sum1: v128): void {
  v128.store(y, sum0);
  if (WIDE) v128.store(y, sum1, 16);
}

// Exported so that they stay functions: in one, V8 would spill.
export function wide1(w: usize, depth: i32, x: usize, step: usize, bias: usize, y: usize, yStep: usize): void {
  multiply(1, true, w, depth, x, step, bias, y, yStep);
}
export function wide2(w: usize, depth: i32, x: usize, step: usize, bias: usize, y: usize, yStep: usize): void {
  multiply(2, true, w, depth, x, step, bias, y, yStep);
}
export function wide3(w: usize, depth: i32, x: usize, step: usize, bias: usize, y: usize, yStep: usize): void {
  multiply(3, true, w, depth, x, step, bias, y, yStep);
}
export function wide4(w: usize, depth: i32, x: usize, step: usize, bias: usize, y: usize, yStep: usize): void {
  multiply(4, true, w, depth, x, step, bias, y, yStep);
}
export function wide5(w: usize, depth: i32, x: usize, step: usize, bias: usize, y: usize, yStep: usize): void {
  multiply(5, true, w, depth, x, step, bias, y, yStep);
}
export function wide6(w: usize, depth: i32, x: usize, step: usize, bias: usize, y: usize, yStep: usize): void {
  multiply(6, true, w, depth, x, step, bias, y, yStep);
}
export function narrow1(w: usize, depth: i32, x: usize, step: usize, bias: usize, y: usize, yStep: usize): void {
  multiply(1, false, w, depth, x, step, bias, y, yStep);
}
export function narrow2(w: usize, depth: i32, x: usize, step: usize, bias: usize, y: usize, yStep: usize): void {
  multiply(2, false, w, depth, x, step, bias, y, yStep);
}
export function narrow3(w: usize, depth: i32, x: usize, step: usize, bias: usize, y: usize, yStep: usize): void {
  multiply(3, false, w, depth, x, step, bias, y, yStep);
}
export function narrow4(w: usize, depth: i32, x: usize, step: usize, bias: usize, y: usize, yStep: usize): void {
  multiply(4, false, w, depth, x, step, bias, y, yStep);
}
export function narrow5(w: usize, depth: i32, x: usize, step: usize, bias: usize, y: usize, yStep: usize): void {
  multiply(5, false, w, depth, x, step, bias, y, yStep);
}
export function narrow6(w: usize, depth: i32, x: usize, step: usize, bias: usize, y: usize, yStep: usize): void {
  multiply(6, false, w, depth, x, step, bias, y, yStep);
}

function multiplyTile(
  count: i32,
  wide: bool,
  w: usize,
  depth: i32,
  x: usize,
  step: usize,
  bias: usize,
  y: usize,
  yStep: usize,
): void {
  if (wide) {
    if (count == 4) wide4(w, depth, x, step, bias, y, yStep);
    else if (count == 1) wide1(w, depth, x, step, bias, y, yStep);
    else if (count == 2) wide2(w, depth, x, step, bias, y, yStep);
    else if (count == 3) wide3(w, depth, x, step, bias, y, yStep);
    else if (ASC_FEATURE_RELAXED_SIMD) {
      if (count == 6) wide6(w, depth, x, step, bias, y, yStep);
      else wide5(w, depth, x, step, bias, y, yStep);
    }
  } else {
    if (count == 4) narrow4(w, depth, x, step, bias, y, yStep);
    else if (count == 1) narrow1(w, depth, x, step, bias, y, yStep);
    else if (count == 2) narrow2(w, depth, x, step, bias, y, yStep);
    else if (count == 3) narrow3(w, depth, x, step, bias, y, yStep);
    else if (ASC_FEATURE_RELAXED_SIMD) {
      if (count == 6) narrow6(w, depth, x, step, bias, y, yStep);
      else narrow5(w, depth, x, step, bias, y, yStep);
    }
  }
}

/** The last pixels are a tile of 4 or 8 that ends with the map and may repeat some of its neighbour's. */
@inline
function isWide(pixel: i32, pixels: i32): bool {
  return pixels - pixel > 4;
}

@inline
function tileStart(pixel: i32, pixels: i32): i32 {
  return min(pixel, pixels - (isWide(pixel, pixels) ? PANEL : 4));
}

/** 1×1, stride 1, w × x with x where it lies: a row of the right-hand side is a map. */
export function pointwise(p: Layer): void {
  const pixels = p.height * p.width;
  const map = <usize>pixels << 2;
  for (let first = 0; first < pixels; first += p.block) {
    const end = min(first + p.block, pixels);
    for (let channel = 0; channel < p.outChannels; channel += ROWS) {
      const count = min(ROWS, p.outChannels - channel);
      const w = p.w + (<usize>(channel * p.channels) << 2);
      const bias = p.bias + (<usize>channel << 2);
      for (let pixel = first; pixel < end; pixel += PANEL) {
        const at = <usize>tileStart(pixel, pixels) << 2;
        const y = p.y + <usize>channel * map + at;
        multiplyTile(count, isWide(pixel, pixels), w, p.channels, p.x + at, map, bias, y, map);
      }
    }
  }
}

/** Any kernel and stride up to 2: w × the im2col panels [pixels / 8][channels][taps][8] of one block after the other. */
export function convolution(p: Layer): void {
  const pixels = p.outHeight * p.outWidth;
  const depth = p.channels * p.kernel * p.kernel;
  const panelBytes = <usize>depth * (4 * PANEL);
  const map = <usize>pixels << 2;
  for (let first = 0; first < pixels; first += p.block) {
    const end = min(first + p.block, pixels);
    let panel = p.scratch;
    for (let pixel = first; pixel < end; pixel += PANEL, panel += panelBytes) {
      const start = tileStart(pixel, pixels);
      packFour(p, panel, start);
      if (isWide(pixel, pixels)) packFour(p, panel + 16, start + 4);
    }
    for (let channel = 0; channel < p.outChannels; channel += ROWS) {
      const count = min(ROWS, p.outChannels - channel);
      const w = p.w + (<usize>(channel * depth) << 2);
      const bias = p.bias + (<usize>channel << 2);
      panel = p.scratch;
      for (let pixel = first; pixel < end; pixel += PANEL, panel += panelBytes) {
        const y = p.y + <usize>channel * map + (<usize>tileStart(pixel, pixels) << 2);
        multiplyTile(count, isWide(pixel, pixels), w, depth, panel, 4 * PANEL, bias, y, map);
      }
    }
  }
}

function packFour(p: Layer, to: usize, pixel: i32): void {
  const oy = pixel / p.outWidth;
  const ox = pixel % p.outWidth;
  if (ox + 4 <= p.outWidth) {
    if (p.stride == 1) packRun1(p, to, oy - p.pad, ox - p.pad);
    else packRun2(p, to, oy * p.stride - p.pad, ox * p.stride - p.pad);
    return;
  }
  for (let lane = 0; lane < 4; lane++, pixel++, to += 4) {
    packPixel(p, to, (pixel / p.outWidth) * p.stride - p.pad, (pixel % p.outWidth) * p.stride - p.pad);
  }
}

function packRun1(p: Layer, to: usize, top: i32, left: i32): void {
  packRun(1, p, to, top, left);
}
function packRun2(p: Layer, to: usize, top: i32, left: i32): void {
  packRun(2, p, to, top, left);
}

@inline
function fourAt(STRIDE: i32, x: usize): v128 {
  return STRIDE == 1 ? v128.load(x) : v128.shuffle<f32>(v128.load(x), v128.load(x, 12), 0, 2, 5, 7);
}

/** Four neighbours in a row of the output. */
@inline
function packRun(STRIDE: i32, p: Layer, to: usize, top: i32, left: i32): void {
  const kernel = p.kernel, height = p.height, width = p.width;
  const zero = f32x4.splat(0);
  let map = p.x;
  if (top >= 0 && top + kernel <= height && left >= 0 && left + 3 * STRIDE + kernel <= width) {
    let from = map + (<usize>(top * width + left) << 2);
    for (let c = p.channels; c; c--, from += <usize>((height - kernel) * width) << 2) {
      for (let ky = kernel; ky; ky--, from += <usize>width << 2) {
        for (let kx: usize = 0; kx < <usize>kernel << 2; kx += 4, to += 4 * PANEL) {
          v128.store(to, fourAt(STRIDE, from + kx));
        }
      }
    }
    return;
  }
  for (let c = p.channels; c; c--, map += <usize>(height * width) << 2) {
    for (let ky = 0, iy = top; ky < kernel; ky++, iy++) {
      const row = map + (<usize>(iy * width) << 2);
      const inside = <u32>iy < <u32>height;
      for (let kx = 0, ix = left; kx < kernel; kx++, ix++, to += 4 * PANEL) {
        if (!inside) {
          v128.store(to, zero);
        } else if (ix >= 0 && ix + 3 * STRIDE < width) {
          v128.store(to, fourAt(STRIDE, row + (<usize>ix << 2)));
        } else {
          for (let lane = 0, i = ix; lane < 4; lane++, i += STRIDE) {
            const value: f32 = <u32>i < <u32>width ? load<f32>(row + (<usize>i << 2)) : 0;
            store<f32>(to + (<usize>lane << 2), value);
          }
        }
      }
    }
  }
}

function packPixel(p: Layer, to: usize, top: i32, left: i32): void {
  const kernel = p.kernel, height = p.height, width = p.width;
  let map = p.x;
  if (top >= 0 && top + kernel <= height && left >= 0 && left + kernel <= width) {
    let from = map + (<usize>(top * width + left) << 2);
    for (let c = p.channels; c; c--, from += <usize>((height - kernel) * width) << 2) {
      for (let ky = kernel; ky; ky--, from += <usize>width << 2) {
        for (let kx: usize = 0; kx < <usize>kernel << 2; kx += 4, to += 4 * PANEL) store<f32>(to, load<f32>(from + kx));
      }
    }
    return;
  }
  for (let c = p.channels; c; c--, map += <usize>(height * width) << 2) {
    for (let ky = 0, iy = top; ky < kernel; ky++, iy++) {
      const row = map + (<usize>(iy * width) << 2);
      const inside = <u32>iy < <u32>height;
      for (let kx = 0, ix = left; kx < kernel; kx++, ix++, to += 4 * PANEL) {
        store<f32>(to, inside && <u32>ix < <u32>width ? load<f32>(row + (<usize>ix << 2)) : 0);
      }
    }
  }
}

/**
 * 3×3, pad 1, along the rows: stride 1 from 5 columns and 2 rows on, stride 2 on maps of even size from 8 on. Rows outside
 * the map are a row of zeros; columns outside are shifted in.
 */
export function depthwise(p: Layer): void {
  const map = <usize>(p.height * p.width) << 2;
  const outMap = <usize>(p.outHeight * p.outWidth) << 2;
  let x = p.x, y = p.y, w = p.w, bias = p.bias;
  for (let c = p.channels; c; c--, x += map, y += outMap, w += 36, bias += 4) {
    if (p.stride == 1) depthwiseMap1(p, x, y, w, bias);
    else depthwiseMap2(p, x, y, w, bias);
  }
}

@inline
function rowAt(p: Layer, x: usize, row: i32): usize {
  return <u32>row < <u32>p.height ? x + (<usize>(row * p.width) << 2) : p.scratch;
}

/** Columns west of the four at x; the first four have the padding there. */
@inline
function west(FIRST: bool, x: usize): v128 {
  return FIRST ? v128.shuffle<f32>(f32x4.splat(0), v128.load(x), 0, 4, 5, 6) : v128.load(x - 4);
}

@inline
function east(LAST: bool, x: usize): v128 {
  return LAST ? v128.shuffle<f32>(v128.load(x), f32x4.splat(0), 1, 2, 3, 4) : v128.load(x, 4);
}

/** Four columns of two rows of the output, which share two of their four rows of x. */
@inline
function twoRows(
  FIRST: bool,
  LAST: bool,
  at: usize,
  x0: usize,
  x1: usize,
  x2: usize,
  x3: usize,
  w0: v128,
  w1: v128,
  w2: v128,
  w3: v128,
  w4: v128,
  w5: v128,
  w6: v128,
  w7: v128,
  w8: v128,
  bias: v128,
  y: usize,
  yStep: usize,
): void {
  let upper = bias, lower = bias;
  let v = west(FIRST, x0 + at);
  upper = madd(v, w0, upper);
  v = v128.load(x0 + at);
  upper = madd(v, w1, upper);
  v = east(LAST, x0 + at);
  upper = madd(v, w2, upper);
  v = west(FIRST, x1 + at);
  upper = madd(v, w3, upper);
  lower = madd(v, w0, lower);
  v = v128.load(x1 + at);
  upper = madd(v, w4, upper);
  lower = madd(v, w1, lower);
  v = east(LAST, x1 + at);
  upper = madd(v, w5, upper);
  lower = madd(v, w2, lower);
  v = west(FIRST, x2 + at);
  upper = madd(v, w6, upper);
  lower = madd(v, w3, lower);
  v = v128.load(x2 + at);
  upper = madd(v, w7, upper);
  lower = madd(v, w4, lower);
  v = east(LAST, x2 + at);
  upper = madd(v, w8, upper);
  lower = madd(v, w5, lower);
  lower = madd(west(FIRST, x3 + at), w6, lower);
  lower = madd(v128.load(x3 + at), w7, lower);
  lower = madd(east(LAST, x3 + at), w8, lower);
  v128.store(y + at, upper);
  v128.store(y + yStep + at, lower);
}

function depthwiseMap1(p: Layer, x: usize, y: usize, w: usize, bias: usize): void {
  const step = <usize>p.width << 2;
  const w0 = v128.load32_splat(w), w1 = v128.load32_splat(w, 4), w2 = v128.load32_splat(w, 8);
  const w3 = v128.load32_splat(w, 12), w4 = v128.load32_splat(w, 16), w5 = v128.load32_splat(w, 20);
  const w6 = v128.load32_splat(w, 24), w7 = v128.load32_splat(w, 28), w8 = v128.load32_splat(w, 32);
  const b = v128.load32_splat(bias);
  const last = step - 16;
  for (let pair = 0; pair < p.outHeight; pair += 2) {
    const oy = min(pair, p.outHeight - 2);
    const x0 = rowAt(p, x, oy - 1), x1 = rowAt(p, x, oy), x2 = rowAt(p, x, oy + 1), x3 = rowAt(p, x, oy + 2);
    const to = y + <usize>oy * step;
    twoRows(true, false, 0, x0, x1, x2, x3, w0, w1, w2, w3, w4, w5, w6, w7, w8, b, to, step);
    for (let at: usize = 16; at < last; at += 16) {
      twoRows(false, false, at, x0, x1, x2, x3, w0, w1, w2, w3, w4, w5, w6, w7, w8, b, to, step);
    }
    twoRows(false, true, last, x0, x1, x2, x3, w0, w1, w2, w3, w4, w5, w6, w7, w8, b, to, step);
  }
}

/** One row of the kernel on every other column: eight values, parted into even and odd ones. */
@inline
function everyOther(FIRST: bool, x: usize, w0: v128, w1: v128, w2: v128, sum: v128): v128 {
  const low = v128.load(x), high = v128.load(x, 16);
  const even = v128.shuffle<f32>(low, high, 0, 2, 4, 6);
  const odd = v128.shuffle<f32>(low, high, 1, 3, 5, 7);
  const before = FIRST
    ? v128.shuffle<f32>(f32x4.splat(0), odd, 0, 4, 5, 6)
    : v128.shuffle<f32>(v128.load(x - 4), v128.load(x, 12), 0, 2, 4, 6);
  return madd(odd, w2, madd(even, w1, madd(before, w0, sum)));
}

@inline
function everyOtherOf3(
  FIRST: bool,
  at: usize,
  x0: usize,
  x1: usize,
  x2: usize,
  w0: v128,
  w1: v128,
  w2: v128,
  w3: v128,
  w4: v128,
  w5: v128,
  w6: v128,
  w7: v128,
  w8: v128,
  bias: v128,
  y: usize,
): void {
  let sum = everyOther(FIRST, x0 + 2 * at, w0, w1, w2, bias);
  sum = everyOther(FIRST, x1 + 2 * at, w3, w4, w5, sum);
  sum = everyOther(FIRST, x2 + 2 * at, w6, w7, w8, sum);
  v128.store(y + at, sum);
}

function depthwiseMap2(p: Layer, x: usize, y: usize, w: usize, bias: usize): void {
  const step = <usize>p.outWidth << 2;
  const w0 = v128.load32_splat(w), w1 = v128.load32_splat(w, 4), w2 = v128.load32_splat(w, 8);
  const w3 = v128.load32_splat(w, 12), w4 = v128.load32_splat(w, 16), w5 = v128.load32_splat(w, 20);
  const w6 = v128.load32_splat(w, 24), w7 = v128.load32_splat(w, 28), w8 = v128.load32_splat(w, 32);
  const b = v128.load32_splat(bias);
  const last = step - 16;
  for (let oy = 0; oy < p.outHeight; oy++, y += step) {
    const x0 = rowAt(p, x, 2 * oy - 1), x1 = rowAt(p, x, 2 * oy), x2 = rowAt(p, x, 2 * oy + 1);
    everyOtherOf3(true, 0, x0, x1, x2, w0, w1, w2, w3, w4, w5, w6, w7, w8, b, y);
    for (let at: usize = 16; at < last; at += 16) {
      everyOtherOf3(false, at, x0, x1, x2, w0, w1, w2, w3, w4, w5, w6, w7, w8, b, y);
    }
    everyOtherOf3(false, last, x0, x1, x2, w0, w1, w2, w3, w4, w5, w6, w7, w8, b, y);
  }
}
