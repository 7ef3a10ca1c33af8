import { ceilDiv } from '../ceil-div';
import { activateRun, Activation } from '../epilogue';
import { loadLanes, storeLanes } from '../lanes';
import { clamp } from '../math/clamp';
import { madd } from '../math/madd';

// Group normalization of x [batch][pixels][channels] in three launches: groupMoments and groupNorm process x by blocks of pixels;
// groupCoefficients combines the blocks' moments in f64. Instance normalization has as many groups as channels, layer normalization over
// the whole image has one.

export const enum GroupNorm {
  /** Pixels in a tile of groupMoments and groupNorm; 16 channels of them at a time stay in L1 for the second pass. */
  BlockPixels = 128,
}

/**
 * moments [batch][blocks][3][channels]: for each block of pixels and each channel, a center m near its mean, Σ(x − m) and Σ(x − m)²; blocks
 * = ceil(pixels / GroupNorm.BlockPixels). Pixels of x lie `xPixelStride` floats apart.
 * A tile is one block: tiles = batch·blocks.
 */
@unmanaged
export class GroupMomentsParams {
  x: usize = 0;
  moments: usize = 0;
  batch: i32 = 0;
  pixels: i32 = 0;
  channels: i32 = 0;
  xPixelStride: i32 = 0;
}

/**
 * Turns moments from groupMoments into coefficients [batch][3][channels]: center, factor and offset, such that (x − center)·factor + offset
 * is x normalized over its group, times scale, plus bias (both [channels]).
 * A tile is one group of one image: tiles = batch·groups.
 */
@unmanaged
export class GroupCoefficientsParams {
  moments: usize = 0;
  scale: usize = 0;
  bias: usize = 0;
  coefficients: usize = 0;
  batch: i32 = 0;
  pixels: i32 = 0;
  channels: i32 = 0;
  groups: i32 = 0;
  epsilon: f32 = 0;
}

/**
 * y = activate((x − center)·factor + offset), coefficients by image and channel from groupCoefficients; y may be x.
 * Pixels of x and y lie `xPixelStride` and `yPixelStride` floats apart.
 * A tile is one block: tiles = batch·ceil(pixels / GroupNorm.BlockPixels).
 */
@unmanaged
export class GroupNormParams {
  x: usize = 0;
  coefficients: usize = 0;
  y: usize = 0;
  batch: i32 = 0;
  pixels: i32 = 0;
  channels: i32 = 0;
  xPixelStride: i32 = 0;
  yPixelStride: i32 = 0;
  activation: i32 = Activation.None;
  alpha: f32 = 0;
  beta: f32 = 0;
}

@inline
function blocksOf(pixels: i32): i32 {
  return ceilDiv(pixels, GroupNorm.BlockPixels);
}

@inline
function pixelsOfBlock(block: i32, pixels: i32): i32 {
  return min<i32>(GroupNorm.BlockPixels, pixels - block * GroupNorm.BlockPixels);
}

export function groupMoments(p: GroupMomentsParams, begin: i32, end: i32): void {
  const blocks = blocksOf(p.pixels);
  const channelBytes = <usize>p.channels << 2;
  const step = <usize>p.xPixelStride << 2;
  for (let tile = begin; tile < end; tile++) {
    const image = tile / blocks;
    const block = tile - image * blocks;
    const count = pixelsOfBlock(block, p.pixels);
    let x = p.x + (<usize>image * p.pixels + block * GroupNorm.BlockPixels) * step;
    let to = p.moments + <usize>tile * 3 * channelBytes;
    let lanes = p.channels;
    for (; lanes >= 16; lanes -= 16, x += 64, to += 64) momentsOf16(x, step, count, to, channelBytes);
    for (; lanes > 0; lanes -= 4, x += 16, to += 16) momentsOf4(x, step, count, to, channelBytes, lanes);
  }
}

function momentsOf16(x: usize, step: usize, count: i32, to: usize, channelBytes: usize): void {
  let a0 = f32x4.splat(0);
  let a1 = a0;
  let a2 = a0;
  let a3 = a0;
  let at = x;
  for (let i = count; i > 0; i--, at += step) {
    a0 = f32x4.add(a0, v128.load(at));
    a1 = f32x4.add(a1, v128.load(at, 16));
    a2 = f32x4.add(a2, v128.load(at, 32));
    a3 = f32x4.add(a3, v128.load(at, 48));
  }
  const n = f32x4.splat(<f32>count);
  const m0 = f32x4.div(a0, n);
  const m1 = f32x4.div(a1, n);
  const m2 = f32x4.div(a2, n);
  const m3 = f32x4.div(a3, n);
  store4(to, m0, m1, m2, m3);

  let q0 = f32x4.splat(0);
  let q1 = q0;
  let q2 = q0;
  let q3 = q0;
  a0 = q0;
  a1 = q0;
  a2 = q0;
  a3 = q0;
  at = x;
  for (let i = count; i > 0; i--, at += step) {
    const d0 = f32x4.sub(v128.load(at), m0);
    const d1 = f32x4.sub(v128.load(at, 16), m1);
    const d2 = f32x4.sub(v128.load(at, 32), m2);
    const d3 = f32x4.sub(v128.load(at, 48), m3);
    a0 = f32x4.add(a0, d0);
    a1 = f32x4.add(a1, d1);
    a2 = f32x4.add(a2, d2);
    a3 = f32x4.add(a3, d3);
    q0 = madd(d0, d0, q0);
    q1 = madd(d1, d1, q1);
    q2 = madd(d2, d2, q2);
    q3 = madd(d3, d3, q3);
  }
  store4(to + channelBytes, a0, a1, a2, a3);
  store4(to + 2 * channelBytes, q0, q1, q2, q3);
}

