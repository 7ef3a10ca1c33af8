import { Block, BLOCK_SCRATCH, MatMulTile } from '../matmul/block';
import { ROWS } from '../matmul/microkernel';
import { scratch } from '../program';
import { ConvolutionParams } from './convolution';

// The left operand of a convolution is never laid out in memory. A row is a pixel of the output; the micro-kernel
// finds its taps through a table of addresses, and where a tap falls into the padding, a line of zeros. With few
// channels per tap that is a detour for a handful of products: then the rows of one pass are gathered instead.

/** Below this many channels gathering wins. */
const GATHER_CHANNELS: i32 = 8;

const ROOM: usize = 900 << 10;

@inline
export function tapsOf(p: ConvolutionParams): i32 {
  return p.kernelDepth * p.kernelHeight * p.kernelWidth;
}

@inline
function gathers(p: ConvolutionParams): bool {
  return p.channels < GATHER_CHANNELS && <usize>tapsOf(p) * <usize>p.channels * <usize>(4 * ROWS) < ROOM;
}

/** Rows whose table, or whose gathered values, fit into scratch; a multiple of ROWS. */
export function rowsPerPass(p: ConvolutionParams): i32 {
  const taps = <usize>tapsOf(p) << 2;
  const channels = <usize>p.channels;
  const fit = <i32>(gathers(p) ? ROOM / (taps * channels) : (ROOM - (channels << 2)) / taps);
  return min<i32>(MatMulTile.Rows, max<i32>(ROWS, fit - (fit % ROWS)));
}

/** Makes output pixels `first`, `first + 1`, … of the batch the rows of the block. */
export function findRows(p: ConvolutionParams, block: Block, group: i32, first: i32): void {
  const pixelBytes = <usize>p.xPixelStride << 2;
  const imageBytes = <usize>p.depth * <usize>p.height * <usize>p.width * pixelBytes;
  const gathering = gathers(p);
  const taps = tapsOf(p);
  const x = p.x + (<usize>(group * p.channels) << 2);
  const zeros = scratch + BLOCK_SCRATCH;
  if (gathering) {
    block.rows = zeros;
    block.segments = 1;
    block.depth = taps * p.channels;
  } else {
    block.rows = zeros + ((<usize>p.channels + 3) & ~3) * 4;
    block.segments = taps;
    block.depth = p.channels;
    memory.fill(zeros, 0, <usize>p.channels << 2);
  }
  block.step = 4;
  let values = zeros + MatMulTile.Rows * 4;
  let w = first % p.outWidth;
  let rest = first / p.outWidth;
  let h = rest % p.outHeight;
  rest /= p.outHeight;
  let d = rest % p.outDepth;
  let image = x + <usize>(rest / p.outDepth) * imageBytes;
  for (let row = 0; row < block.count; row++) {
    const fromD = d * p.strideDepth - p.padFront;
    const fromH = h * p.strideHeight - p.padTop;
    const fromW = w * p.strideWidth - p.padLeft;
    if (gathering) {
      store<usize>(block.rows + ((<usize>row) << 2), values);
      values = gatherRow(p, values, image, fromD, fromH, fromW, pixelBytes);
    } else {
      const inTile = row % ROWS;
      const tile = row - inTile;
      const entries = block.rows + ((<usize>(tile * taps + inTile)) << 2);
      indirectRow(p, entries, <usize>min(ROWS, block.count - tile) << 2, image, fromD, fromH, fromW, pixelBytes, zeros);
    }
    if (++w < p.outWidth) continue;
    w = 0;
    if (++h < p.outHeight) continue;
    h = 0;
    if (++d < p.outDepth) continue;
    d = 0;
    image += imageBytes;
  }
}

/** Address of line (d, h) of an image, or 0 where it lies in the padding. */
@inline
function lineAt(p: ConvolutionParams, image: usize, d: i32, h: i32, pixelBytes: usize): usize {
  if (<u32>d >= <u32>p.depth || <u32>h >= <u32>p.height) return 0;
  return image + <usize>(d * p.height + h) * <usize>p.width * pixelBytes;
}

/** One address per tap, `pitch` bytes apart. */
function indirectRow(
  p: ConvolutionParams,
  to: usize,
  pitch: usize,
  image: usize,
  fromD: i32,
  fromH: i32,
  fromW: i32,
  pixelBytes: usize,
  zeros: usize,
): void {
  const width = p.width, kernelWidth = p.kernelWidth, dilation = p.dilationWidth;
  for (let kd = 0, d = fromD; kd < p.kernelDepth; kd++, d += p.dilationDepth) {
    for (let kh = 0, h = fromH; kh < p.kernelHeight; kh++, h += p.dilationHeight) {
      const line = lineAt(p, image, d, h, pixelBytes);
      for (let kw = 0, w = fromW; kw < kernelWidth; kw++, w += dilation, to += pitch) {
        const inside = line && <u32>w < <u32>width;
        store<usize>(to, inside ? line + <usize>w * pixelBytes : zeros);
      }
    }
  }
}

/** The values of all taps in a line; returns where it ends. */
function gatherRow(
  p: ConvolutionParams,
  to: usize,
  image: usize,
  fromD: i32,
  fromH: i32,
  fromW: i32,
  pixelBytes: usize,
): usize {
  const tapBytes = <usize>p.channels << 2;
  const adjacent = p.dilationWidth == 1 && pixelBytes == tapBytes;
  const left = adjacent ? min(max(-fromW, 0), p.kernelWidth) : 0;
  const right = adjacent ? max(min(p.width - fromW, p.kernelWidth), left) : 0;
  for (let kd = 0, d = fromD; kd < p.kernelDepth; kd++, d += p.dilationDepth) {
    for (let kh = 0, h = fromH; kh < p.kernelHeight; kh++, h += p.dilationHeight) {
      const line = lineAt(p, image, d, h, pixelBytes);
      if (!line) {
        to = zero(to, <usize>p.kernelWidth * tapBytes);
      } else if (adjacent) {
        to = zero(to, <usize>left * tapBytes);
        to = copy(to, line + <usize>(fromW + left) * pixelBytes, <usize>(right - left) * tapBytes);
        to = zero(to, <usize>(p.kernelWidth - right) * tapBytes);
      } else {
        for (let kw = 0, w = fromW; kw < p.kernelWidth; kw++, w += p.dilationWidth) {
          to = <u32>w < <u32>p.width ? copy(to, line + <usize>w * pixelBytes, tapBytes) : zero(to, tapBytes);
        }
      }
    }
  }
  return to;
}

@inline
function zero(to: usize, bytes: usize): usize {
  for (const end = to + bytes; to < end; to += 4) store<f32>(to, 0);
  return to;
}

/** The last vector overlaps the one before. */
@inline
function copy(to: usize, from: usize, bytes: usize): usize {
  const end = to + bytes;
  if (bytes < 16) {
    for (; to < end; to += 4, from += 4) store<f32>(to, load<f32>(from));
    return to;
  }
  const last = v128.load(from + bytes - 16);
  for (; to + 16 < end; to += 16, from += 16) v128.store(to, v128.load(from));
  v128.store(end - 16, last);
  return end;
}
