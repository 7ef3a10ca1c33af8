import { ceilDiv } from '../ceil-div';
import { PANEL } from '../matmul/microkernel';

/**
 * Packs ONNX convolution weights [groups · outChannels, channels, taps…] (channels per group) for `convolution`, into panels
 * [groups][ceil(outChannels / 8)][taps][channels][8], zero-padded. Tiles: groups · ceil(outChannels / MatMulTile.Panel).
 *
 * Groups narrower than a panel would waste it: `merge` adjacent groups become one, with merge · channels and merge · outChannels and zeros
 * off the diagonal. `groups`, `channels` and `outChannels` are those after merging, as for `convolution`.
 */
@unmanaged
export class PackConvolutionParams {
  w: usize = 0;
  packed: usize = 0;
  groups: i32 = 1;
  channels: i32 = 0;
  outChannels: i32 = 0;
  taps: i32 = 0;
  merge: i32 = 1;
}

export function packConvolution(p: PackConvolutionParams, begin: i32, end: i32): void {
  const panels = ceilDiv(p.outChannels, PANEL);
  const depth = <usize>p.channels * <usize>p.taps;
  for (let tile = begin; tile < end; tile++) {
    const group = tile / panels;
    const first = (tile % panels) * PANEL;
    const panel = p.packed + <usize>tile * depth * (4 * PANEL);
    for (let column = 0; column < PANEL; column++) {
      packColumn(p, group, first + column, panel + ((<usize>column) << 2));
    }
  }
}

/** Packs the weights of one output channel, or zeros past the last. */
function packColumn(p: PackConvolutionParams, group: i32, column: i32, to: usize): void {
  const channels = p.channels / p.merge;
  const own = column < p.outChannels ? (column / (p.outChannels / p.merge)) * channels : -channels;
  const w = p.w + ((<usize>(group * p.outChannels + column) * <usize>channels * <usize>p.taps) << 2);
  for (let tap = 0; tap < p.taps; tap++) {
    for (let channel = 0; channel < p.channels; channel++, to += 4 * PANEL) {
      const c = channel - own;
      const inside = <u32>c < <u32>channels && own >= 0;
      store<f32>(to, inside ? load<f32>(w + ((<usize>c * <usize>p.taps + <usize>tap) << 2)) : 0);
    }
  }
}
