import { loadLanes, storeLanes } from './lanes';
import { madd } from './math/madd';
import { scratch } from './program';

/**
 * Samples x [batch][depth][height][width][channels] at the positions of grid [batch][points][rank], −1…1 along every axis, the innermost
 * axis first, into y [batch][points][channels]. Missing axes (rank 1 to 3) have length 1.
 * A tile is `tilePoints` points: tiles = ceil(batch·points / tilePoints).
 */
@unmanaged
export class GridSampleParams {
  x: usize = 0;
  grid: usize = 0;
  y: usize = 0;
  batch: i32 = 0;
  depth: i32 = 0;
  height: i32 = 0;
  width: i32 = 0;
  channels: i32 = 0;
  rank: i32 = 0;
  points: i32 = 0;
  mode: i32 = 0;
  padding: i32 = 0;
  alignCorners: i32 = 0;
  tilePoints: i32 = 0;
}

/** The values are the numbers of taps along an axis. */
export enum GridMode {
  Nearest = 1,
  Linear = 2,
  Cubic = 4,
}

export enum GridPadding {
  Zeros,
  Border,
  Reflection,
}

/** Points whose coordinates are computed together. */
const CHUNK: i32 = 64;

/** Bytes of a tap or a pixel: an offset and a weight. */
const TAP: usize = 8;
const AXIS: usize = 4 * TAP;

// The scratch block: integer parts and fractions of the coordinates of a chunk of points, in the grid's order; taps of three axes; pixels
// of one point.
const FRACTIONS: usize = CHUNK * 3 * 4;
const AXES: usize = 2 * FRACTIONS;
const PIXELS: usize = AXES + 3 * AXIS;

export function gridSample(p: GridSampleParams, begin: i32, end: i32): void {
  const to = min(end * p.tilePoints, p.batch * p.points);
  const image = <usize>p.depth * p.height * p.width * p.channels << 2;
  const plane = p.mode == GridMode.Linear && p.rank == 2;
  let at = begin * p.tilePoints;
  while (at < to) {
    const n = at / p.points;
    const count = min(CHUNK, min(to, (n + 1) * p.points) - at);
    const x = p.x + <usize>n * image;
    const y = p.y + (<usize>at * p.channels << 2);
    const grid = p.grid + (<usize>at * p.rank << 2);
    if (plane) sampleBetweenPixels(p, x, grid, y, count);
    else for (let i = 0; i < count; i++) samplePoint(p, x, grid + (<usize>i * p.rank << 2), y + (<usize>i * p.channels << 2));
    at += count;
  }
}

@inline
function coordinate(g: f32, size: i32, alignCorners: i32): f32 {
  return alignCorners ? ((g + 1) / 2) * <f32>(size - 1) : ((g + 1) * <f32>size - 1) / 2;
}

/** Bilinear sampling of a plane: points between four pixels at once, the others tap by tap. */
function sampleBetweenPixels(p: GridSampleParams, x: usize, grid: usize, y: usize, count: i32): void {
  const one = f32x4.splat(1);
  const half = f32x4.splat(0.5);
  const margin: i32 = p.alignCorners;
  const sizes = f32x4.replace_lane(f32x4.splat(<f32>(p.width - margin)), 1, <f32>(p.height - margin));
  const scale = v128.shuffle<i64>(sizes, sizes, 0, 0);
  const shift = f32x4.splat(1 - <f32>margin);
  for (let i = 0; i < 2 * count; i += 4) {
    const at = <usize>i << 2;
    const g = loadLanes(grid + at, 2 * count - i);
    const place = f32x4.mul(f32x4.sub(f32x4.mul(f32x4.add(g, one), scale), shift), half);
    const whole = f32x4.floor(place);
    // NaN becomes −1, which is outside.
    v128.store(scratch + at, v128.or(i32x4.trunc_sat_f32x4_s(whole), f32x4.ne(whole, whole)));
    v128.store(scratch + at, f32x4.sub(place, whole), FRACTIONS);
  }
  const pixel = <usize>p.channels << 2;
  const line = <usize>p.width * pixel;
  const vectors = <usize>(p.channels & ~3) << 2;
  const lanes = p.channels & 3;
  for (let i = 0; i < count; i++, y += pixel) {
    const at = scratch + (<usize>i << 3);
    const column = load<i32>(at);
    const row = load<i32>(at, 4);
    if (<u32>column >= <u32>(p.width - 1) || <u32>row >= <u32>(p.height - 1)) {
      samplePoint(p, x, grid + (<usize>i << 3), y);
      continue;
    }
    const right = load<f32>(at, FRACTIONS);
    const below = load<f32>(at, FRACTIONS + 4);
    const wa = f32x4.splat((1 - right) * (1 - below));
    const wb = f32x4.splat(right * (1 - below));
    const wc = f32x4.splat((1 - right) * below);
    const wd = f32x4.splat(right * below);
    const a = x + <usize>row * line + <usize>column * pixel;
    const c = a + line;
    for (let k: usize = 0; k < vectors; k += 16) {
      const above = madd(v128.load(a + pixel + k), wb, f32x4.mul(v128.load(a + k), wa));
      v128.store(y + k, madd(v128.load(c + pixel + k), wd, madd(v128.load(c + k), wc, above)));
    }
    if (!lanes) continue;
    const k = vectors;
    const above = madd(loadLanes(a + pixel + k, lanes), wb, f32x4.mul(loadLanes(a + k, lanes), wa));
    storeLanes(y + k, madd(loadLanes(c + pixel + k, lanes), wd, madd(loadLanes(c + k, lanes), wc, above)), lanes);
  }
}

