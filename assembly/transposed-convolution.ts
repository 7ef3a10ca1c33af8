import { ceilDiv } from './ceil-div';
import { Epilogue } from './epilogue';
import { BLOCK_SCRATCH, Block, MatMulTile, multiplyAndActivate, theBlock } from './matmul/block';
import { PANEL, ROWS } from './matmul/microkernel';
import { scratch } from './program';

// Along one axis, output o receives tap k from input (o + pad − k·dilation) / stride if that is an integer and inside. For which taps it is
// an integer depends only on the phase (o + pad) mod stride; each tap belongs to one phase, that of k·dilation. So the outputs of one phase
// are a product of gathered input rows and the weights of its taps. With kernel = stride, each phase has one tap, and nothing is gathered.

/**
 * Transposed convolution, channels last: x [batch][depth][height][width][groups·channels], y and residual
 * [batch][outDepth][outHeight][outWidth][groups·outChannels]; absent axes are 1. `channels` and `outChannels` are those of one group;
 * packTransposedConvolution packs the weights. Output padding and the pads at the end of each axis follow from the output's size. Pixel
 * strides count floats. At most 200 000 channels per group.
 * A tile is MatMulTile.Rows · strideWidth output columns of one line by MatMulTile.Columns channels of one group:
 * tiles = groups · batch·outDepth·outHeight · ceil(outWidth / (MatMulTile.Rows·strideWidth)) · ceil(outChannels / MatMulTile.Columns).
 */
