import type { Of } from '../../contracts/log-entries.js';
import { type Ridges, SHARES } from '../../contracts/logs.js';

type Histogram = Of<'histogram'>;

export function ridgesOf(histograms: readonly Histogram[], bins: number): Ridges {
  const full = histograms.filter(({ buckets }) => buckets.length > 0);
  const [from, to] = extentOf(full);
  const counts = new Float32Array(full.length * bins);
  const quantiles = new Float32Array(full.length * SHARES.length);
  for (const [row, { buckets }] of full.entries()) {
    spread(buckets, from, to, counts.subarray(row * bins, (row + 1) * bins));
    quantiles.set(quantilesOf(buckets), row * SHARES.length);
  }
  return { steps: Float64Array.from(full, ({ step }) => step), from, to, bins, counts, quantiles };
}

function extentOf(histograms: readonly Histogram[]): readonly [number, number] {
  if (histograms.length === 0) return [0, 1];
  const from = Math.min(...histograms.map(({ buckets }) => buckets[0] as number));
  const to = Math.max(...histograms.map(({ buckets }) => buckets.at(-2) as number));
  return to > from ? [from, to] : [from - 0.5, from + 0.5];
}

/** Distributes each bucket's count over the bins that it covers, in proportion to the overlap. */
function spread(buckets: Float64Array, from: number, to: number, bins: Float32Array): void {
  const scale = bins.length / (to - from);
  const last = bins.length - 1;
  for (let i = 0; i < buckets.length; i += 3) {
    const left = ((buckets[i] as number) - from) * scale;
    const right = ((buckets[i + 1] as number) - from) * scale;
    const count = buckets[i + 2] as number;
    const [first, end] = [Math.min(last, Math.floor(left)), Math.min(last, Math.ceil(right) - 1)];
    for (let bin = first; bin <= Math.max(first, end); bin++) {
      const covered = Math.min(right, bin + 1) - Math.max(left, bin);
      const share = right > left ? covered / (right - left) : 1;
      bins[bin] = (bins[bin] as number) + count * share;
    }
  }
}

/** The value at each of SHARES, interpolated linearly within buckets. */
function quantilesOf(buckets: Float64Array): number[] {
  const total = buckets.reduce((sum, x, i) => (i % 3 === 2 ? sum + x : sum), 0);
  return SHARES.map((share) => {
    let below = 0;
    for (let i = 0; i < buckets.length; i += 3) {
      const [left, right, count] = buckets.subarray(i, i + 3) as unknown as [number, number, number];
      if (below + count >= share * total)
        return left + (right - left) * (count > 0 ? (share * total - below) / count : 0);
      below += count;
    }
    return buckets.at(-2) as number;
  });
}