/** Samples one point in any mode. */
function samplePoint(p: GridSampleParams, x: usize, grid: usize, y: usize): void {
  const pixel = p.channels << 2;
  const line = p.width * pixel;
  const columns = axisTaps(p, load<f32>(grid), p.width, pixel, scratch + AXES);
  let rows = 1;
  let planes = 1;
  if (p.rank > 1) rows = axisTaps(p, load<f32>(grid, 4), p.height, line, scratch + AXES + AXIS);
  else putTap(scratch + AXES + AXIS, 0, 1);
  if (p.rank > 2) planes = axisTaps(p, load<f32>(grid, 8), p.depth, p.height * line, scratch + AXES + 2 * AXIS);
  else putTap(scratch + AXES + 2 * AXIS, 0, 1);

  let to = scratch + PIXELS;
  for (let i = 0; i < planes; i++) {
    const plane = scratch + AXES + 2 * AXIS + <usize>i * TAP;
    for (let j = 0; j < rows; j++) {
      const row = scratch + AXES + AXIS + <usize>j * TAP;
      const offset = load<i32>(plane) + load<i32>(row);
      const weight = load<f32>(plane, 4) * load<f32>(row, 4);
      for (let k = 0; k < columns; k++, to += TAP) {
        const column = scratch + AXES + <usize>k * TAP;
        putTap(to, offset + load<i32>(column), weight * load<f32>(column, 4));
      }
    }
  }
  sumPixels(p.channels, x, y, to);
}

@inline
function putTap(at: usize, offset: i32, weight: f32): void {
  store<i32>(at, offset);
  store<f32>(at, weight, 4);
}

/**
 * Finds the pixels that position `g` reads along an axis, `step` bytes apart; returns their number. Omits taps in zero padding. In cubic
 * mode the position itself is not padded; each tap is.
 */
function axisTaps(p: GridSampleParams, g: f32, size: i32, step: i32, taps: usize): i32 {
  const exact = coordinate(g, size, p.alignCorners);
  const wanted = p.mode == GridMode.Nearest ? nearest(exact) : exact;
  const place = p.mode == GridMode.Cubic ? exact : padded(p, wanted, size);
  const base = p.mode == GridMode.Nearest ? nearest(place) : floor(place);
  const first: i32 = p.mode == GridMode.Cubic ? -1 : 0;
  let count = 0;
  for (let t = first; t < first + p.mode; t++) {
    const at = base + <f32>t;
    const inside = padded(p, at, size);
    if (!(inside >= 0 && inside < <f32>size)) continue;
    const weight: f32 = p.mode == GridMode.Nearest ? 1 : p.mode == GridMode.Linear ? 1 - abs(place - at) : cubic(place - base - <f32>t);
    if (weight == 0) continue;
    putTap(taps + <usize>count * TAP, <i32>inside * step, weight);
    count++;
  }
  return count;
}

/** Moves a coordinate outside the axis (which includes the outer halves of its pixels) inside, by the padding mode. */
function padded(p: GridSampleParams, x: f32, size: i32): f32 {
  const last = <f32>(size - 1);
  const margin: f32 = p.alignCorners ? 0 : 0.5;
  if (p.padding == GridPadding.Zeros || (x >= -margin && x <= last + margin)) return x;
  return p.padding == GridPadding.Border ? min(max(x, 0), last) : reflected(x, -margin, last + margin);
}

/** Mirrors x at both ends until it lies between them. */
function reflected(x: f32, low: f32, high: f32): f32 {
  const range = high - low;
  if (range == 0) return low;
  const beyond = x < low ? low - x : x > high ? x - high : 0;
  if (beyond == 0) return x;
  const turns = floor(beyond / range);
  const rest = beyond - turns * range;
  const even = floor(turns / 2) * 2 == turns;
  return (x < low) == even ? low + rest : high - rest;
}

/** Keys' convolution kernel with a = −0.75, https://ieeexplore.ieee.org/document/1163711 */
function cubic(x: f32): f32 {
  const d = abs(x);
  if (d <= 1) return (1.25 * d - 2.25) * d * d + 1;
  return d < 2 ? -0.75 * (((d - 5) * d + 8) * d - 4) : 0;
}

/** y = Σ weight · pixel over the taps before `end`: four vectors of channels at a time, then one. */
function sumPixels(channels: i32, x: usize, y: usize, end: usize): void {
  const pixels = scratch + PIXELS;
  let lanes = channels;
  for (; lanes >= 16; lanes -= 16, x += 64, y += 64) {
    let s0 = f32x4.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let tap = pixels; tap < end; tap += TAP) {
      const from = x + <usize>load<u32>(tap);
      const weight = v128.load32_splat(tap, 4);
      s0 = madd(v128.load(from), weight, s0);
      s1 = madd(v128.load(from, 16), weight, s1);
      s2 = madd(v128.load(from, 32), weight, s2);
      s3 = madd(v128.load(from, 48), weight, s3);
    }
    v128.store(y, s0);
    v128.store(y, s1, 16);
    v128.store(y, s2, 32);
    v128.store(y, s3, 48);
  }
  for (; lanes > 0; lanes -= 4, x += 16, y += 16) {
    let sum = f32x4.splat(0);
    for (let tap = pixels; tap < end; tap += TAP) {
      sum = madd(loadLanes(x + <usize>load<u32>(tap), lanes), v128.load32_splat(tap, 4), sum);
    }
    storeLanes(y, sum, lanes);
  }
}
