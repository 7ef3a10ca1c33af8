import { Block, BLOCK_SCRATCH, MatMulTile } from '../matmul/block';
import { ROWS } from '../matmul/microkernel';
import { scratch } from '../program';
import { ConvolutionParams } from './convolution';

// The left operand of a convolution is never materialized (no im2col). A row is a pixel of the output; the micro-kernel finds its values
// through a table of addresses, one per tap, which points to zeros where a tap falls into the padding. With few channels per tap, that is
// much addressing for few products: then the table has one address per line of the kernel, whose pixels are adjacent in memory. Lines that
// reach into the padding are copied.

/** With fewer channels, one address per line is faster if the line's pixels are adjacent. */
const LINE_CHANNELS: i32 = 16;

const ROOM: usize = 900 << 10;

@inline
export function tapsOf(p: ConvolutionParams): i32 {
  return p.kernelDepth * p.kernelHeight * p.kernelWidth;
}

@inline
function byLines(p: ConvolutionParams): bool {
  if (p.channels >= LINE_CHANNELS || p.dilationWidth != 1 || p.xPixelStride != p.channels) return false;
  return <usize>(tapsOf(p) + 1) * <usize>(p.channels + 1) * <usize>(4 * ROWS) < ROOM;
}

/** Size of the zeros for padding: a line, or a pixel with the channels of all groups. */
@inline
function zeroBytes(p: ConvolutionParams): usize {
  return <usize>(byLines(p) ? p.kernelWidth * p.channels : p.groups * p.channels) << 2;
}

/** Rows whose address table and copied lines fit into scratch; a multiple of ROWS. */
export function rowsPerPass(p: ConvolutionParams): i32 {
  const row = (<usize>tapsOf(p) * (byLines(p) ? <usize>p.channels + 1 : 1)) << 2;
  const fit = <i32>((ROOM - zeroBytes(p)) / row);
  return min<i32>(MatMulTile.Rows, max<i32>(ROWS, fit - (fit % ROWS)));
}

/** Sets the block's rows to output pixels `first`, `first + 1`, … of the batch. */
export function findRows(p: ConvolutionParams, block: Block, group: i32, first: i32): void {
  const lines = byLines(p);
  const pixelBytes = <usize>p.xPixelStride << 2;
  const imageBytes = <usize>p.depth * <usize>p.height * <usize>p.width * pixelBytes;
  block.step = 4;
  block.segments = p.kernelDepth * p.kernelHeight * (lines ? 1 : p.kernelWidth);
  block.depth = p.channels * (lines ? p.kernelWidth : 1);
  const zeros = scratch + BLOCK_SCRATCH;
  block.rows = zeros + zeroBytes(p);
  let copies = block.rows + ((<usize>block.count * <usize>block.segments) << 2);
  memory.fill(zeros, 0, zeroBytes(p));
  let w = first % p.outWidth;
  let rest = first / p.outWidth;
  let h = rest % p.outHeight;
  rest /= p.outHeight;
  let d = rest % p.outDepth;
  const groupBytes = <usize>(group * p.channels) << 2;
  let image = p.x + groupBytes + <usize>(rest / p.outDepth) * imageBytes;
  for (let row = 0; row < block.count; row++) {
    const fromD = d * p.strideDepth - p.padFront;
    const fromH = h * p.strideHeight - p.padTop;
    const fromW = w * p.strideWidth - p.padLeft;
    const inTile = row % ROWS;
    const tile = row - inTile;
    const to = block.rows + ((<usize>(tile * block.segments + inTile)) << 2);
    const pitch = <usize>min(ROWS, block.count - tile) << 2;
    if (lines) copies = addressLines(p, to, pitch, image, fromD, fromH, fromW, pixelBytes, zeros, copies);
    else addressTaps(p, to, pitch, image, fromD, fromH, fromW, pixelBytes, zeros + groupBytes);
    if (++w < p.outWidth) continue;
    w = 0;
    if (++h < p.outHeight) continue;
    h = 0;
    if (++d < p.outDepth) continue;
    d = 0;
    image += imageBytes;
  }
}

/** Moves the addresses of the rows, including padding, by `channels` to another group. */
export function shiftRows(block: Block, channels: i32): void {
  const bytes = channels << 2;
  let at = block.rows;
  const end = at + ((<usize>block.count * <usize>block.segments) << 2);
  for (const by = i32x4.splat(bytes); at + 16 <= end; at += 16) v128.store(at, i32x4.add(v128.load(at), by));
  for (; at < end; at += 4) store<i32>(at, load<i32>(at) + bytes);
}

/** Address of line (d, h) of an image, or 0 if it is padding. */
@inline
function lineAt(p: ConvolutionParams, image: usize, d: i32, h: i32, pixelBytes: usize): usize {
  if (<u32>d >= <u32>p.depth || <u32>h >= <u32>p.height) return 0;
  return image + <usize>(d * p.height + h) * <usize>p.width * pixelBytes;
}

/** Writes one address per tap, `pitch` bytes apart. */
function addressTaps(
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

/** Writes one address per line of the kernel, `pitch` bytes apart; returns the end of the copied lines. */
function addressLines(
  p: ConvolutionParams,
  to: usize,
  pitch: usize,
  image: usize,
  fromD: i32,
  fromH: i32,
  fromW: i32,
  pixelBytes: usize,
  zeros: usize,
  copies: usize,
): usize {
  const whole = fromW >= 0 && fromW + p.kernelWidth <= p.width;
  for (let kd = 0, d = fromD; kd < p.kernelDepth; kd++, d += p.dilationDepth) {
    for (let kh = 0, h = fromH; kh < p.kernelHeight; kh++, h += p.dilationHeight, to += pitch) {
      const line = lineAt(p, image, d, h, pixelBytes);
      if (!line) {
        store<usize>(to, zeros);
      } else if (whole) {
        store<usize>(to, line + <usize>fromW * pixelBytes);
      } else {
        store<usize>(to, copies);
        copies = copyLine(p, copies, line, fromW, pixelBytes);
      }
    }
  }
  return copies;
}

function copyLine(p: ConvolutionParams, to: usize, line: usize, fromW: i32, pixelBytes: usize): usize {
  const tapBytes = <usize>p.channels << 2;
  for (let kw = 0, w = fromW; kw < p.kernelWidth; kw++, w++) {
    const inside = <u32>w < <u32>p.width;
    const from = line + <usize>w * pixelBytes;
    for (let at: usize = 0; at < tapBytes; at += 4) store<f32>(to + at, inside ? load<f32>(from + at) : 0);
    to += tapBytes;
  }
  return to;
}