@unmanaged
export class TransposedConvolutionParams extends Epilogue {
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
 * ONNX weights [groups·channels][outChannels][kernelDepth][kernelHeight][kernelWidth] → [groups][phases: depth,
 * height, width] [ceil(outChannels / 8)][taps of the phase][channels][8], zero-padded:
 * groups·taps·channels·8·ceil(outChannels / 8) floats.
 * A tile is one panel of 8 output channels: tiles = groups · ceil(outChannels / MatMulTile.Panel).
 */
@unmanaged
export class PackTransposedConvolutionParams {
  w: usize = 0;
  packed: usize = 0;
  groups: i32 = 1;
  channels: i32 = 0;
  outChannels: i32 = 0;
  kernelDepth: i32 = 1;
  kernelHeight: i32 = 1;
  kernelWidth: i32 = 1;
  strideDepth: i32 = 1;
  strideHeight: i32 = 1;
  strideWidth: i32 = 1;
  dilationDepth: i32 = 1;
  dilationHeight: i32 = 1;
  dilationWidth: i32 = 1;
}

/** The number of taps k < kernel whose phase k·dilation mod stride is `phase`. */
function tapsOfPhase(kernel: i32, stride: i32, dilation: i32, phase: i32): i32 {
  let taps = 0;
  for (let k = 0; k < kernel; k++) if ((k * dilation) % stride == phase) taps++;
  return taps;
}

function tapsBeforePhase(kernel: i32, stride: i32, dilation: i32, phase: i32): i32 {
  let taps = 0;
  for (let k = 0; k < kernel; k++) if ((k * dilation) % stride < phase) taps++;
  return taps;
}

export function packTransposedConvolution(p: PackTransposedConvolutionParams, begin: i32, end: i32): void {
  const panels = ceilDiv(p.outChannels, PANEL);
  const taps = p.kernelDepth * p.kernelHeight * p.kernelWidth;
  const tapBytes = <usize>p.channels * (4 * PANEL);
  for (let tile = begin; tile < end; tile++) {
    const group = tile / panels;
    const panel = tile - group * panels;
    const columns = min(PANEL, p.outChannels - panel * PANEL);
    const w = p.w + ((<usize>group * p.channels * p.outChannels + panel * PANEL) * <usize>taps << 2);
    let to = p.packed + <usize>(group * panels * taps) * tapBytes;
    for (let z = 0; z < p.strideDepth; z++) {
      const depthTaps = tapsOfPhase(p.kernelDepth, p.strideDepth, p.dilationDepth, z);
      for (let y = 0; y < p.strideHeight; y++) {
        const heightTaps = depthTaps * tapsOfPhase(p.kernelHeight, p.strideHeight, p.dilationHeight, y);
        for (let x = 0; x < p.strideWidth; x++) {
          const phaseTaps = heightTaps * tapsOfPhase(p.kernelWidth, p.strideWidth, p.dilationWidth, x);
          packPhase(p, w, to + <usize>(panel * phaseTaps) * tapBytes, columns, z, y, x);
          to += <usize>(panels * phaseTaps) * tapBytes;
        }
      }
    }
  }
}

/** Packs the taps of phase (z, y, x) for one panel of output channels. */
function packPhase(
  p: PackTransposedConvolutionParams,
  w: usize,
  to: usize,
  columns: i32,
  z: i32,
  y: i32,
  x: i32,
): void {
  const taps = <usize>p.kernelDepth * p.kernelHeight * p.kernelWidth << 2;
  for (let kz = 0; kz < p.kernelDepth; kz++) {
    if ((kz * p.dilationDepth) % p.strideDepth != z) continue;
    for (let ky = 0; ky < p.kernelHeight; ky++) {
      if ((ky * p.dilationHeight) % p.strideHeight != y) continue;
      for (let kx = 0; kx < p.kernelWidth; kx++) {
        if ((kx * p.dilationWidth) % p.strideWidth != x) continue;
        let from = w + (<usize>((kz * p.kernelHeight + ky) * p.kernelWidth + kx) << 2);
        for (let channel = 0; channel < p.channels; channel++, from += <usize>p.outChannels * taps, to += 4 * PANEL) {
          for (let c = 0; c < PANEL; c++) {
            store<f32>(to + (<usize>c << 2), c < columns ? load<f32>(from + <usize>c * taps) : 0);
          }
        }
      }
    }
  }
}

export function transposedConvolution(p: TransposedConvolutionParams, begin: i32, end: i32): void {
  const columnBlocks = ceilDiv(p.outChannels, MatMulTile.Columns);
  const span = MatMulTile.Rows * p.strideWidth;
  const spans = ceilDiv(p.outWidth, span);
  const lines = p.batch * p.outDepth * p.outHeight;
  const block = theBlock();
  block.isRow = false;
  block.step = 4;
  block.depth = p.channels;
  for (let tile = begin; tile < end; tile++) {
    const column = (tile % columnBlocks) * MatMulTile.Columns;
    const rest = tile / columnBlocks;
    const from = (rest % spans) * span;
    const line = (rest / spans) % lines;
    block.columns = min<i32>(MatMulTile.Columns, p.outChannels - column);
    convolveSpan(p, block, rest / spans / lines, line, from, min(from + span, p.outWidth), column);
  }
}

/** Computes output columns from…to of one line (image, depth and row), phase by phase. */
function convolveSpan(
  p: TransposedConvolutionParams,
  block: Block,
  group: i32,
  line: i32,
  from: i32,
  to: i32,
  column: i32,
): void {
  const plane = line / p.outHeight;
  const image = plane / p.outDepth;
  const z = plane - image * p.outDepth + p.padFront;
  const y = line - plane * p.outHeight + p.padTop;
  const phaseZ = z % p.strideDepth;
  const phaseY = y % p.strideHeight;
  const tapsZ = tapsOfPhase(p.kernelDepth, p.strideDepth, p.dilationDepth, phaseZ);
  const tapsY = tapsOfPhase(p.kernelHeight, p.strideHeight, p.dilationHeight, phaseY);
  const kernel = p.kernelHeight * p.kernelWidth;
  const before =
    tapsBeforePhase(p.kernelDepth, p.strideDepth, p.dilationDepth, phaseZ) * kernel +
    tapsZ * tapsBeforePhase(p.kernelHeight, p.strideHeight, p.dilationHeight, phaseY) * p.kernelWidth;
  const panels = ceilDiv(p.outChannels, PANEL);
  const tapBytes = <usize>p.channels * (4 * PANEL);
  const w = p.w + <usize>(panels * (group * p.kernelDepth * kernel + before)) * tapBytes;
  const x = p.x + (<usize>image * p.depth * p.height * p.width * p.xPixelStride + <usize>group * p.channels << 2);
  const channel = <usize>(group * p.outChannels + column) << 2;

  block.bias = p.bias ? p.bias + channel : 0;
  block.yStride = <usize>(p.strideWidth * p.yPixelStride) << 2;
  block.residualStride = <usize>(p.strideWidth * p.residualPixelStride) << 2;
  for (let ox = from; ox < min(to, from + p.strideWidth); ox++) {
    const phaseX = (ox + p.padLeft) % p.strideWidth;
    const tapsX = tapsOfPhase(p.kernelWidth, p.strideWidth, p.dilationWidth, phaseX);
    const beforeX = tapsZ * tapsY * tapsBeforePhase(p.kernelWidth, p.strideWidth, p.dilationWidth, phaseX);
    block.segments = tapsZ * tapsY * tapsX;
    block.b = w + <usize>(panels * beforeX + (column / PANEL) * block.segments) * tapBytes;
    const pass = rowsPerPass(p, block.segments);
    const count = ceilDiv(to - ox, p.strideWidth);
    for (let row = 0; row < count; row += pass) {
      const first = ox + row * p.strideWidth;
      const pixel = <usize>line * p.outWidth + first;
      block.count = min(pass, count - row);
      block.y = p.y + (pixel * p.yPixelStride << 2) + channel;
      block.residual = p.residual ? p.residual + (pixel * p.residualPixelStride << 2) + channel : 0;
      findRows(p, block, x, z, y, first + p.padLeft);
      multiplyAndActivate(block, p);
    }
  }
}

const TABLE_BYTES: usize = 960 << 10;

/** Rows whose address table fits into scratch next to a line of zeros; a multiple of ROWS. */
function rowsPerPass(p: TransposedConvolutionParams, taps: i32): i32 {
  const fit = <i32>((TABLE_BYTES - (<usize>p.channels << 2)) / (<usize>max(1, taps) << 2));
  return min<i32>(MatMulTile.Rows, max(ROWS, fit - (fit % ROWS)));
}

/** Fills the block's table with the inputs of outputs x, x + strideWidth, …, tap by tap of their phase. */
function findRows(p: TransposedConvolutionParams, block: Block, image: usize, z: i32, y: i32, x: i32): void {
  const zeros = scratch + BLOCK_SCRATCH;
  block.rows = zeros + (<usize>p.channels << 2);
  memory.fill(zeros, 0, <usize>p.channels << 2);
  const pixelBytes = <usize>p.xPixelStride << 2;
  let segment = 0;
  for (let kz = 0; kz < p.kernelDepth; kz++) {
    const dz = z - kz * p.dilationDepth;
    if (dz % p.strideDepth) continue;
    for (let ky = 0; ky < p.kernelHeight; ky++) {
      const dy = y - ky * p.dilationHeight;
      if (dy % p.strideHeight) continue;
      const iz = dz / p.strideDepth;
      const iy = dy / p.strideHeight;
      const lineInside = dz >= 0 && iz < p.depth && dy >= 0 && iy < p.height;
      const line = image + (<usize>iz * p.height + iy) * <usize>p.width * pixelBytes;
      for (let kx = 0; kx < p.kernelWidth; kx++) {
        const dx = x - kx * p.dilationWidth;
        if (dx % p.strideWidth) continue;
        const ix = dx / p.strideWidth;
        for (let row = 0; row < block.count; row++) {
          const inside = lineInside && ix + row >= 0 && ix + row < p.width;
          const tile = row / ROWS;
          const height = min(ROWS, block.count - tile * ROWS);
          const entry = tile * ROWS * block.segments + segment * height + (row - tile * ROWS);
          store<usize>(block.rows + (<usize>entry << 2), inside ? line + <usize>(ix + row) * pixelBytes : zeros);
        }
        segment++;
      }
    }
  }
}
