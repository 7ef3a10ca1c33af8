import { Activation, activateRun, Epilogue } from '../epilogue';
import { PANEL } from '../matmul/microkernel';
import { scratch } from '../program';
import { lineOf, transformInput, transformOutput, transformWeights } from './winogradTransforms';

// 3×3 convolution with stride 1 as F(size × size, 3×3), size 2 or 4: winogradInput, then `matmul` with one batch per
// element of a transformed tile ((size + 2)² of them, a row per tile), then winogradOutput. Channels come in fours.

/**
 * Transforms ONNX weights [outChannels, channels, 3, 3] into the packed B of `matmul`:
 * [(size + 2)²][ceil(outChannels / 8)][channels][8], zero-padded. Tiles: ceil(outChannels / MatMulTile.Panel).
 */
@unmanaged
export class WinogradWeightsParams {
  w: usize = 0;
  packed: usize = 0;
  channels: i32 = 0;
  outChannels: i32 = 0;
  size: i32 = 4;
}

export function winogradWeights(p: WinogradWeightsParams, begin: i32, end: i32): void {
  for (let panel = begin; panel < end; panel++) {
    if (p.size == 2) packPanel(2, p, panel);
    else packPanel(4, p, panel);
  }
}

@inline
function packPanel(SIZE: i32, p: WinogradWeightsParams, panel: i32): void {
  const LINE = lineOf(SIZE);
  const half = scratch;
  const whole = scratch + 512;
  const panelBytes = <usize>p.channels * (4 * PANEL);
  const elementBytes = <usize>((p.outChannels + PANEL - 1) / PANEL) * panelBytes;
  const columns = min(PANEL, p.outChannels - panel * PANEL);
  for (let column = 0; column < PANEL; column++) {
    let w = p.w + <usize>(panel * PANEL + column) * <usize>p.channels * 36;
    let to = p.packed + <usize>panel * panelBytes + ((<usize>column) << 2);
    for (let channel = 0; channel < p.channels; channel++, w += 36, to += 4 * PANEL) {
      if (column < columns) transformTaps(SIZE, w, half, whole);
      for (let element = 0; element < LINE * LINE; element++) {
        const value = column < columns ? <f32>load<f64>(whole + ((<usize>element) << 3)) : 0;
        store<f32>(to + <usize>element * elementBytes, value);
      }
    }
  }
}

/** G g Gᵀ of one 3×3 filter. */
@inline
function transformTaps(SIZE: i32, w: usize, half: usize, whole: usize): void {
  const LINE = lineOf(SIZE);
  for (let j: usize = 0; j < 3; j++) {
    const g = w + (j << 2);
    transformWeights(SIZE, load<f32>(g), load<f32>(g, 12), load<f32>(g, 24), half + (j << 3), 24);
  }
  for (let i: usize = 0; i < <usize>LINE; i++) {
    const g = half + i * 24;
    transformWeights(SIZE, load<f64>(g), load<f64>(g, 8), load<f64>(g, 16), whole + i * <usize>LINE * 8, 8);
  }
}

/**
 * Transforms tiles of x, channels last, overlapping by 2, into v [(size + 2)²][batch · tilesHigh · tilesWide][channels],
 * elements `elementStride` floats apart: keep that off multiples of 1024, or their lines share a set of the cache.
 * Tiles: batch · tilesHigh, where tilesHigh = ceil(outHeight / size), tilesWide = ceil(outWidth / size).
 */
@unmanaged
export class WinogradInputParams {
  x: usize = 0;
  v: usize = 0;
  size: i32 = 4;
  height: i32 = 0;
  width: i32 = 0;
  channels: i32 = 0;
  tilesHigh: i32 = 0;
  tilesWide: i32 = 0;
  padTop: i32 = 0;
  padLeft: i32 = 0;
  xPixelStride: i32 = 0;
  elementStride: i32 = 0;
}

export function winogradInput(p: WinogradInputParams, begin: i32, end: i32): void {
  for (let row = begin; row < end; row++) {
    if (p.size == 2) inputRow(2, p, row);
    else inputRow(4, p, row);
  }
}

const HALF_BYTES: usize = 36 * 16;
const PIXELS_BYTES: usize = 36 * 4;

