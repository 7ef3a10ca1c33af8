import { ceilDiv } from '../ceil-div';
import { Activation, activateRun, Epilogue } from '../epilogue';
import { BLOCK_SCRATCH, highest, lowest, multiplyBlock, theBlock } from '../matmul/block';
import { PANEL } from '../matmul/microkernel';
import { scratch } from '../program';
import { madd } from '../math/madd';
import { lineOf, transformInput, transformOutput } from './winogradTransforms';

export const enum WinogradBlock {
  /** Room for v and m of one block of `winograd`. */
  Bytes = 786432,
  /** Floats added to each element of v and m: 36 lines at multiples of 4 KiB would share one L1 set. */
  Gap = 16,
}

/**
 * 3×3 convolution with stride 1 and one group, channels last, as Winograd's F(size × size, 3×3), size 2 or 4. The output is cut into T =
 * batch · tilesHigh · tilesWide tiles (tilesHigh = ceil(outHeight / size), likewise wide), each of (size + 2)² elements. winogradWeights
 * transforms the weights; channels and outChannels are multiples of 4. The transforms turn an infinity into NaN, mix the pixels of a tile,
 * and overflow before a sum of nine products does. Tiles with sums that are not finite are therefore computed again directly.
 *
 * `winograd` is the whole convolution, up to `blockTiles` tiles at a time with v and m in scratch:
 * (size + 2)² · (blockTiles · (channels + outChannels) + 2 · WinogradBlock.Gap) · 4 ≤ WinogradBlock.Bytes.
 * Tiles: 2 · ceil(T / (2 · blockTiles)). If there are few blocks, they have equal sizes, so that two threads have equal work.
 *
 * If the weights exceed the cache, read them only once: `winogradInput` writes v [(size + 2)²][T][channels], `matmul` with (size + 2)²
 * batches computes m [(size + 2)²][T][outChannels], `winogradOutput` writes y. The elements are WinogradBlock.Gap floats further apart than
 * their size. Tiles of both: batch · tilesHigh.
 */
@unmanaged
export class WinogradParams extends Epilogue {
  x: usize = 0;
  w: usize = 0;
  y: usize = 0;
  v: usize = 0;
  m: usize = 0;
  size: i32 = 4;
  batch: i32 = 1;
  height: i32 = 0;
  width: i32 = 0;
  channels: i32 = 0;
  outHeight: i32 = 0;
  outWidth: i32 = 0;
  outChannels: i32 = 0;
  padTop: i32 = 0;
  padLeft: i32 = 0;
  blockTiles: i32 = 0;
  xPixelStride: i32 = 0;
  yPixelStride: i32 = 0;
  residualPixelStride: i32 = 0;
}

// Scratch: half of a transformed tile, its result or its pixels' addresses, and a line of zeros. v and m of `winograd` follow.
const HALF_BYTES: usize = 36 * 16;
const PIXELS_BYTES: usize = 36 * 16;
const LINE_SCRATCH: usize = BLOCK_SCRATCH + HALF_BYTES + PIXELS_BYTES;

const EVEN_BLOCKS = 6;

@inline
function tilesHigh(p: WinogradParams): i32 {
  return ceilDiv(p.outHeight, p.size);
}

@inline
function tilesWide(p: WinogradParams): i32 {
  return ceilDiv(p.outWidth, p.size);
}

function tilesOf(p: WinogradParams): i32 {
  return p.batch * tilesHigh(p) * tilesWide(p);
}

/** Bytes between one element of v or m and the next. */
@inline
function elementBytes(p: WinogradParams, channels: i32): usize {
  return ((<usize>tilesOf(p) * <usize>channels) << 2) + WinogradBlock.Gap * 4;
}

/** Tiles in each block, for an even number of blocks. */
function evened(p: WinogradParams, tiles: i32): i32 {
  const most = 2 * p.blockTiles;
  const blocks = 2 * ceilDiv(tiles, most);
  return blocks < EVEN_BLOCKS ? ceilDiv(tiles, blocks) : p.blockTiles;
}

