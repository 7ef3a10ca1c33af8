import type { Range } from '../static/parameters.js';

/** A histogram with bins of equal width. Each includes its left edge; the last includes its right edge, too. */
export interface Histogram {
  readonly counts: Float64Array;
  readonly edges: Float32Array;
  /** Whether absolute values are counted. */
  readonly isOfSizes: boolean;
}

/** Computes the edges as NumPy does, in single precision. */
export function emptyHistogram({ lowest, highest }: Range, bins: number, isOfSizes: boolean): Histogram {
  const [from, to] = lowest < highest ? [lowest, highest] : [lowest - 0.5, highest + 0.5];
  const step = Math.fround(Math.fround(to - from) / bins);
  const edges = Float32Array.from({ length: bins + 1 }, (_, i) => Math.fround(i * step) + from);
  edges[bins] = to;
  return { counts: new Float64Array(bins), edges, isOfSizes };
}

export function countInto({ counts, edges, isOfSizes }: Histogram, numbers: ArrayLike<number>): void {
  const bins = counts.length;
  const [from, to] = [edges[0] as number, edges[bins] as number];
  const perUnit = bins / (to - from);
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] as number;
    const x = isOfSizes && number < 0 ? -number : number;
    if (!(x >= from && x <= to)) continue;
    let bin = Math.min(Math.floor((x - from) * perUnit), bins - 1);
    if (x < (edges[bin] as number)) bin--;
    else if (bin < bins - 1 && x >= (edges[bin + 1] as number)) bin++;
    counts[bin] = (counts[bin] as number) + 1;
  }
}

export const totalOf = ({ counts }: Histogram): number => counts.reduce((sum, count) => sum + count, 0);