@inline
function inputRow(SIZE: i32, p: WinogradInputParams, row: i32): void {
  const LINE = lineOf(SIZE);
  const half = scratch;
  const pixels = scratch + HALF_BYTES;
  const zeros = pixels + PIXELS_BYTES + 16;
  const rowBytes = <usize>p.channels << 2;
  const pixelBytes = <usize>p.xPixelStride << 2;
  const elementBytes = <usize>p.elementStride << 2;
  const image = p.x + <usize>(row / p.tilesHigh) * <usize>p.height * <usize>p.width * pixelBytes;
  const top = (row % p.tilesHigh) * SIZE - p.padTop;
  let to = p.v + <usize>row * <usize>p.tilesWide * rowBytes;
  memory.fill(zeros, 0, rowBytes);
  for (let tile = 0; tile < p.tilesWide; tile++, to += rowBytes) {
    const left = tile * SIZE - p.padLeft;
    let entry = pixels;
    for (let h = top; h < top + LINE; h++) {
      for (let w = left; w < left + LINE; w++, entry += 4) {
        const inside = <u32>h < <u32>p.height && <u32>w < <u32>p.width;
        store<usize>(entry, inside ? image + (<usize>h * <usize>p.width + <usize>w) * pixelBytes : zeros);
      }
    }
    for (let c: usize = 0; c < rowBytes; c += 16) {
      for (let j: usize = 0; j < <usize>LINE; j++) transformColumn(SIZE, pixels + (j << 2), c, half + (j << 4));
      for (let i: usize = 0; i < <usize>LINE; i++) {
        const from = half + i * <usize>LINE * 16;
        transformLine(SIZE, from, to + c + i * <usize>LINE * elementBytes, elementBytes);
      }
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

/**
 * Transforms the products m [(size + 2)²][batch · tilesHigh · tilesWide][outChannels], elements `elementStride` floats
 * apart, into y, channels last, and applies the epilogue. Tiles: batch · tilesHigh.
 */
@unmanaged
export class WinogradOutputParams extends Epilogue {
  m: usize = 0;
  y: usize = 0;
  size: i32 = 4;
  outHeight: i32 = 0;
  outWidth: i32 = 0;
  outChannels: i32 = 0;
  tilesHigh: i32 = 0;
  tilesWide: i32 = 0;
  yPixelStride: i32 = 0;
  residualPixelStride: i32 = 0;
  elementStride: i32 = 0;
}

export function winogradOutput(p: WinogradOutputParams, begin: i32, end: i32): void {
  for (let row = begin; row < end; row++) {
    if (p.size == 2) outputRow(2, p, row);
    else outputRow(4, p, row);
  }
}

@inline
function outputRow(SIZE: i32, p: WinogradOutputParams, row: i32): void {
  const rowBytes = <usize>p.outChannels << 2;
  const top = (row % p.tilesHigh) * SIZE;
  const rows = min(SIZE, p.outHeight - top);
  const line = <usize>((row / p.tilesHigh) * p.outHeight + top) * <usize>p.outWidth;
  let from = p.m + <usize>row * <usize>p.tilesWide * rowBytes;
  for (let tile = 0; tile < p.tilesWide; tile++, from += rowBytes) {
    const left = tile * SIZE;
    outputTile(SIZE, p, from, line + <usize>left, rows, min(SIZE, p.outWidth - left));
  }
}

@inline
function outputTile(SIZE: i32, p: WinogradOutputParams, from: usize, pixel: usize, rows: i32, columns: i32): void {
  const LINE = lineOf(SIZE);
  const half = scratch;
  const whole = scratch + HALF_BYTES;
  const channelBytes = <usize>p.outChannels << 2;
  const elementBytes = <usize>p.elementStride << 2;
  const yBytes = <usize>p.yPixelStride << 2;
  const residualBytes = <usize>p.residualPixelStride << 2;
  const clips = p.activation == Activation.Clip;
  const low = f32x4.splat(clips ? p.alpha : -Infinity);
  const high = f32x4.splat(clips ? p.beta : Infinity);
  for (let c: usize = 0; c < channelBytes; c += 16) {
    for (let j: usize = 0; j < <usize>LINE; j++) {
      reduceLine(SIZE, from + c + j * elementBytes, <usize>LINE * elementBytes, half + (j << 4), <usize>LINE * 16);
    }
    for (let i: usize = 0; i < <usize>SIZE; i++) {
      reduceLine(SIZE, half + i * <usize>LINE * 16, 16, whole + i * <usize>SIZE * 16, 16);
    }
    const bias = p.bias ? v128.load(p.bias + c) : f32x4.splat(0);
    for (let i = 0; i < rows; i++) {
      const first = pixel + <usize>i * <usize>p.outWidth;
      let sums = whole + <usize>i * <usize>SIZE * 16;
      let y = p.y + first * yBytes + c;
      let residual = p.residual + first * residualBytes + c;
      for (let j = 0; j < columns; j++, sums += 16, y += yBytes, residual += residualBytes) {
        let sum = f32x4.add(v128.load(sums), bias);
        if (p.residual) sum = f32x4.add(sum, v128.load(residual));
        v128.store(y, f32x4.pmin(f32x4.pmax(sum, low), high));
      }
    }
  }
  if (p.activation <= Activation.Clip) return;
  for (let i = 0; i < rows; i++) {
    let y = p.y + (pixel + <usize>i * <usize>p.outWidth) * yBytes;
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
