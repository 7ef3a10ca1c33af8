import { SardonyxError } from '../../base/errors.js';
import { double, doubles, type Field, message, unlessZero } from '../fields.js';
import { Value, value } from './value.js';

/** A histogram of values between the least and the largest. */
export interface Buckets {
  readonly least: number;
  readonly largest: number;
  readonly sum: number;
  readonly sumOfSquares: number;
  /** Right edges; the left edge of a bucket is the right one of the previous bucket, and the last is `largest`. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

/** @throws SardonyxError INVALID_VALUE if a value is NaN or infinite */
export function bucketsOf(values: ArrayLike<number>, count: number): Buckets {
  let [least, largest, sum, sumOfSquares] = [Infinity, -Infinity, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const x = values[i] as number;
    if (!Number.isFinite(x)) throw notFinite(x, i);
    if (x < least) least = x;
    if (x > largest) largest = x;
    sum += x;
    sumOfSquares += x * x;
  }
  if (values.length === 0) return { least: 0, largest: 0, sum, sumOfSquares, edges: [], counts: [] };
  return { least, largest, sum, sumOfSquares, ...counted(values, least, largest, count) };
}

/** Counts values in buckets of equal width, as in NumPy. If all values are equal, they are in the last bucket, as in TensorFlow. */
function counted(values: ArrayLike<number>, least: number, largest: number, count: number) {
  const width = largest / count - least / count;
  const edges = Array.from({ length: count }, (_, i) => (i === count - 1 ? largest : least + width * (i + 1)));
  const counts = new Array<number>(count).fill(0);
  for (let i = 0; i < values.length; i++) {
    const place = width > 0 ? placeOf(values[i] as number, edges, least, width) : count - 1;
    counts[place] = (counts[place] as number) + 1;
  }
  return { edges, counts };
}

/** The bucket of a value. Corrects the division, which may be off by one if a value is an edge. */
function placeOf(x: number, edges: readonly number[], least: number, width: number): number {
  const last = edges.length - 1;
  const near = Math.min(Math.max(Math.floor(x / width - least / width), 0), last);
  if (near > 0 && x < (edges[near - 1] as number)) return near - 1;
  return near < last && x >= (edges[near] as number) ? near + 1 : near;
}

const notFinite = (x: number, i: number) =>
  new SardonyxError('INVALID_VALUE', `histogram value ${i} is ${x}; histograms support finite values only`);

const Histogram = { least: 1, largest: 2, count: 3, sum: 4, sumOfSquares: 5, edges: 6, counts: 7 } as const;

/** A histogram in the format that all readers support. */
export const histogram = (tag: string, count: number, buckets: Buckets): Field =>
  value(
    tag,
    message(
      Value.histo,
      unlessZero(double, Histogram.least, buckets.least),
      unlessZero(double, Histogram.largest, buckets.largest),
      unlessZero(double, Histogram.count, count),
      unlessZero(double, Histogram.sum, buckets.sum),
      unlessZero(double, Histogram.sumOfSquares, buckets.sumOfSquares),
      doubles(Histogram.edges, buckets.edges),
      doubles(Histogram.counts, buckets.counts),
    ),
  );
