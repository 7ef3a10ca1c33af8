import { ceilDiv } from '../ceil-div';
import { scratch } from '../program';
import { integerBlock, stagedRows } from './integer-block';
import {
  BLOCK_COLUMNS, highest, IntegerEpilogue, IntegerResult, lessColumns, lowest, movement, narrowed, offsetsFor, PANEL, PANEL_HEAD, placeOf, RAGGED,
  readColumns, rounding, scaleOf, signFlip, startOf, storeEight, unstageRows, zeroAt,
} from './integer-epilogue';
import { dot, weights } from './integer-microkernel';
import { panelBytesOf } from './integer-pack';

/**
 * Depthwise convolution of 8-bit integers, channels last: y[n,oy,ox,c] = finish(Σ (x − xZero) · (w[c] − wZero)); x is xZero outside. Fields
 * are those of `depthwiseConvolution`. packIntegers packs w with one column per channel; its taps are the kernel's width and its channels
 * the kernel's height, in groups of their own.
 * A tile is `tilePixels` output pixels in memory order: tiles = ceil(batch·outHeight·outWidth / tilePixels).
 */
@unmanaged
export class IntegerDepthwiseParams extends IntegerEpilogue {
  x: usize = 0;
  w: usize = 0;
  y: usize = 0;
  dots: i32 = 0;
  batch: i32 = 0;
  channels: i32 = 0;
  height: i32 = 0;
  width: i32 = 0;
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
  tilePixels: i32 = 0;
}

/** Channels convolved at once. */
const LANES: i32 = 16;

/** Bytes of one group of taps of a column: four 8-bit or two 16-bit values, adjacent for each channel. */
const GROUP: usize = 64;

/**
 * State shared by the pixels of a tile, in scratch; followed by zero points, sums of x, the columns of a line, and ones as weights. A
 * column is the vertical taps at one position of x, interleaved once for all pixels that read them.
 */
@unmanaged
class Line {
  flip: i32 = 0;
  signed: i32 = 0;
  /** Groups in a column. */
  down: i32 = 0;
  /** Bytes of a column, and from a pixel to the next. */
  column: usize = 0;
  step: usize = 0;
  /** Adjacent columns of a pixel are one run of groups. */
  runs: i32 = 0;
  groups: i32 = 0;
  /** Bytes from one run to the next. */
  across: usize = 0;
  panelBytes: usize = 0;
}

const ZEROS: usize = 64;
const OTHERS: usize = ZEROS + 16;
const COLUMNS: usize = OTHERS + 4 * 16;
const COLUMNS_BYTES: usize = 512 << 10;
const ONES: usize = COLUMNS + COLUMNS_BYTES;

/** Bytes of columns that stay in the L1 cache next to x. */
const RESIDENT: i32 = 16 << 10;

/** Limit of groups that one pixel may read: columns · ceil(kernelHeight / 2). */
export const enum IntegerDepthwise {
  Groups = 8192,
}

export function integerDepthwise(p: IntegerDepthwiseParams, begin: i32, end: i32): void {
  const taps = p.kernelHeight * p.kernelWidth;
  const block = integerBlock(p.dots, p, taps);
  const quads = ASC_FEATURE_RELAXED_SIMD && block.quads != 0;
  const xZero = zeroAt(p.xZero, 0, 0, p.xSigned);
  const line = lineOf(p, quads, block.flip, xZero);
  const last = min(end * p.tilePixels, p.batch * p.outHeight * p.outWidth);
  const shift = block.flip ? (p.xSigned ? 128 : -128) : 0;
  const size: usize = p.result == IntegerResult.Narrow ? 1 : 4;
  const most = max(1, (RESIDENT / <i32>line.column - (p.kernelWidth - 1) * p.dilationWidth - 1) / p.strideWidth + 1);
  for (let first = 0; first < p.channels; first += BLOCK_COLUMNS) {
    const columns = min(BLOCK_COLUMNS, p.channels - first);
    const w = p.w + <usize>(first / PANEL) * line.panelBytes;
    const other = readColumns(p, w, line.panelBytes, first, columns, taps, p.wSigned ? 0 : 128);
    offsetsFor(p, columns, xZero + shift);
    for (let pixel = begin * p.tilePixels; pixel < last; ) {
      const ox = pixel % p.outWidth;
      const count = min(min(p.outWidth - ox, last - pixel), most);
      const y = p.y + (<usize>pixel * <usize>p.channels + <usize>first) * size;
      for (let c = 0; c < columns; c += LANES) {
        interleave(p, line, quads, pixel / p.outWidth, ox, count, first + c, min(LANES, columns - c));
        const own = w + <usize>(c / PANEL) * line.panelBytes + PANEL_HEAD;
        convolveLine(p, line, quads, own, c, columns - c, count, y + <usize>c * size, <usize>p.channels * size, other);
      }
      pixel += count;
    }
  }
}

