import { PANEL } from '../matmul/microkernel';
import { scratch } from '../program';
import { lineOf, transformWeights } from './winogradTransforms';

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
