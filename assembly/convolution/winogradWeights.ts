import { ceilDiv } from '../ceil-div';
import { PANEL } from '../matmul/microkernel';
import { scratch } from '../program';
import { lineOf, transformWeights } from './winogradTransforms';

/**
 * Transforms ONNX weights [outChannels, channels, 3, 3] into the packed B of `matmul`:
 * [(size + 2)²][ceil(outChannels / 8)][channels][8], zero-padded. The original weights follow, packed like `packConvolution`:
 * [ceil(outChannels / 8)][9][channels][8]. Tiles: ceil(outChannels / MatMulTile.Panel).
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

/** Computes G g Gᵀ of the filters of four adjacent columns of a panel at a time, channel by channel. */
@inline
function packPanel(SIZE: i32, p: WinogradWeightsParams, panel: i32): void {
  const LINE = lineOf(SIZE);
  const panelBytes = <usize>p.channels * (4 * PANEL);
  const elementBytes = <usize>ceilDiv(p.outChannels, PANEL) * panelBytes;
  const filter = <usize>p.channels * 36;
  const half = scratch;
  const direct = p.packed + <usize>(LINE * LINE) * elementBytes + <usize>panel * 9 * panelBytes;
  for (let column = 0; column < PANEL; column += 4) {
    const count = p.outChannels - panel * PANEL - column;
    let w = p.w + <usize>(panel * PANEL + column) * filter;
    let to = p.packed + <usize>panel * panelBytes + ((<usize>column) << 2);
    let tap = direct + ((<usize>column) << 2);
    for (let channel = 0; channel < p.channels; channel++, w += 36, to += 4 * PANEL, tap += 4 * PANEL) {
      for (let j: usize = 0; j < 3; j++) {
        const g = w + (j << 2);
        const g0 = tapOf(g, filter, count);
        const g1 = tapOf(g + 12, filter, count);
        const g2 = tapOf(g + 24, filter, count);
        v128.store(tap + j * panelBytes, g0);
        v128.store(tap + (3 + j) * panelBytes, g1);
        v128.store(tap + (6 + j) * panelBytes, g2);
        transformWeights(SIZE, g0, g1, g2, half + (j << 4), 48);
      }
      for (let i: usize = 0; i < <usize>LINE; i++) {
        const g = half + i * 48;
        const row = to + i * <usize>LINE * elementBytes;
        transformWeights(SIZE, v128.load(g), v128.load(g, 16), v128.load(g, 32), row, elementBytes);
      }
    }
  }
}

/** One tap of four filters; 0 for filters past the last. */
@inline
function tapOf(w: usize, filter: usize, count: i32): v128 {
  let taps = f32x4.splat(0);
  if (count > 0) taps = v128.load32_zero(w);
  if (count > 1) taps = v128.load_lane<f32>(w + filter, taps, 1);
  if (count > 2) taps = v128.load_lane<f32>(w + 2 * filter, taps, 2);
  if (count > 3) taps = v128.load_lane<f32>(w + 3 * filter, taps, 3);
  return taps;
}