function lineOf(p: IntegerDepthwiseParams, quads: bool, flip: i32, xZero: i32): Line {
  const group = quads ? 4 : 2;
  const line = changetype<Line>(stagedRows());
  line.flip = flip;
  line.signed = p.xSigned;
  line.down = ceilDiv(p.kernelHeight, group);
  line.column = <usize>line.down * GROUP;
  line.step = <usize>p.strideWidth * line.column;
  line.runs = p.dilationWidth == 1 ? 1 : p.kernelWidth;
  line.groups = p.dilationWidth == 1 ? p.kernelWidth * line.down : line.down;
  line.across = <usize>p.dilationWidth * line.column;
  line.panelBytes = panelBytesOf(p.kernelWidth * line.down * group, group);
  v128.store(stagedRows() + ZEROS, i8x16.splat(<i8>xZero));
  const ones = stagedRows() + ONES;
  const bytes = group * PANEL;
  for (let g = 0; g < p.kernelWidth * line.down; g++) {
    for (let i = 0; i < bytes; i++) {
      const within = (g % line.down) * group + (i % group) < p.kernelHeight;
      store<u8>(ones + <usize>(g * bytes + i), within ? 1 : 0);
    }
  }
  return line;
}

/** Loads sixteen channels at an address, or `count` if there are fewer. */
@inline
function bytesAt(WHOLE: bool, at: usize, count: i32): v128 {
  if (WHOLE) return v128.load(at);
  let low: u64 = 0, high: u64 = 0;
  for (let i = 0; i < min(count, 8); i++) low |= <u64>load<u8>(at + <usize>i) << (<u64>i << 3);
  for (let i = 8; i < count; i++) high |= <u64>load<u8>(at + <usize>i) << (<u64>(i - 8) << 3);
  return i64x2.replace_lane(i64x2.splat(low), 1, high);
}

/** Interleaves the columns that pixels ox… of a line read, for channels `first`…; zero points outside x. */
function interleave(
  p: IntegerDepthwiseParams, line: Line, quads: bool, outLine: i32, ox: i32, count: i32, first: i32, lanes: i32,
): void {
  const image = outLine / p.outHeight;
  const top = (outLine - image * p.outHeight) * p.strideHeight - p.padTop;
  const left = ox * p.strideWidth - p.padLeft;
  const columns = (count - 1) * p.strideWidth + (p.kernelWidth - 1) * p.dilationWidth + 1;
  const before = min(max(-left, 0), columns);
  const inside = max(min(columns, p.width - left) - before, 0);
  const from = p.x + <usize>image * <usize>(p.height * p.width * p.channels) + <usize>((left + before) * p.channels + first);
  const group = quads ? 4 : 2;
  for (let v = 0; v < line.down; v++) {
    let to = stagedRows() + COLUMNS + <usize>v * GROUP;
    const ky = v * group;
    const r0 = rowAt(p, from, top, ky), r1 = rowAt(p, from, top, ky + 1);
    if (quads) {
      const r2 = rowAt(p, from, top, ky + 2), r3 = rowAt(p, from, top, ky + 3);
      to = quadColumns(p, line, to, 0, 0, 0, 0, before, lanes);
      to = quadColumns(p, line, to, r0, r1, r2, r3, inside, lanes);
      quadColumns(p, line, to, 0, 0, 0, 0, columns - before - inside, lanes);
    } else {
      to = pairColumns(p, line, to, 0, 0, before, lanes);
      to = pairColumns(p, line, to, r0, r1, inside, lanes);
      pairColumns(p, line, to, 0, 0, columns - before - inside, lanes);
    }
  }
}

