import type { Histogram, Summary } from '../contracts/tensors.js';
import type { Numbers } from './pieces.js';

/** The number of bins in a sketch. Their width is a power of two, and zero is the border between the middle two. */
const BINS = 1 << 16;
const HALF = BINS / 2;

/** Single-pass statistics of numbers that arrive piece by piece. */
export interface Sketch {
  count: number;
  nan: number;
  infinite: number;
  zeros: number;
  min: number;
  max: number;
  /** The mean of the finite numbers, and the sum of squared distances from it. */
  mean: number;
  squares: number;
  /** Bin i counts numbers from (i − 2¹⁵) · 2^exponent up to the start of the next bin. */
  exponent: number;
  counts: Uint32Array;
}

export const newSketch = (): Sketch => ({
  count: 0,
  nan: 0,
  infinite: 0,
  zeros: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  mean: 0,
  squares: 0,
  exponent: -1000,
  counts: new Uint32Array(BINS),
});

/** The number of elements processed together: they stay in the cache for the second pass. */
const BLOCK = 8192;

export function addNumbers(sketch: Sketch, numbers: Numbers): void {
  for (let begin = 0; begin < numbers.length; begin += BLOCK)
    addBlock(sketch, numbers.subarray(begin, begin + BLOCK) as Float32Array);
}

/** Merges the means and squares of blocks as Chan, Golub and LeVeque do: https://doi.org/10.1080/00031305.1983.10483115 */
function addBlock(sketch: Sketch, block: Numbers): void {
  let [finite, ends] = [block, endsOf(block)];
  // A sum with infinities or NaN is never finite.
  if (!Number.isFinite(ends.sum)) {
    finite = finiteOf(sketch, block);
    ends = endsOf(finite);
  }
  const before = sketch.count - sketch.nan - sketch.infinite;
  sketch.count += finite.length;
  if (finite.length === 0) return;
  sketch.zeros += ends.zeros;
  sketch.min = Math.min(sketch.min, ends.min);
  sketch.max = Math.max(sketch.max, ends.max);
  widen(sketch, Math.max(Math.abs(sketch.min), Math.abs(sketch.max)));
  const mean = ends.sum / finite.length;
  const distance = mean - sketch.mean;
  const all = before + finite.length;
  sketch.squares += countBins(sketch, finite, mean) + (distance * distance * before * finite.length) / all;
  sketch.mean += (distance * finite.length) / all;
}

/** The finite numbers of a block; counts the others. */
function finiteOf(sketch: Sketch, block: Numbers): Numbers {
  const finite = (block as Float64Array).filter(Number.isFinite);
  const nan = (block as Float64Array).filter(Number.isNaN).length;
  sketch.nan += nan;
  sketch.infinite += block.length - finite.length - nan;
  sketch.count += block.length - finite.length;
  return finite;
}

/** The minimum, the maximum, the number of zeros, and the sum. */
function endsOf(block: Numbers) {
  let [sum, zeros] = [0, 0];
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < block.length; i++) {
    const x = block[i] as number;
    sum += x;
    if (x === 0) zeros++;
    if (x < min) min = x;
    if (x > max) max = x;
  }
  return { sum, zeros, min, max };
}

/** Counts numbers in bins, and returns the sum of their squared distances from the mean of their block. */
function countBins({ counts, exponent }: Sketch, block: Numbers, mean: number): number {
  const scale = 2 ** -exponent;
  let squares = 0;
  for (let i = 0; i < block.length; i++) {
    const x = block[i] as number;
    squares += (x - mean) * (x - mean);
    const bin = (x * scale + HALF) | 0;
    counts[bin] = (counts[bin] as number) + 1;
  }
  return squares;
}

/** Makes bins wide enough for a number of this magnitude: each doubling of their width merges neighbors. */
function widen(sketch: Sketch, size: number): void {
  if (size === 0) return;
  const wanted = Math.max(-1000, Math.floor(Math.log2(size)) + 2 - Math.log2(HALF));
  const shift = Math.min(wanted - sketch.exponent, 31);
  if (shift <= 0) return;
  const joined = new Uint32Array(BINS);
  for (let i = 0; i < BINS; i++) {
    const to = ((i - HALF) >> shift) + HALF;
    joined[to] = (joined[to] as number) + (sketch.counts[i] as number);
  }
  sketch.counts = joined;
  sketch.exponent = wanted;
}

export function summaryOf(sketch: Sketch): Summary {
  const { count, nan, infinite, zeros } = sketch;
  const finite = count - nan - infinite;
  const told = (value: number) => (finite === 0 ? Number.NaN : value);
  const deviation = told(Math.sqrt(sketch.squares / finite));
  const [mean, min, max] = [told(sketch.mean), told(sketch.min), told(sketch.max)];
  const outliers = finite === 0 ? 0 : beyond(sketch, 5 * deviation);
  return { count, nan, infinite, zeros, min, max, mean, deviation, outliers, histogram: histogramOf(sketch) };
}

function beyond({ counts, exponent, mean }: Sketch, distance: number): number {
  const width = 2 ** exponent;
  let outside = 0;
  for (let i = 0; i < BINS; i++) {
    const low = (i - HALF) * width;
    if (low > mean + distance || low + width < mean - distance) outside += counts[i] as number;
  }
  return outside;
}

const BARS = 80;

function histogramOf({ counts, exponent }: Sketch): Histogram {
  const first = counts.findIndex((each) => each > 0);
  const last = counts.findLastIndex((each) => each > 0);
  if (first < 0) return { low: 0, width: 1, counts: new Float64Array() };
  const bins = Math.ceil((last - first + 1) / BARS);
  const bars = new Float64Array(Math.ceil((last - first + 1) / bins));
  for (let i = first; i <= last; i++) {
    const bar = Math.floor((i - first) / bins);
    bars[bar] = (bars[bar] as number) + (counts[i] as number);
  }
  return { low: (first - HALF) * 2 ** exponent, width: bins * 2 ** exponent, counts: bars };
}
