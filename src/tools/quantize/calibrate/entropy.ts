import type { Range } from '../static/parameters.js';
import type { Histogram } from './histogram.js';
import type { CalibrationSettings } from './options.js';

const sumOf = (counts: Float64Array, begin: number, end: number): number => {
  let sum = 0;
  for (let i = begin; i < end; i++) sum += counts[i] as number;
  return sum;
};

/** Quantizes a distribution to a number of levels, and spreads the count of each over its non-empty bins. */
function throughLevels(slice: Float64Array, p: Float64Array, levels: number, compatible: boolean): Float64Array {
  const q = new Float64Array(slice.length);
  const width = Math.floor(slice.length / levels);
  for (let level = 0; level < levels; level++) {
    const begin = level * width;
    const isLast = level === levels - 1;
    const end = isLast ? slice.length : begin + width;
    // onnxruntime adds the remaining bins to the last level, but does not spread the count to them, and truncates
    // counts to integers.
    const stop = compatible ? begin + width : end;
    const filled = p.subarray(begin, stop).reduce((count, x) => count + (x === 0 ? 0 : 1), 0);
    const share = sumOf(slice, begin, end) / filled;
    const each = compatible ? Math.floor(share) : share;
    if (filled > 0) for (let i = begin; i < stop; i++) if (compatible || p[i] !== 0) q[i] = each;
  }
  return q;
}

/** Moves a small count to each empty bin. */
function smoothed(counts: Float64Array, little = 0.0001): Float64Array | undefined {
  const empty = counts.reduce((count, x) => count + (x === 0 ? 1 : 0), 0);
  const filled = counts.length - empty;
  if (filled === 0) return undefined;
  const less = (little * empty) / filled;
  return counts.map((x) => (x === 0 ? little : x - less));
}

/** The Kullback-Leibler divergence of two distributions. */
function divergence(p: Float64Array | undefined, q: Float64Array | undefined): number {
  if (!p || !q) return Number.POSITIVE_INFINITY;
  const [ofP, ofQ] = [sumOf(p, 0, p.length), sumOf(q, 0, q.length)];
  let sum = 0;
  for (let i = 0; i < p.length; i++) {
    const [a, b] = [(p[i] as number) / ofP, (q[i] as number) / ofQ];
    if (a > 0) sum += b > 0 ? a * Math.log(a / b) : Number.POSITIVE_INFINITY;
  }
  return sum;
}

/**
 * The central range of a histogram with the least divergence after quantization. Values outside are counted at its
 * ends. http://on-demand.gputechconf.com/gtc/2017/presentation/s7310-8-bit-inference-with-tensorrt.pdf
 */
export function entropyRange({ counts, edges }: Histogram, { levels, compatible }: CalibrationSettings): Range {
  const [bins, middle] = [counts.length, Math.floor(counts.length / 2)];
  let [least, best] = [Number.POSITIVE_INFINITY, middle];
  for (let half = Math.floor(levels / 2); half <= middle; half++) {
    const [begin, end] = [middle - half, Math.min(middle + half + 1, bins)];
    const slice = counts.subarray(begin, end);
    const p = slice.slice();
    p[0] = (p[0] as number) + sumOf(counts, 0, begin);
    p[p.length - 1] = (p[p.length - 1] as number) + sumOf(counts, end, bins);
    const found = divergence(smoothed(p), smoothed(throughLevels(slice, p, levels, compatible)));
    if (found < least) [least, best] = [found, half];
  }
  return { lowest: edges[middle - best] as number, highest: edges[Math.min(middle + best + 1, bins)] as number };
}
