import type { Drawn } from '../../contracts/logs.js';
import type { Line } from './line.js';

export interface Window {
  readonly from: number;
  readonly to: number;
  /** Points are grouped if there are more than this. */
  readonly buckets: number;
}

/** The index of the first of the ascending numbers that is not below `x`. */
function placeOf(ascending: Float64Array, x: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Includes one more point on either side, so that the line extends to the edges. */
function rangeOf(x: Float64Array, { from, to }: Window): readonly [number, number] {
  let end = placeOf(x, to);
  while (end < x.length && x[end] === to) end++;
  return [Math.max(0, placeOf(x, from) - 1), Math.min(x.length, end + 1)];
}

/** The points in a window, or bucket means with the minimum and maximum, so that extremes are never lost. */
export function drawn(raw: Line, line: Float64Array, window: Window): Drawn {
  const [begin, end] = rangeOf(raw.x, window);
  if (end - begin <= window.buckets) return pointsOf(raw, line, begin, end);
  const width = (window.to - window.from) / window.buckets || 1;
  const bucketAt = (i: number) =>
    Math.min(window.buckets - 1, Math.max(0, Math.floor(((raw.x[i] as number) - window.from) / width)));
  const starts = [begin];
  for (let i = begin + 1; i < end; i++) if (bucketAt(i) !== bucketAt(i - 1)) starts.push(i);
  const made = empty(starts.length);
  for (const [k, start] of starts.entries()) {
    made.x[k] = window.from + (bucketAt(start) + 0.5) * width;
    fold(made, k, raw.y, line, start, starts[k + 1] ?? end);
  }
  return made;
}

const empty = (count: number): Drawn => ({
  x: new Float64Array(count),
  line: new Float64Array(count),
  least: new Float64Array(count),
  largest: new Float64Array(count),
});

function pointsOf({ x, y }: Line, line: Float64Array, begin: number, end: number): Drawn {
  const finite = (value: number) => (Number.isFinite(value) ? value : Number.NaN);
  const least = y.slice(begin, end).map(finite);
  return { x: x.slice(begin, end), line: line.slice(begin, end).map(finite), least, largest: least.slice() };
}

function fold(into: Drawn, k: number, y: Float64Array, line: Float64Array, begin: number, end: number): void {
  let [sum, count, least, largest] = [0, 0, Infinity, -Infinity];
  for (let i = begin; i < end; i++) {
    const value = y[i] as number;
    if (!Number.isFinite(value)) continue;
    sum += line[i] as number;
    count++;
    if (value < least) least = value;
    if (value > largest) largest = value;
  }
  into.line[k] = sum / count;
  into.least[k] = count ? least : Number.NaN;
  into.largest[k] = count ? largest : Number.NaN;
}
