import type { Range } from '../static/parameters.js';
import type { CalibrationSettings } from './options.js';

/** The range of a value before its histogram is made. */
export interface Extremes extends Range {
  /** The smallest absolute value. */
  readonly nearest: number;
}

/** The extremes of an array; NaN is ignored. */
function extremesOf(numbers: ArrayLike<number>): Extremes | undefined {
  let [lowest, highest, nearest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < numbers.length; i++) {
    const x = numbers[i] as number;
    if (x < lowest) lowest = x;
    if (x > highest) highest = x;
    const size = x < 0 ? -x : x;
    if (size < nearest) nearest = size;
  }
  return lowest <= highest ? { lowest, highest, nearest } : undefined;
}

/** Merges known extremes with those of the `count`-th sample. */
type Merge = (known: Extremes, sample: Extremes, count: number) => Extremes;

const widest: Merge = (a, b) => ({
  lowest: Math.min(a.lowest, b.lowest),
  highest: Math.max(a.highest, b.highest),
  nearest: Math.min(a.nearest, b.nearest),
});

const between = (a: number, b: number, part: number): number => a + part * (b - a);

/** A moving average, or the average of all samples. */
const average =
  (averaging: number | undefined): Merge =>
  (a, b, count) => ({
    lowest: between(a.lowest, b.lowest, averaging ?? 1 / count),
    highest: between(a.highest, b.highest, averaging ?? 1 / count),
    nearest: Math.min(a.nearest, b.nearest),
  });

/** Collects the extremes of values over samples. */
export function extremesOfAll({ method, averaging }: CalibrationSettings) {
  const merge = method === 'average' ? average(averaging) : widest;
  const all = new Map<string, { extremes: Extremes; count: number }>();
  const see = (name: string, numbers: ArrayLike<number>): void => {
    const sample = extremesOf(numbers);
    if (!sample) return;
    const known = all.get(name);
    const count = (known?.count ?? 0) + 1;
    all.set(name, { extremes: known ? merge(known.extremes, sample, count) : sample, count });
  };
  return { all, see };
}
