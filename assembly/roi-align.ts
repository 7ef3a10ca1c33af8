import { loadLanes, storeLanes } from './lanes';
import { largest } from './math/largest';
import { madd } from './math/madd';
import { scratch } from './program';

/**
 * Pools each region of x [images][height][width][channels] into outHeight × outWidth bins, y [regions][outHeight][outWidth][channels]: the
 * mean of a bin's samples, each interpolated between four pixels, or with `maximum` the largest weighted pixel. regions [regions][x1, y1,
 * x2, y2] are multiplied by `scale`, then moved by `shift`; `least` is their smallest side. images (i64) holds each region's image index;
 * `flag` becomes 1 if one is out of range. A bin has `sampling` samples along a side; 0: the side's length in pixels, rounded up.
 * A tile is `tileBins` bins: tiles = ceil(regions·outHeight·outWidth / tileBins).
 */
@unmanaged
export class RoiAlignParams {
  x: usize = 0;
  rois: usize = 0;
  images: usize = 0;
  y: usize = 0;
  flag: usize = 0;
  batch: i32 = 0;
  height: i32 = 0;
  width: i32 = 0;
  channels: i32 = 0;
  regions: i32 = 0;
  outHeight: i32 = 0;
  outWidth: i32 = 0;
  sampling: i32 = 0;
  maximum: i32 = 0;
  scale: f32 = 1;
  shift: f32 = 0;
  least: f32 = 0;
  tileBins: i32 = 0;
}

/** Maximum number of samples along a side of a bin: for two sides, two pixels of eight bytes per sample fit into the scratch block. */
const SAMPLES: f32 = 16384;

/** Header of a list of the pixels that the samples along one side of a bin read. Each pixel is an offset and a weight. */
@unmanaged
class Side {
  samples: i32 = 0;
  pixels: i32 = 0;
}

const TAP: usize = 8;
const SIDE: usize = <usize>SAMPLES * 2 * TAP + offsetof<Side>();

export function roiAlign(p: RoiAlignParams, begin: i32, end: i32): void {
  const bins = p.outHeight * p.outWidth;
  const to = min(end * p.tileBins, p.regions * bins);
  const pixel = p.channels << 2;
  const rows = changetype<Side>(scratch);
  const columns = changetype<Side>(scratch + SIDE);
  for (let bin = begin * p.tileBins; bin < to; bin++) {
    const region = bin / bins;
    const image = load<i64>(p.images + (<usize>region << 3));
    if (image < 0 || image >= p.batch) {
      store<i32>(p.flag, 1);
      continue;
    }
    const oy = (bin - region * bins) / p.outWidth;
    const ox = bin % p.outWidth;
    const roi = p.rois + (<usize>region << 4);
    sampleSide(p, rows, load<f32>(roi, 4), load<f32>(roi, 12), oy, p.outHeight, p.height, pixel * p.width);
    sampleSide(p, columns, load<f32>(roi), load<f32>(roi, 8), ox, p.outWidth, p.width, pixel);
    const x = p.x + <usize>image * p.height * p.width * pixel;
    const y = p.y + <usize>bin * pixel;
    if (p.maximum) foldBin(p.channels, x, y, rows, columns, true);
    else foldBin(p.channels, x, y, rows, columns, false);
  }
}

@inline
function firstTap(side: Side): usize {
  return changetype<usize>(side) + offsetof<Side>();
}

@inline
function endTap(side: Side): usize {
  return firstTap(side) + <usize>side.pixels * TAP;
}

/** Finds the samples of bin `o` of `out` between two edges; samples more than a pixel outside read nothing. */
function sampleSide(p: RoiAlignParams, side: Side, from: f32, to: f32, o: i32, out: i32, size: i32, step: i32): void {
  const origin = from * p.scale + p.shift;
  const bin = max(to * p.scale + p.shift - origin, p.least) / <f32>out;
  const start = origin + <f32>o * bin;
  side.samples = p.sampling > 0 ? min(p.sampling, <i32>SAMPLES) : <i32>min(max(ceil(bin), 0), SAMPLES);
  let tap = firstTap(side);
  for (let i = 0; i < side.samples; i++) {
    const at = start + ((<f32>i + 0.5) * bin) / <f32>side.samples;
    if (!(at >= -1 && at <= <f32>size)) continue;
    const inside = min(max(at, 0), <f32>(size - 1));
    const low = <i32>inside;
    const share = inside - <f32>low;
    store<i32>(tap, low * step);
    store<f32>(tap, 1 - share, 4);
    store<i32>(tap, min(low + 1, size - 1) * step, TAP);
    store<f32>(tap, share, TAP + 4);
    tap += 2 * TAP;
  }
  side.pixels = <i32>((tap - firstTap(side)) / TAP);
}

/** Pools all channels of a bin: four vectors at a time, then one. */
@inline
function foldBin(channels: i32, x: usize, y: usize, rows: Side, columns: Side, maximum: bool): void {
  const samples = rows.samples * columns.samples;
  const complete = samples > 0 && rows.pixels * columns.pixels == 4 * samples;
  const initial = f32x4.splat(maximum && complete ? f32.NEGATIVE_INFINITY : 0);
  const divisor = f32x4.splat(maximum ? 1 : <f32>max(samples, 1));
  const rowEnd = endTap(rows);
  const columnEnd = endTap(columns);
  let lanes = channels;
  for (; lanes >= 16; lanes -= 16, x += 64, y += 64) {
    let a = initial;
    let b = initial;
    let c = initial;
    let d = initial;
    for (let row = firstTap(rows); row < rowEnd; row += TAP) {
      const line = x + <usize>load<u32>(row);
      for (let column = firstTap(columns); column < columnEnd; column += TAP) {
        const at = line + <usize>load<u32>(column);
        const weight = f32x4.splat(load<f32>(row, 4) * load<f32>(column, 4));
        a = fold(a, v128.load(at), weight, maximum);
        b = fold(b, v128.load(at, 16), weight, maximum);
        c = fold(c, v128.load(at, 32), weight, maximum);
        d = fold(d, v128.load(at, 48), weight, maximum);
      }
    }
    v128.store(y, f32x4.div(a, divisor));
    v128.store(y, f32x4.div(b, divisor), 16);
    v128.store(y, f32x4.div(c, divisor), 32);
    v128.store(y, f32x4.div(d, divisor), 48);
  }
  for (; lanes > 0; lanes -= 4, x += 16, y += 16) {
    let acc = initial;
    for (let row = firstTap(rows); row < rowEnd; row += TAP) {
      const line = x + <usize>load<u32>(row);
      for (let column = firstTap(columns); column < columnEnd; column += TAP) {
        const weight = f32x4.splat(load<f32>(row, 4) * load<f32>(column, 4));
        acc = fold(acc, loadLanes(line + <usize>load<u32>(column), lanes), weight, maximum);
      }
    }
    storeLanes(y, f32x4.div(acc, divisor), lanes);
  }
}

@inline
function fold(acc: v128, v: v128, weight: v128, maximum: bool): v128 {
  return maximum ? largest(acc, f32x4.mul(v, weight)) : madd(v, weight, acc);
}
