import type { Range } from '../static/parameters.js';
import { type Histogram, totalOf } from './histogram.js';
import type { CalibrationSettings } from './options.js';

/** The first bin at which the cumulative share reaches `part`. */
function reached({ counts }: Histogram, part: number, total: number): number {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    sum += (counts[i] as number) / total;
    if (sum >= part) return i;
  }
  return counts.length;
}

/** The range that contains `percentile` percent of the elements. onnxruntime uses the left edge of the last bin. */
export function percentileRange(histogram: Histogram, { percentile, compatible }: CalibrationSettings): Range {
  const { edges, isOfSizes, counts } = histogram;
  const total = totalOf(histogram);
  const edge = (bin: number) => edges[Math.min(bin, counts.length)] as number;
  const last = (part: number) => edge(reached(histogram, part, total) + (compatible ? 0 : 1));
  if (isOfSizes) {
    const far = last(percentile / 100);
    return { lowest: -far, highest: far };
  }
  const cut = (100 - percentile) / 200;
  return { lowest: edge(reached(histogram, cut, total)), highest: last(1 - cut) };
}