/** Address of the row of tap `ky`; 0 outside x. */
@inline
function rowAt(p: IntegerDepthwiseParams, from: usize, top: i32, ky: i32): usize {
  const y = top + ky * p.dilationHeight;
  return ky < p.kernelHeight && <u32>y < <u32>p.height ? from + <usize>(y * p.width * p.channels) : 0;
}

@inline
function interleaveQuads(
  WHOLE: bool, p: IntegerDepthwiseParams, line: Line, to: usize, r0: usize, r1: usize, r2: usize, r3: usize, count: i32, lanes: i32,
): usize {
  const flip = i8x16.splat(<i8>line.flip);
  const zeros = stagedRows() + ZEROS;
  const step = <usize>p.channels;
  const s0 = r0 ? step : 0, s1 = r1 ? step : 0, s2 = r2 ? step : 0, s3 = r3 ? step : 0;
  if (!r0) r0 = zeros;
  if (!r1) r1 = zeros;
  if (!r2) r2 = zeros;
  if (!r3) r3 = zeros;
  for (; count > 0; count--, to += line.column) {
    const x0 = v128.xor(flip, bytesAt(WHOLE, r0, lanes)), x1 = v128.xor(flip, bytesAt(WHOLE, r1, lanes));
    const x2 = v128.xor(flip, bytesAt(WHOLE, r2, lanes)), x3 = v128.xor(flip, bytesAt(WHOLE, r3, lanes));
    const a = v128.shuffle<u8>(x0, x1, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const b = v128.shuffle<u8>(x2, x3, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const c = v128.shuffle<u8>(x0, x1, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    const d = v128.shuffle<u8>(x2, x3, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    storePairs(to, a, b, c, d);
    r0 += s0;
    r1 += s1;
    r2 += s2;
    r3 += s3;
  }
  return to;
}

/** Stores words of a and b interleaved, then those of c and d. */
@inline
function storePairs(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(to, v128.shuffle<u16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to, v128.shuffle<u16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  v128.store(to, v128.shuffle<u16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11), 32);
  v128.store(to, v128.shuffle<u16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15), 48);
}

@inline
function interleavePairs(
  WHOLE: bool, p: IntegerDepthwiseParams, line: Line, to: usize, r0: usize, r1: usize, count: i32, lanes: i32,
): usize {
  const zeros = stagedRows() + ZEROS;
  const step = <usize>p.channels;
  const s0 = r0 ? step : 0, s1 = r1 ? step : 0;
  const signed = line.signed != 0;
  if (!r0) r0 = zeros;
  if (!r1) r1 = zeros;
  for (; count > 0; count--, to += line.column) {
    const x0 = bytesAt(WHOLE, r0, lanes), x1 = bytesAt(WHOLE, r1, lanes);
    if (signed) {
      storePairs(to, i16x8.extend_low_i8x16_s(x0), i16x8.extend_low_i8x16_s(x1), i16x8.extend_high_i8x16_s(x0), i16x8.extend_high_i8x16_s(x1));
    } else {
      storePairs(to, i16x8.extend_low_i8x16_u(x0), i16x8.extend_low_i8x16_u(x1), i16x8.extend_high_i8x16_u(x0), i16x8.extend_high_i8x16_u(x1));
    }
    r0 += s0;
    r1 += s1;
  }
  return to;
}

function quadColumns(
  p: IntegerDepthwiseParams, line: Line, to: usize, r0: usize, r1: usize, r2: usize, r3: usize, count: i32, lanes: i32,
): usize {
  if (lanes == LANES) return interleaveQuads(true, p, line, to, r0, r1, r2, r3, count, lanes);
  return interleaveQuads(false, p, line, to, r0, r1, r2, r3, count, lanes);
}

function pairColumns(p: IntegerDepthwiseParams, line: Line, to: usize, r0: usize, r1: usize, count: i32, lanes: i32): usize {
  if (lanes == LANES) return interleavePairs(true, p, line, to, r0, r1, count, lanes);
  return interleavePairs(false, p, line, to, r0, r1, count, lanes);
}

/** Convolves pixels of a line, for sixteen channels whose columns are interleaved, or `channels` if there are fewer. */
function convolveLine(
  p: IntegerDepthwiseParams, line: Line, quads: bool, w: usize, c: i32, channels: i32, count: i32, y: usize, yStride: usize, other: bool,
): void {
  const lanes = min(LANES, channels);
  const size: usize = p.result == IntegerResult.Narrow ? 1 : 4;
  const at = placeOf(c);
  const second = lanes > PANEL ? line.panelBytes : 0;
  let x = stagedRows() + COLUMNS;
  if (lanes == LANES && !other) {
    const pairs = count >> 1;
    if (quads) twoQuads(p, line, x, w, second, at, y, yStride, pairs);
    else twoPairs(p, line, x, w, second, at, y, yStride, pairs);
    x += <usize>(2 * pairs) * line.step;
    y += <usize>(2 * pairs) * yStride;
    count &= 1;
  }
  for (; count; count--, x += line.step, y += yStride) {
    if (other) sumTaps(line, quads, x);
    const to = lanes < LANES ? scratch + RAGGED : y;
    if (quads) oneQuads(p, line, x, w, second, at, to, other);
    else onePairs(p, line, x, w, second, at, to, other);
    if (lanes < LANES) unstageRows(y, 0, 1, 0, <usize>lanes * size);
  }
}

function sumTaps(line: Line, quads: bool, x: usize): void {
  const others = stagedRows() + OTHERS;
  if (quads) sumsOf(true, line, x, others);
  else sumsOf(false, line, x, others);
}

@inline
function sumsOf(QUADS: bool, line: Line, x: usize, to: usize): void {
  let s0 = i32x4.splat(0), s1 = s0, s2 = s0, s3 = s0;
  let w = stagedRows() + ONES;
  for (let run = line.runs; run; run--, x += line.across) {
    let from = x;
    for (let g = line.groups; g; g--, from += GROUP, w += QUADS ? 32 : 16) {
      const one = weights(QUADS, w);
      s0 = dot(QUADS, v128.load(from), one, s0);
      s1 = dot(QUADS, v128.load(from, 16), one, s1);
      s2 = dot(QUADS, v128.load(from, 32), one, s2);
      s3 = dot(QUADS, v128.load(from, 48), one, s3);
    }
  }
  v128.store(to, s0);
  v128.store(to, s1, 16);
  v128.store(to, s2, 32);
  v128.store(to, s3, 48);
}

@inline
function storeSixteen(p: IntegerDepthwiseParams, at: usize, y: usize, s0: v128, s1: v128, s2: v128, s3: v128): void {
  if (p.result == IntegerResult.Narrow) {
    const low = lowest(), high = highest(), round = rounding(), moved = movement();
    const a = narrowed(s0, s1, scaleOf(at), scaleOf(at + 16), low, high, round, moved);
    const b = narrowed(s2, s3, scaleOf(at + 32), scaleOf(at + 48), low, high, round, moved);
    v128.store(y, v128.xor(i8x16.narrow_i16x8_s(a, b), signFlip()));
  } else {
    storeEight(p, at, y, s0, s1);
    storeEight(p, at + 32, y + 32, s2, s3);
  }
}

@inline
function convolveOne(QUADS: bool, p: IntegerDepthwiseParams, line: Line, x: usize, w: usize, second: usize, at: usize, y: usize, other: bool): void {
  let s0 = startOf(at), s1 = startOf(at + 16), s2 = startOf(at + 32), s3 = startOf(at + 48);
  if (other) {
    const sums = stagedRows() + OTHERS;
    s0 = lessColumns(s0, v128.load(sums), at);
    s1 = lessColumns(s1, v128.load(sums, 16), at + 16);
    s2 = lessColumns(s2, v128.load(sums, 32), at + 32);
    s3 = lessColumns(s3, v128.load(sums, 48), at + 48);
  }
  const half: usize = QUADS ? 16 : 8;
  let v = w + second;
  for (let run = line.runs; run; run--, x += line.across) {
    let from = x;
    for (let g = line.groups; g; g--, from += GROUP, w += 2 * half, v += 2 * half) {
      s0 = dot(QUADS, v128.load(from), weights(QUADS, w), s0);
      s1 = dot(QUADS, v128.load(from, 16), weights(QUADS, w + half), s1);
      s2 = dot(QUADS, v128.load(from, 32), weights(QUADS, v), s2);
      s3 = dot(QUADS, v128.load(from, 48), weights(QUADS, v + half), s3);
    }
  }
  storeSixteen(p, at, y, s0, s1, s2, s3);
}

/** Two adjacent pixels at a time share the weights. */
@inline
function convolveTwo(
  QUADS: bool, p: IntegerDepthwiseParams, line: Line, x: usize, w: usize, second: usize, at: usize, y: usize, yStride: usize, pairs: i32,
): void {
  const half: usize = QUADS ? 16 : 8;
  const step = line.step, across = line.across, runs = line.runs, groups = line.groups;
  for (; pairs; pairs--, x += 2 * step, y += 2 * yStride) {
    let s0 = startOf(at), s1 = startOf(at + 16), s2 = startOf(at + 32), s3 = startOf(at + 48);
    let t0 = s0, t1 = s1, t2 = s2, t3 = s3;
    let u = w, v = w + second, left = x;
    for (let run = runs; run; run--, left += across) {
      let from = left, next = left + step;
      for (let g = groups; g; g--, from += GROUP, next += GROUP, u += 2 * half, v += 2 * half) {
        let own = weights(QUADS, u);
        s0 = dot(QUADS, v128.load(from), own, s0);
        t0 = dot(QUADS, v128.load(next), own, t0);
        own = weights(QUADS, u + half);
        s1 = dot(QUADS, v128.load(from, 16), own, s1);
        t1 = dot(QUADS, v128.load(next, 16), own, t1);
        own = weights(QUADS, v);
        s2 = dot(QUADS, v128.load(from, 32), own, s2);
        t2 = dot(QUADS, v128.load(next, 32), own, t2);
        own = weights(QUADS, v + half);
        s3 = dot(QUADS, v128.load(from, 48), own, s3);
        t3 = dot(QUADS, v128.load(next, 48), own, t3);
      }
    }
    storeSixteen(p, at, y, s0, s1, s2, s3);
    storeSixteen(p, at, y + yStride, t0, t1, t2, t3);
  }
}

function oneQuads(p: IntegerDepthwiseParams, line: Line, x: usize, w: usize, second: usize, at: usize, y: usize, other: bool): void {
  convolveOne(true, p, line, x, w, second, at, y, other);
}
function onePairs(p: IntegerDepthwiseParams, line: Line, x: usize, w: usize, second: usize, at: usize, y: usize, other: bool): void {
  convolveOne(false, p, line, x, w, second, at, y, other);
}
function twoQuads(
  p: IntegerDepthwiseParams, line: Line, x: usize, w: usize, second: usize, at: usize, y: usize, yStride: usize, pairs: i32,
): void {
  convolveTwo(true, p, line, x, w, second, at, y, yStride, pairs);
}
function twoPairs(
  p: IntegerDepthwiseParams, line: Line, x: usize, w: usize, second: usize, at: usize, y: usize, yStride: usize, pairs: i32,
): void {
  convolveTwo(false, p, line, x, w, second, at, y, yStride, pairs);
}
