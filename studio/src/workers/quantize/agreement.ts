import type { Feeds, HostValue, InferenceSession, Tensor } from 'sardonyx';
import type { OutputAccuracy, Progress } from '../contracts/quantize.js';

interface Sums {
  signal: number;
  noise: number;
  same: number;
  rows: number;
}

/** How far the float outputs of one session are from another's over the samples. */
export async function agreement(
  exact: InferenceSession,
  other: InferenceSession,
  samples: readonly Feeds[],
  { onProgress }: { readonly onProgress: (progress: Progress) => void },
): Promise<OutputAccuracy[]> {
  const sums = new Map<string, Sums>();
  for (const [done, feeds] of samples.entries()) {
    onProgress({ stage: 'comparing', done, total: samples.length });
    const [expected, found] = [await exact.run(feeds), await other.run(feeds)];
    for (const name of exact.outputNames) {
      const [a, b] = [floats(expected[name]), floats(found[name])];
      if (!a || !b) continue;
      const into = sums.get(name) ?? { signal: 0, noise: 0, same: 0, rows: 0 };
      sums.set(name, into);
      add(a, b, into);
    }
  }
  return [...sums].map(([name, { signal, noise, same, rows }]) => ({
    name,
    sqnr: 10 * Math.log10(signal / noise),
    sameTop: rows > 0 ? same / rows : undefined,
  }));
}

interface Floats {
  readonly data: ArrayLike<number>;
  /** The row length: the size of the last axis. */
  readonly row: number;
}

function floats(value: HostValue | Tensor | undefined): Floats | undefined {
  if (!value || typeof value !== 'object' || !('dims' in value)) return undefined;
  if (value.type !== 'float32' && value.type !== 'float64') return undefined;
  return { data: value.data as Float32Array, row: value.dims.length > 1 ? (value.dims.at(-1) as number) : 0 };
}

function add({ data: a, row }: Floats, { data: b }: Floats, into: Sums): void {
  for (let i = 0; i < a.length; i++) {
    const x = a[i] as number;
    into.signal += x * x;
    into.noise += (x - (b[i] as number)) ** 2;
  }
  if (row < 2) return;
  for (let start = 0; start < a.length; start += row) {
    into.rows++;
    if (top(a, start, row) === top(b, start, row)) into.same++;
  }
}

function top(data: ArrayLike<number>, start: number, count: number): number {
  let best = start;
  for (let i = start; i < start + count; i++) if ((data[i] as number) > (data[best] as number)) best = i;
  return best - start;
}