export function winogradInput(p: WinogradParams, begin: i32, end: i32): void {
  const wide = tilesWide(p);
  const v = p.v + ((<usize>(begin * wide) * <usize>p.channels) << 2);
  transformTiles(p, begin * wide, end * wide, v, elementBytes(p, p.channels));
}

export function winogradOutput(p: WinogradParams, begin: i32, end: i32): void {
  const wide = tilesWide(p);
  const m = p.m + ((<usize>(begin * wide) * <usize>p.outChannels) << 2);
  reduceTiles(p, begin * wide, end * wide, m, elementBytes(p, p.outChannels));
}

export function winograd(p: WinogradParams, begin: i32, end: i32): void {
  const tiles = tilesOf(p);
  const blockTiles = evened(p, tiles);
  const elements = (p.size + 2) * (p.size + 2);
  const vRow = <usize>p.channels << 2;
  const mRow = <usize>p.outChannels << 2;
  const bElement = <usize>ceilDiv(p.outChannels, PANEL) * <usize>p.channels * (4 * PANEL);
  const block = theBlock();
  block.isRow = false;
  const rows = scratch + LINE_SCRATCH + vRow;
  const v = rows + (((<usize>blockTiles << 2) + 63) & ~63);
  for (let tile = begin * blockTiles; tile < min(end * blockTiles, tiles); tile += blockTiles) {
    const count = min(blockTiles, tiles - tile);
    const vElement = <usize>count * vRow + WinogradBlock.Gap * 4;
    const mElement = <usize>count * mRow + WinogradBlock.Gap * 4;
    const m = v + <usize>elements * vElement;
    transformTiles(p, tile, tile + count, v, vElement);
    block.rows = rows;
    block.count = count;
    block.segments = 1;
    block.depth = p.channels;
    block.step = 4;
    block.columns = p.outChannels;
    block.yStride = mRow;
    block.bias = 0;
    block.residual = 0;
    for (let element: usize = 0; element < <usize>elements; element++) {
      const a = v + element * vElement;
      for (let row: usize = 0; row < <usize>count; row++) store<usize>(rows + (row << 2), a + row * vRow);
      block.b = p.w + element * bElement;
      block.y = m + element * mElement;
      multiplyBlock(block, -Infinity, Infinity);
    }
    reduceTiles(p, tile, tile + count, m, mElement);
  }
}

function transformTiles(p: WinogradParams, begin: i32, end: i32, v: usize, elementBytes: usize): void {
  memory.fill(scratch + LINE_SCRATCH, 0, <usize>p.channels << 2);
  for (let tile = begin; tile < end; tile++, v += <usize>p.channels << 2) {
    if (p.size == 2) transformTile(2, p, tile, v, elementBytes);
    else transformTile(4, p, tile, v, elementBytes);
  }
}

@inline
function transformTile(SIZE: i32, p: WinogradParams, tile: i32, v: usize, elementBytes: usize): void {
  const LINE = lineOf(SIZE);
  const half = scratch + BLOCK_SCRATCH;
  const pixels = half + HALF_BYTES;
  const channelBytes = <usize>p.channels << 2;
  findPixels(p, tile, LINE, pixels);
  for (let c: usize = 0; c < channelBytes; c += 16) {
    for (let j: usize = 0; j < <usize>LINE; j++) transformColumn(SIZE, pixels + (j << 2), c, half + (j << 4));
    for (let i: usize = 0; i < <usize>LINE; i++) {
      transformLine(SIZE, half + i * <usize>LINE * 16, v + c + i * <usize>LINE * elementBytes, elementBytes);
    }
  }
}

