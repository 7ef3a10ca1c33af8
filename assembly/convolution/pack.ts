import { PANEL } from '../matmul/microkernel';

/**
 * Packs ONNX convolution weights [groups · outChannels, channels, taps…] (channels per group) for `convolution`: panels
 * [groups][ceil(outChannels / 8)][taps][channels][8], zero-padded. Tiles: groups · ceil(outChannels / MatMulTile.Panel).
 */
@unmanaged
export class PackConvolutionParams {
  w: usize = 0;
  packed: usize = 0;
  groups: i32 = 1;
  channels: i32 = 0;
  outChannels: i32 = 0;
  taps: i32 = 0;
}

export function packConvolution(p: PackConvolutionParams, begin: i32, end: i32): void {
  const panels = (p.outChannels + PANEL - 1) / PANEL;
  const depth = <usize>p.channels * <usize>p.taps;
  for (let tile = begin; tile < end; tile++) {
    const first = (tile % panels) * PANEL;
    const columns = min(PANEL, p.outChannels - first);
    const w = p.w + ((<usize>((tile / panels) * p.outChannels + first) * depth) << 2);
    let to = p.packed + <usize>tile * depth * (4 * PANEL);
    for (let tap = 0; tap < p.taps; tap++) {
      for (let channel = 0; channel < p.channels; channel++, to += 4 * PANEL) {
        let from = w + ((<usize>channel * <usize>p.taps + <usize>tap) << 2);
        for (let c = 0; c < PANEL; c++, from += depth << 2) {
          store<f32>(to + ((<usize>c) << 2), c < columns ? load<f32>(from) : 0);
        }
      }
    }
  }
}
