import { ceilDiv } from '../ceil-div';
import { Epilogue } from '../epilogue';
import { MatMulTile, multiplyAndActivate, theBlock, WIDE } from '../matmul/block';
import { PANEL } from '../matmul/microkernel';
import { findRows, rowsPerPass, shiftRows, tapsOf } from './rows';

/**
 * Y[n,od,oh,ow,:] = activate(convolution + bias[channel] + residual[index of y]), channels last, up to 3 spatial dimensions (absent ones
 * are 1), any kernel, stride, dilation, pads and groups. `channels` and `outChannels` are those of one group; packConvolution packs the
 * weights. Pixel strides count floats and may exceed the channels: slices of wider tensors. Only the pads at the start of each axis are
 * parameters; the end follows from the output's size. A 1×1 convolution with stride 1, no pads and one group is `matmul` with a row per
 * pixel: use that.
 * Tiles: groups · ceil(pixels / MatMulTile.Rows) · ceil(outChannels / MatMulTile.Columns), where
 * pixels = batch · outDepth · outHeight · outWidth.
 */
@unmanaged
export class ConvolutionParams extends Epilogue {
  x: usize = 0;
  w: usize = 0;
  y: usize = 0;
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
  xPixelStride: i32 = 0;
  yPixelStride: i32 = 0;
  residualPixelStride: i32 = 0;
}

/**
 * Weights up to this size stay in the L2 cache next to a block's rows: then all groups are computed for one block of rows after another.
 */
const RESIDENT_BYTES: usize = 512 << 10;

export function convolution(p: ConvolutionParams, begin: i32, end: i32): void {
  const pixels = p.batch * p.outDepth * p.outHeight * p.outWidth;
  const rowBlocks = ceilDiv(pixels, MatMulTile.Rows);
  const columnBlocks = ceilDiv(p.outChannels, MatMulTile.Columns);
  const groupPanels = ceilDiv(p.outChannels, PANEL);
  const panelBytes = <usize>tapsOf(p) * <usize>p.channels * (4 * PANEL);
  const groupsInside = <usize>(p.groups * groupPanels) * panelBytes <= RESIDENT_BYTES;
  const pass = rowsPerPass(p);
  const block = theBlock();
  block.isRow = pixels == 1 && tapsOf(p) == 1 && p.outChannels >= WIDE;
  block.yStride = <usize>p.yPixelStride << 2;
  block.residualStride = <usize>p.residualPixelStride << 2;
  let foundRow = -1, foundGroup = 0;
  for (let tile = begin; tile < end; ) {
    const first = tile % columnBlocks;
    const blocks = min(columnBlocks - first, end - tile);
    const rest = tile / columnBlocks;
    const group = groupsInside ? rest % p.groups : rest / rowBlocks;
    const column = first * MatMulTile.Columns;
    const channel = <usize>(group * p.outChannels + column) << 2;
    block.columns = min<i32>(blocks * MatMulTile.Columns, p.outChannels - column);
    block.b = p.w + <usize>(group * groupPanels + column / PANEL) * panelBytes;
    block.bias = p.bias ? p.bias + channel : 0;
    const firstRow = (groupsInside ? rest / p.groups : rest % rowBlocks) * MatMulTile.Rows;
    const endRow = min<i32>(firstRow + MatMulTile.Rows, pixels);
    for (let row = firstRow; row < endRow; row += pass) {
      block.count = min(pass, endRow - row);
      block.y = p.y + <usize>row * block.yStride + channel;
      block.residual = p.residual ? p.residual + <usize>row * block.residualStride + channel : 0;
      if (row == foundRow) shiftRows(block, (group - foundGroup) * p.channels);
      else findRows(p, block, group, row);
      foundRow = row;
      foundGroup = group;
      multiplyAndActivate(block, p);
    }
    tile += blocks;
  }
}
