import { ceilDiv } from '../ceil-div';
import { endRow, IntegerBlock, integerBlock, IntegerTile, isReady, multiplyIntegers, rowsAtOnce, stagedRows } from './integer-block';
import { IntegerEpilogue, zeroAt } from './integer-epilogue';
import { panelBytesOf } from './integer-pack';
import { stageRun, stageShortRun, stageValue } from './integer-rows';

/**
 * Y[n,od,oh,ow,:] = finish(convolution of x − xZero and w − wZero), channels last, with 8-bit integers and 32-bit sums; x is xZero outside.
 * Fields are those of `convolution`; `channels` and `outChannels` are those of one group; packIntegers packs the weights, one matrix per
 * group. Tiles: groups · ceil(pixels / IntegerTile.Rows) · ceil(outChannels / IntegerTile.Columns).
 */
@unmanaged
export class IntegerConvolutionParams extends IntegerEpilogue {
  x: usize = 0;
  w: usize = 0;
  y: usize = 0;
  dots: i32 = 0;
  batch: i32 = 1;
  groups: i32 = 1;
  channels: i32 = 0;
  outChannels: i32 = 0;
  depth: i32 = 1;
  height: i32 = 1;
  width: i32 = 1;
  outDepth: i32 = 1;
  outHeight: i32 = 1;
  outWidth: i32 = 1;
  kernelDepth: i32 = 1;
  kernelHeight: i32 = 1;
  kernelWidth: i32 = 1;
  strideDepth: i32 = 1;
  strideHeight: i32 = 1;
  strideWidth: i32 = 1;
  dilationDepth: i32 = 1;
  dilationHeight: i32 = 1;
  dilationWidth: i32 = 1;
  padFront: i32 = 0;
  padTop: i32 = 0;
  padLeft: i32 = 0;
}

export function integerConvolution(p: IntegerConvolutionParams, begin: i32, end: i32): void {
  const pixels = p.batch * p.outDepth * p.outHeight * p.outWidth;
  const rowBlocks = ceilDiv(pixels, IntegerTile.Rows);
  const columnBlocks = ceilDiv(p.outChannels, IntegerTile.Columns);
  const depth = p.kernelDepth * p.kernelHeight * p.kernelWidth * p.channels;
  const block = integerBlock(p.dots, p, depth);
  const groupBytes = <usize>((p.outChannels + 7) / IntegerTile.Panel) * panelBytesOf(depth, block.quads ? 4 : 2);
  const size = p.result == 2 ? 1 : 4;
  const pass = rowsAtOnce(block);
  const ready = isReady(block) && isPointwise(p);
  const xZero = zeroAt(p.xZero, 0, 0, p.xSigned);
  block.yStride = <usize>(p.groups * p.outChannels * size);
  block.row = 0;
  for (let tile = begin; tile < end; ) {
    const first = tile % columnBlocks;
    const blocks = min(columnBlocks - first, end - tile);
    const rest = tile / columnBlocks;
    const group = rest / rowBlocks;
    block.column = group * p.outChannels;
    block.first = first * IntegerTile.Columns;
    block.end = min<i32>((first + blocks) * IntegerTile.Columns, p.outChannels);
    block.b = p.w + <usize>group * groupBytes;
    const firstRow = (rest % rowBlocks) * IntegerTile.Rows;
    const endRows = min<i32>(firstRow + IntegerTile.Rows, pixels);
    for (let row = firstRow; row < endRows; row += pass) {
      block.count = min(pass, endRows - row);
      block.summed = 0;
      block.y = p.y + <usize>row * block.yStride + <usize>(block.column * size);
      if (ready) block.rows = p.x + <usize>row * block.pitch;
      else stagePixels(p, block, group, row, xZero);
      multiplyIntegers(block, p);
    }
    tile += blocks;
  }
}

/** Whether each output pixel reads exactly the same pixel of x. */
function isPointwise(p: IntegerConvolutionParams): bool {
  return (
    p.groups == 1 &&
    p.kernelDepth == 1 && p.kernelHeight == 1 && p.kernelWidth == 1 &&
    p.strideDepth == 1 && p.strideHeight == 1 && p.strideWidth == 1 &&
    p.padFront == 0 && p.padTop == 0 && p.padLeft == 0 &&
    p.outDepth == p.depth && p.outHeight == p.height && p.outWidth == p.width
  );
}