@inline
function store4(to: usize, v0: v128, v1: v128, v2: v128, v3: v128): void {
  v128.store(to, v0);
  v128.store(to, v1, 16);
  v128.store(to, v2, 32);
  v128.store(to, v3, 48);
}

function momentsOf4(x: usize, step: usize, count: i32, to: usize, channelBytes: usize, lanes: i32): void {
  let sum = f32x4.splat(0);
  let at = x;
  for (let i = count; i > 0; i--, at += step) sum = f32x4.add(sum, loadLanes(at, lanes));
  const center = f32x4.div(sum, f32x4.splat(<f32>count));
  sum = f32x4.splat(0);
  let squares = sum;
  at = x;
  for (let i = count; i > 0; i--, at += step) {
    const d = f32x4.sub(loadLanes(at, lanes), center);
    sum = f32x4.add(sum, d);
    squares = madd(d, d, squares);
  }
  storeLanes(to, center, lanes);
  storeLanes(to + channelBytes, sum, lanes);
  storeLanes(to + 2 * channelBytes, squares, lanes);
}

export function groupCoefficients(p: GroupCoefficientsParams, begin: i32, end: i32): void {
  const width = p.channels / p.groups;
  const channelBytes = <usize>p.channels << 2;
  const blocks = blocksOf(p.pixels);
  const count = <f64>p.pixels * <f64>width;
  for (let tile = begin; tile < end; tile++) {
    const image = tile / p.groups;
    const first = (tile - image * p.groups) * width;
    const moments = p.moments + <usize>(image * blocks) * 3 * channelBytes + (<usize>first << 2);
    const mean = sumOf(moments, p.pixels, width, channelBytes) / count;
    const variance = squaresAround(mean, moments, p.pixels, width, channelBytes) / count;
    const deviation = Math.sqrt(variance + <f64>p.epsilon);
    const center = <f32>mean;
    for (let c = first; c < first + width; c++) {
      const at = <usize>c << 2;
      const factor = <f64>load<f32>(p.scale + at) / deviation;
      const to = p.coefficients + <usize>image * 3 * channelBytes + at;
      store<f32>(to, center);
      store<f32>(to + channelBytes, <f32>factor);
      store<f32>(to + 2 * channelBytes, <f32>(<f64>load<f32>(p.bias + at) - (mean - <f64>center) * factor));
    }
  }
}

/** Σx of one group, from its blocks. */
function sumOf(moments: usize, pixels: i32, width: i32, channelBytes: usize): f64 {
  let sum: f64 = 0;
  for (let block = 0; block < blocksOf(pixels); block++, moments += 3 * channelBytes) {
    const n = <f64>pixelsOfBlock(block, pixels);
    for (let at = moments; at < moments + (<usize>width << 2); at += 4) {
      sum += n * <f64>load<f32>(at) + <f64>load<f32>(at + channelBytes);
    }
  }
  return sum;
}

/** Σ(x − mean)² = Σ(x − m)² + 2(m − mean)·Σ(x − m) + n(m − mean)², where m is each block's center. */
function squaresAround(mean: f64, moments: usize, pixels: i32, width: i32, channelBytes: usize): f64 {
  let sum: f64 = 0;
  for (let block = 0; block < blocksOf(pixels); block++, moments += 3 * channelBytes) {
    const n = <f64>pixelsOfBlock(block, pixels);
    for (let at = moments; at < moments + (<usize>width << 2); at += 4) {
      const shift = <f64>load<f32>(at) - mean;
      sum += <f64>load<f32>(at + 2 * channelBytes) + shift * (2 * <f64>load<f32>(at + channelBytes) + n * shift);
    }
  }
  return sum;
}

export function groupNorm(p: GroupNormParams, begin: i32, end: i32): void {
  const blocks = blocksOf(p.pixels);
  const clips = p.activation == Activation.Clip;
  const low = clips ? p.alpha : -Infinity;
  const high = clips ? p.beta : Infinity;
  const channelBytes = <usize>p.channels << 2;
  for (let tile = begin; tile < end; tile++) {
    const image = tile / blocks;
    const block = tile - image * blocks;
    const pixel = <usize>image * p.pixels + block * GroupNorm.BlockPixels;
    const coefficients = p.coefficients + <usize>image * 3 * channelBytes;
    let x = p.x + (pixel * p.xPixelStride << 2);
    let y = p.y + (pixel * p.yPixelStride << 2);
    for (let i = pixelsOfBlock(block, p.pixels); i > 0; i--) {
      normalize(x, coefficients, y, p.channels, low, high);
      if (p.activation > Activation.Clip) activateRun(y, p.channels, p.activation, p.alpha, p.beta);
      x += <usize>p.xPixelStride << 2;
      y += <usize>p.yPixelStride << 2;
    }
  }
}

@inline
function normalize(x: usize, coefficients: usize, y: usize, channels: i32, low: f32, high: f32): void {
  const factors = coefficients + (<usize>channels << 2);
  const offsets = factors + (<usize>channels << 2);
  const whole = <usize>(channels & ~3) << 2;
  for (let at: usize = 0; at < whole; at += 16) {
    const d = f32x4.sub(v128.load(x + at), v128.load(coefficients + at));
    v128.store(y + at, clamp(madd(d, v128.load(factors + at), v128.load(offsets + at)), low, high));
  }
  const lanes = channels & 3;
  if (!lanes) return;
  const d = f32x4.sub(loadLanes(x + whole, lanes), loadLanes(coefficients + whole, lanes));
  const z = madd(d, loadLanes(factors + whole, lanes), loadLanes(offsets + whole, lanes));
  storeLanes(y + whole, clamp(z, low, high), lanes);
}