/** Writes the addresses of the line × line pixels under a tile; padding points to the line of zeros. */
function findPixels(p: WinogradParams, tile: i32, line: i32, to: usize): void {
  const zeros = scratch + LINE_SCRATCH;
  const pixelBytes = <usize>p.xPixelStride << 2;
  const wide = tilesWide(p), high = tilesHigh(p);
  const row = tile / wide;
  const left = (tile % wide) * p.size - p.padLeft;
  const top = (row % high) * p.size - p.padTop;
  const image = p.x + <usize>(row / high) * <usize>p.height * <usize>p.width * pixelBytes;
  for (let h = top; h < top + line; h++) {
    const insideH = <u32>h < <u32>p.height;
    let pixel = image + (<usize>h * <usize>p.width + <usize>left) * pixelBytes;
    for (let w = left; w < left + line; w++, to += 4, pixel += pixelBytes) {
      store<usize>(to, insideH && <u32>w < <u32>p.width ? pixel : zeros);
    }
  }
}

@inline
function transformColumn(SIZE: i32, pixels: usize, c: usize, to: usize): void {
  const STEP = <usize>lineOf(SIZE) * 4;
  const d0 = v128.load(load<usize>(pixels) + c);
  const d1 = v128.load(load<usize>(pixels + STEP) + c);
  const d2 = v128.load(load<usize>(pixels + 2 * STEP) + c);
  const d3 = v128.load(load<usize>(pixels + 3 * STEP) + c);
  const d4 = SIZE == 4 ? v128.load(load<usize>(pixels + 4 * STEP) + c) : d0;
  const d5 = SIZE == 4 ? v128.load(load<usize>(pixels + 5 * STEP) + c) : d0;
  transformInput(SIZE, d0, d1, d2, d3, d4, d5, to, 4 * STEP);
}

@inline
function transformLine(SIZE: i32, from: usize, to: usize, step: usize): void {
  const d0 = v128.load(from), d1 = v128.load(from, 16), d2 = v128.load(from, 32), d3 = v128.load(from, 48);
  const d4 = SIZE == 4 ? v128.load(from, 64) : d0;
  const d5 = SIZE == 4 ? v128.load(from, 80) : d0;
  transformInput(SIZE, d0, d1, d2, d3, d4, d5, to, step);
}

function reduceTiles(p: WinogradParams, begin: i32, end: i32, m: usize, elementBytes: usize): void {
  for (let tile = begin; tile < end; tile++, m += <usize>p.outChannels << 2) {
    if (p.size == 2) reduceTile(2, p, tile, m, elementBytes);
    else reduceTile(4, p, tile, m, elementBytes);
  }
}

@inline
function reduceTile(SIZE: i32, p: WinogradParams, tile: i32, m: usize, elementBytes: usize): void {
  const LINE = lineOf(SIZE);
  const half = scratch + BLOCK_SCRATCH;
  const whole = half + HALF_BYTES;
  const wide = tilesWide(p), high = tilesHigh(p);
  const row = tile / wide;
  const left = (tile % wide) * SIZE;
  const top = (row % high) * SIZE;
  const pixel = <usize>((row / high) * p.outHeight + top) * <usize>p.outWidth + <usize>left;
  const rows = min(SIZE, p.outHeight - top);
  const columns = min(SIZE, p.outWidth - left);
  const channelBytes = <usize>p.outChannels << 2;
  for (let c: usize = 0; c < channelBytes; c += 16) {
    for (let j: usize = 0; j < <usize>LINE; j++) {
      reduceLine(SIZE, m + c + j * elementBytes, <usize>LINE * elementBytes, half + (j << 4), <usize>LINE * 16);
    }
    for (let i: usize = 0; i < <usize>SIZE; i++) {
      reduceLine(SIZE, half + i * <usize>LINE * 16, 16, whole + i * <usize>SIZE * 16, 16);
    }
    if (!areFinite(SIZE, whole)) convolveTile(SIZE, p, tile, c, whole);
    writeTile(SIZE, p, whole, pixel, c, rows, columns);
  }
  if (p.activation > Activation.Clip) activateTile(p, pixel, rows, columns);
}