/** Stages output pixels `first`, `first + 1`, … of the batch as the rows of the block. */
function stagePixels(p: IntegerConvolutionParams, block: IntegerBlock, group: i32, first: i32, xZero: i32): void {
  const imageBytes = <usize>p.depth * <usize>p.height * <usize>p.width * <usize>(p.groups * p.channels);
  let w = first % p.outWidth;
  let rest = first / p.outWidth;
  let h = rest % p.outHeight;
  rest /= p.outHeight;
  let d = rest % p.outDepth;
  let image = p.x + <usize>(group * p.channels) + <usize>(rest / p.outDepth) * imageBytes;
  let row = stagedRows();
  for (let r = 0; r < block.count; r++, row += block.pitch) {
    endRow(block, stagePixel(p, block, row, image, d, h, w, xZero), row);
    if (++w < p.outWidth) continue;
    w = 0;
    if (++h < p.outHeight) continue;
    h = 0;
    if (++d < p.outDepth) continue;
    d = 0;
    image += imageBytes;
  }
}

/** Stages all inputs of output pixel (d, h, w); returns their end. */
function stagePixel(
  p: IntegerConvolutionParams,
  block: IntegerBlock,
  to: usize,
  image: usize,
  d: i32,
  h: i32,
  w: i32,
  xZero: i32,
): usize {
  const fromW = w * p.strideWidth - p.padLeft;
  const lineBytes = <usize>p.width * <usize>(p.groups * p.channels);
  const runs = p.dilationWidth == 1 && p.groups == 1;
  let z = d * p.strideDepth - p.padFront;
  for (let kd = 0; kd < p.kernelDepth; kd++, z += p.dilationDepth) {
    let y = h * p.strideHeight - p.padTop;
    for (let kh = 0; kh < p.kernelHeight; kh++, y += p.dilationHeight) {
      const inside = <u32>z < <u32>p.depth && <u32>y < <u32>p.height;
      const line = image + <usize>(z * p.height + y) * lineBytes;
      if (!inside) to = stageValue(block, to, xZero, p.kernelWidth * p.channels);
      else if (runs) to = stageLine(p, block, to, line, fromW, xZero);
      else to = stageTaps(p, block, to, line, fromW, xZero);
    }
  }
  return to;
}

/** Address of the last sixteen values of x. */
@inline
function lastVector(p: IntegerConvolutionParams): usize {
  return p.x + <usize>p.batch * <usize>p.depth * <usize>p.height * <usize>p.width * <usize>(p.groups * p.channels) - 16;
}

/** Stages the taps of a line that are adjacent in memory. */
@inline
function stageLine(p: IntegerConvolutionParams, block: IntegerBlock, to: usize, line: usize, fromW: i32, xZero: i32): usize {
  const before = min(max(-fromW, 0), p.kernelWidth);
  const after = min(max(fromW + p.kernelWidth - p.width, 0), p.kernelWidth - before);
  if (before) to = stageValue(block, to, xZero, before * p.channels);
  const from = line + <usize>((fromW + before) * p.channels);
  const count = (p.kernelWidth - before - after) * p.channels;
  to = count <= 16 && from <= lastVector(p) ? stageShortRun(block, to, from, count) : stageRun(block, to, from, count);
  return after ? stageValue(block, to, xZero, after * p.channels) : to;
}

function stageTaps(p: IntegerConvolutionParams, block: IntegerBlock, to: usize, line: usize, fromW: i32, xZero: i32): usize {
  const pixel = p.groups * p.channels;
  for (let kw = 0, w = fromW; kw < p.kernelWidth; kw++, w += p.dilationWidth) {
    if (<u32>w < <u32>p.width) to = stageRun(block, to, line + <usize>(w * pixel), p.channels);
    else to = stageValue(block, to, xZero, p.channels);
  }
  return to;
}
