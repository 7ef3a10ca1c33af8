import type { Placement, Size } from './fit.js';

/** Samples by row, `stride` per pixel; only the first `channels` are used. */
export interface Raster extends Size {
  readonly samples: Uint8Array | Uint16Array | Float32Array;
  readonly stride: number;
  readonly channels: number;
}

/**
 * Scales and places a picture, and returns its part in the target; `border`, one sample per channel, elsewhere. Linear interpolation; when
 * the picture shrinks, the triangle filter widens with the step, as in Pillow and torchvision (antialias).
 */
export function resample(raster: Raster, target: Size, placement: Placement, border: readonly number[]): Float32Array {
  const { channels } = raster;
  const across = tapsOf(raster.width, placement.width, -placement.left, target.width);
  const down = tapsOf(raster.height, placement.height, -placement.top, target.height);
  const rows = scaleRows(raster, across, down.from, down.to);
  const pixels = new Float32Array(target.width * target.height * channels);
  if (across.begin > 0 || down.begin > 0 || across.end < target.width || down.end < target.height)
    for (let i = 0; i < pixels.length; i++) pixels[i] = border[i % channels] as number;
  const rowLength = (across.end - across.begin) * channels;
  for (let y = down.begin; y < down.end; y++) {
    const at = (y * target.width + across.begin) * channels;
    pixels.fill(0, at, at + rowLength);
    addRows(pixels, at, rows, rowLength, down, y);
  }
  return pixels;
}

/** Source positions and weights of target positions along an axis. */
interface Taps {
  /** Range of target positions that the picture covers. */
  readonly begin: number;
  readonly end: number;
  /** Range of source positions that these read. */
  readonly from: number;
  readonly to: number;
  /** First source position of each target position. */
  readonly first: Int32Array;
  /** Weights, `most` for each target position. */
  readonly weights: Float64Array;
  readonly most: number;
}

/** Computes the taps of `count` positions, from `offset` on, of a line of `from` samples scaled to `to`. */
function tapsOf(from: number, to: number, offset: number, count: number): Taps {
  const step = from / to;
  const radius = Math.max(step, 1);
  const most = Math.min(from, Math.ceil(2 * radius) + 1);
  const first = new Int32Array(count);
  const weights = new Float64Array(count * most);
  const begin = Math.min(count, Math.max(0, -offset));
  const end = Math.max(begin, Math.min(count, to - offset));
  for (let i = begin; i < end; i++) {
    const center = (i + offset + 0.5) * step;
    const start = Math.max(0, Math.min(Math.ceil(center - radius - 0.5), from - most));
    let sum = 0;
    for (let k = 0; k < most; k++) {
      const weight = Math.max(0, 1 - Math.abs(start + k + 0.5 - center) / radius);
      weights[i * most + k] = weight;
      sum += weight;
    }
    for (let k = 0; k < most; k++) weights[i * most + k] = (weights[i * most + k] as number) / sum;
    first[i] = start;
  }
  const [low, high] = begin < end ? [first[begin] as number, (first[end - 1] as number) + most] : [0, 0];
  return { begin, end, from: low, to: high, first, weights, most };
}

/** Scales the source's rows `top` … `bottom` horizontally. */
function scaleRows(
  { samples, stride, channels, width }: Raster,
  taps: Taps,
  top: number,
  bottom: number,
): Float32Array {
  const { begin, end, first, weights, most } = taps;
  const rows = new Float32Array((bottom - top) * (end - begin) * channels);
  let at = 0;
  for (let y = top; y < bottom; y++)
    for (let x = begin; x < end; x++) {
      const source = (y * width + (first[x] as number)) * stride;
      for (let c = 0; c < channels; c++) {
        let sum = 0;
        for (let k = 0; k < most; k++)
          sum += (weights[x * most + k] as number) * (samples[source + k * stride + c] as number);
        rows[at++] = sum;
      }
    }
  return rows;
}

function addRows(
  pixels: Float32Array,
  at: number,
  rows: Float32Array,
  rowLength: number,
  { first, weights, most, from }: Taps,
  y: number,
): void {
  for (let k = 0; k < most; k++) {
    const weight = weights[y * most + k] as number;
    const source = ((first[y] as number) - from + k) * rowLength;
    for (let i = 0; i < rowLength; i++)
      pixels[at + i] = (pixels[at + i] as number) + weight * (rows[source + i] as number);
  }
}
