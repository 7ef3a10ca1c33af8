import { scratch } from '../program';

export const enum DynamicQuantization {
  /** Elements in a tile. */
  Tile = 16384,
}

/** The minimum and maximum of x and 0: a pair of floats for each tile of DynamicQuantization.Tile elements. */
@unmanaged
export class ByteRangeParams {
  x: usize = 0;
  ranges: usize = 0;
  count: u32 = 0;
}

export function byteRange(p: ByteRangeParams, begin: i32, end: i32): void {
  for (let tile = begin; tile < end; tile++) {
    const first = <usize>tile * DynamicQuantization.Tile;
    const count = min<usize>(DynamicQuantization.Tile, <usize>p.count - first);
    let x = p.x + (first << 2);
    let low = f32x4.splat(0), high = low, otherLow = low, otherHigh = low;
    for (const whole = x + ((count & ~7) << 2); x < whole; x += 32) {
      const a = v128.load(x), b = v128.load(x, 16);
      low = f32x4.pmin(low, a);
      high = f32x4.pmax(high, a);
      otherLow = f32x4.pmin(otherLow, b);
      otherHigh = f32x4.pmax(otherHigh, b);
    }
    low = f32x4.pmin(low, otherLow);
    high = f32x4.pmax(high, otherHigh);
    let least = min(min(f32x4.extract_lane(low, 0), f32x4.extract_lane(low, 1)), min(f32x4.extract_lane(low, 2), f32x4.extract_lane(low, 3)));
    let largest = max(max(f32x4.extract_lane(high, 0), f32x4.extract_lane(high, 1)), max(f32x4.extract_lane(high, 2), f32x4.extract_lane(high, 3)));
    for (const last = p.x + ((first + count) << 2); x < last; x += 4) {
      least = min(least, load<f32>(x));
      largest = max(largest, load<f32>(x));
    }
    const to = p.ranges + (<usize>tile << 3);
    store<f32>(to, least);
    store<f32>(to, largest, 4);
  }
}

/**
 * ONNX's DynamicQuantizeLinear of x, with the `ranges` of `tiles` tiles from byteRange: computes y, its scale and its zero point. A tile is
 * DynamicQuantization.Tile elements; the first also writes scale and zero point unless they are 0.
 */
@unmanaged
export class DynamicBytesParams {
  x: usize = 0;
  ranges: usize = 0;
  tiles: i32 = 0;
  y: usize = 0;
  scale: usize = 0;
  zero: usize = 0;
  count: u32 = 0;
}

/** Adding this to a float below 2²² leaves the nearest integer, ties to even, in the lowest bits. */
const ROUNDING: f32 = 12582912;

export function dynamicBytes(p: DynamicBytesParams, begin: i32, end: i32): void {
  let least: f32 = 0, largest: f32 = 0;
  for (let at = p.ranges, last = at + (<usize>p.tiles << 3); at < last; at += 8) {
    least = min(least, load<f32>(at));
    largest = max(largest, load<f32>(at, 4));
  }
  const range = largest - least;
  const scale: f32 = range == 0 ? 1 : range / 255;
  const zero = nearest<f32>(min<f32>(max<f32>(-(least / scale), 0), 255));
  if (begin == 0) {
    if (p.scale) store<f32>(p.scale, scale);
    if (p.zero) store<u8>(p.zero, <u8>(<i32>zero));
  }
  const first = <usize>begin * DynamicQuantization.Tile;
  const count = min(<usize>end * DynamicQuantization.Tile, <usize>p.count) - first;
  const whole = count & ~15;
  const x = p.x + (first << 2), y = p.y + first;
  quantise(x, y, whole, scale, zero);
  if (whole == count) return;
  const left = count - whole, staged = scratch + 64;
  for (let i: usize = 0; i < left; i++) store<f32>(staged + (i << 2), load<f32>(x + ((whole + i) << 2)));
  quantise(staged, scratch, 16, scale, zero);
  for (let i: usize = 0; i < left; i++) store<u8>(y + whole + i, load<u8>(scratch + i));
}

function quantise(x: usize, y: usize, count: usize, scale: f32, zero: f32): void {
  const steps = f32x4.splat(scale), low = f32x4.splat(-zero), high = f32x4.splat(255 - zero), round = f32x4.splat(ROUNDING);
  const moved = i32x4.splat(reinterpret<i32>(ROUNDING) - <i32>zero);
  for (const end = y + count; y < end; x += 64, y += 16) {
    const a = i16x8.narrow_i32x4_s(steppedAt(x, steps, low, high, round, moved), steppedAt(x + 16, steps, low, high, round, moved));
    const b = i16x8.narrow_i32x4_s(steppedAt(x + 32, steps, low, high, round, moved), steppedAt(x + 48, steps, low, high, round, moved));
    v128.store(y, i8x16.narrow_i16x8_u(a, b));
  }
}

@inline
function steppedAt(x: usize, steps: v128, low: v128, high: v128, round: v128, moved: v128): v128 {
  const within = f32x4.pmin(f32x4.pmax(f32x4.div(v128.load(x), steps), low), high);
  return i32x4.sub(f32x4.add(within, round), moved);
}