/** Whether all sums of a tile are finite, by the finiteness of their total. */
@inline
function areFinite(SIZE: i32, whole: usize): bool {
  let sum = v128.load(whole);
  for (let i: usize = 1; i < <usize>(SIZE * SIZE); i++) sum = f32x4.add(sum, v128.load(whole + i * 16));
  return i32x4.all_true(f32x4.eq(f32x4.sub(sum, sum), f32x4.splat(0)));
}

/** Computes the sums of a tile directly from the original weights, for the four channels from byte `c` on. */
function convolveTile(SIZE: i32, p: WinogradParams, tile: i32, c: usize, whole: usize): void {
  const line = SIZE + 2;
  const pixels = scratch + BLOCK_SCRATCH;
  const tapBytes = <usize>p.channels * (4 * PANEL);
  const panels = <usize>ceilDiv(p.outChannels, PANEL);
  const panel = c / (4 * PANEL);
  const w = p.w + (<usize>(line * line) * panels + 9 * panel) * tapBytes + c % (4 * PANEL);
  memory.fill(scratch + LINE_SCRATCH, 0, <usize>p.channels << 2);
  findPixels(p, tile, line, pixels);
  for (let i = 0; i < SIZE; i++) {
    for (let j = 0; j < SIZE; j++) {
      let sum = f32x4.splat(0);
      for (let tap = 0; tap < 9; tap++) {
        const pixel = load<usize>(pixels + ((<usize>((i + tap / 3) * line + j + (tap % 3))) << 2));
        if (pixel == scratch + LINE_SCRATCH) continue; // Padding adds nothing, even with infinite weights.
        let weights = w + <usize>tap * tapBytes;
        for (let at = pixel, end = pixel + (<usize>p.channels << 2); at < end; at += 4, weights += 4 * PANEL) {
          sum = madd(v128.load32_splat(at), v128.load(weights), sum);
        }
      }
      v128.store(whole + ((<usize>(i * SIZE + j)) << 4), sum);
    }
  }
}

@inline
function writeTile(SIZE: i32, p: WinogradParams, whole: usize, pixel: usize, c: usize, rows: i32, columns: i32): void {
  const low = f32x4.splat(lowest(p));
  const high = f32x4.splat(highest(p));
  const yBytes = <usize>p.yPixelStride << 2;
  const residualBytes = <usize>p.residualPixelStride << 2;
  const bias = p.bias ? v128.load(p.bias + c) : f32x4.splat(0);
  for (let i = 0; i < rows; i++, pixel += <usize>p.outWidth) {
    let sums = whole + <usize>i * <usize>SIZE * 16;
    let y = p.y + pixel * yBytes + c;
    let residual = p.residual + pixel * residualBytes + c;
    for (let j = 0; j < columns; j++, sums += 16, y += yBytes, residual += residualBytes) {
      let sum = f32x4.add(v128.load(sums), bias);
      if (p.residual) sum = f32x4.add(sum, v128.load(residual));
      v128.store(y, f32x4.pmin(f32x4.pmax(sum, low), high));
    }
  }
}

function activateTile(p: WinogradParams, pixel: usize, rows: i32, columns: i32): void {
  const yBytes = <usize>p.yPixelStride << 2;
  for (let i = 0; i < rows; i++, pixel += <usize>p.outWidth) {
    let y = p.y + pixel * yBytes;
    for (let j = 0; j < columns; j++, y += yBytes) activateRun(y, p.outChannels, p.activation, p.alpha, p.beta);
  }
}

@inline
function reduceLine(SIZE: i32, from: usize, fromStep: usize, to: usize, toStep: usize): void {
  const m0 = v128.load(from), m1 = v128.load(from + fromStep);
  const m2 = v128.load(from + 2 * fromStep), m3 = v128.load(from + 3 * fromStep);
  const m4 = SIZE == 4 ? v128.load(from + 4 * fromStep) : m0;
  const m5 = SIZE == 4 ? v128.load(from + 5 * fromStep) : m0;
  transformOutput(SIZE, m0, m1, m2, m3, m4, m5, to, toStep);
}
