import { ceilDiv } from '../ceil-div';
import { PANEL, PANEL_HEAD } from './integer-epilogue';

/**
 * Packs 8-bit weights for `integerMatMul` and `integerConvolution`: element (tap, channel, column) of a matrix is at tap·tapStride +
 * channel·channelStride + column·columnStride; matrices are `matrixStride` apart, in bytes. Panels [matrices][ceil(columns / 8)] hold the
 * sum of each column as i32, then [ceil(K / group)][8][group], zero-padded, where K = taps · channels and `group` is 4, or 2 for
 * IntegerDots.Pairs; if `closed`, each tap's channels are padded to whole groups. Unsigned weights have `flip` 128, and are reduced by 128.
 * Tiles: matrices · ceil(columns / 8).
 */
@unmanaged
export class PackIntegersParams {
  w: usize = 0;
  packed: usize = 0;
  columns: i32 = 0;
  taps: i32 = 1;
  channels: i32 = 0;
  tapStride: i32 = 0;
  channelStride: i32 = 0;
  columnStride: i32 = 1;
  matrixStride: i32 = 0;
  group: i32 = 4;
  closed: i32 = 0;
  flip: i32 = 0;
}

@inline
export function panelBytesOf(depth: i32, group: i32): usize {
  return PANEL_HEAD + <usize>ceilDiv(depth, group) * <usize>(group * PANEL);
}

export function packIntegers(p: PackIntegersParams, begin: i32, end: i32): void {
  const panels = ceilDiv(p.columns, PANEL);
  const own = p.closed ? ceilDiv(p.channels, p.group) * p.group : p.channels;
  const bytes = panelBytesOf(p.taps * own, p.group);
  for (let tile = begin; tile < end; tile++) {
    const matrix = p.w + <usize>(tile / panels) * <usize>p.matrixStride;
    const first = (tile % panels) * PANEL;
    const panel = p.packed + <usize>tile * bytes;
    memory.fill(panel, 0, bytes);
    const columns = min(PANEL, p.columns - first);
    for (let c = 0; c < columns; c++) packColumn(p, matrix + <usize>(first + c) * <usize>p.columnStride, panel, c);
  }
}

function packColumn(p: PackIntegersParams, w: usize, panel: usize, column: i32): void {
  const group = p.group;
  let to = panel + PANEL_HEAD + <usize>(column * group);
  let sum = 0, inGroup = 0;
  for (let tap = 0; tap < p.taps; tap++, w += p.tapStride) {
    let from = w;
    for (let channel = 0; channel < p.channels; channel++, from += p.channelStride) {
      const value = <i32>(<i8>(<i32>load<u8>(from) ^ p.flip));
      sum += value;
      store<i8>(to + <usize>inGroup, <i8>value);
      if (++inGroup < group) continue;
      inGroup = 0;
      to += <usize>(group * PANEL);
    }
    if (!p.closed || inGroup == 0) continue;
    inGroup = 0;
    to += <usize>(group * PANEL);
  }
  store<i32>(panel + (<usize>column << 2), sum);
}
