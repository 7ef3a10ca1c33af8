import { ceilDiv } from '../ceil-div';
import { float16sToFloats, float16ToFloat } from '../math/float16';
import { PANEL } from '../matmul/microkernel';
import { LEAST_UNFIT } from './widen';

/**
 * Packs float16 weights for `halfProduct` and `widenHalves`: panels [groups][ceil(columns / 8)][taps][channels][8], zero-padded;
 * halves/widen.ts describes the format. Weight (group, tap, channel, column) has index group·groupStride + tap·tapStride +
 * channel·channelStride + column·columnStride in `w`. Sets `unfit` of a panel to 1 if the format cannot represent one of its weights.
 * Tiles: groups · ceil(columns / MatMulTile.Panel).
 */
@unmanaged
export class PackHalvesParams {
  w: usize = 0;
  packed: usize = 0;
  unfit: usize = 0;
  columns: i32 = 0;
  channels: i32 = 0;
  taps: i32 = 1;
  groupStride: i32 = 0;
  tapStride: i32 = 0;
  channelStride: i32 = 0;
  columnStride: i32 = 1;
}

export function packHalves(p: PackHalvesParams, begin: i32, end: i32): void {
  const panels = ceilDiv(p.columns, PANEL);
  const rows = <usize>p.taps * <usize>p.channels;
  for (let tile = begin; tile < end; tile++) {
    const column = (tile % panels) * PANEL;
    const w = p.w + ((<usize>(tile / panels) * <usize>p.groupStride + <usize>column * <usize>p.columnStride) << 1);
    const to = p.packed + ((<usize>tile * rows) << 4);
    const columns = min(PANEL, p.columns - column);
    const largest = columns == PANEL && p.columnStride == 1 ? packRows(p, w, to) : packColumns(p, w, to, columns);
    if (largest >= LEAST_UNFIT) store<i32>(p.unfit, 1);
  }
}

/** Packs adjacent columns; returns the largest magnitude of a half, or an upper bound. */
function packRows(p: PackHalvesParams, w: usize, to: usize): u32 {
  const bits = i16x8.splat(0x7fff);
  let largest = i16x8.splat(0);
  for (let tap = 0; tap < p.taps; tap++) {
    let from = w + ((<usize>tap * <usize>p.tapStride) << 1);
    for (let channel = 0; channel < p.channels; channel++, from += (<usize>p.channelStride) << 1, to += 16) {
      const halves = v128.load(from);
      largest = i16x8.max_s(largest, v128.and(halves, bits));
      const lower = raised(float16sToFloats(i32x4.extend_low_i16x8_u(halves)));
      const upper = raised(float16sToFloats(i32x4.extend_high_i16x8_u(halves)));
      v128.store(to, v128.or(lower, i32x4.shl(upper, 16)));
    }
  }
  let most: u32 = 0;
  for (let lane = 0; lane < 4; lane++) {
    const pair = i32x4.extract_lane(largest, 0);
    most = max(most, max(<u32>pair & 0xffff, <u32>pair >>> 16));
    largest = v128.shuffle<i32>(largest, largest, 1, 2, 3, 0);
  }
  return most;
}

/** The bits of four numbers times 2^10 as float16. */
@inline
function raised(x: v128): v128 {
  const bits = f32x4.mul(x, f32x4.splat(1024));
  const magnitude = i32x4.sub(v128.and(bits, i32x4.splat(0x7fffffff)), i32x4.splat(0x38000000));
  const half = i32x4.shr_u(i32x4.max_s(magnitude, i32x4.splat(0)), 13);
  return v128.or(half, v128.and(i32x4.shr_u(bits, 16), i32x4.splat(0x8000)));
}

/** Packs columns at any stride; the last panel may have fewer than 8. */
function packColumns(p: PackHalvesParams, w: usize, to: usize, columns: i32): u32 {
  const rowBytes = (<usize>p.channelStride) << 1;
  let largest: u32 = 0;
  for (let column = 0; column < PANEL; column++) {
    let at = to + (<usize>(column & 3) << 2) + (<usize>(column >> 2) << 1);
    for (let tap = 0; tap < p.taps; tap++) {
      let from = w + ((<usize>tap * <usize>p.tapStride + <usize>column * <usize>p.columnStride) << 1);
      for (let channel = 0; channel < p.channels; channel++, from += rowBytes, at += 16) {
        const half = column < columns ? <u32>load<u16>(from) : 0;
        largest = max(largest, half & 0x7fff);
        store<u16>(at, raisedHalf(half));
      }
    }
  }
  return largest;
}

/** A float16 below 64, times 2^10. */
@inline
function raisedHalf(half: u32): u32 {
  if (half & 0x7c00) return half + (10 << 10);
  if ((half & 0x3ff) == 0) return half;
  const bits = reinterpret<u32>(float16ToFloat(half) * 1024);
  return (((bits & 0x7fffffff) - 0x38000000) >> 13) | (half & 0x8000);
}
