import type { Difference } from '../difference.js';
import type { ConformanceProblem } from './result.js';

/** Describes a difference that is out of tolerance, as text and for JSON; undefined if it is within tolerance. */
export function described(difference: Difference): Omit<ConformanceProblem, 'dataSet' | 'output'> | undefined {
  const { mismatch, outside, at, maxAbs, relativeL2 } = difference;
  if (mismatch === undefined && outside === 0) return undefined;
  const place = at && { index: at.index, actual: plain(at.actual), expected: plain(at.expected) };
  const where = place ? `${spot(place.index)} expected ${short(place.expected)}, got ${short(place.actual)}` : '';
  const off = `${outside === 1 ? '1 element is' : `${outside} elements are`} out of tolerance`;
  const message = `${mismatch ?? `${off}, largest error ${Number(maxAbs.toPrecision(3))}`}${where}`;
  return { message, maxAbs: finite(maxAbs), relativeL2: finite(relativeL2), ...(place && { at: place }) };
}

const spot = (index: readonly number[]): string => (index.length > 0 ? `; at [${index}]:` : ';');

/** Formats a number with the digits of a float32. */
const short = (x: number | string): string => String(typeof x === 'number' ? Number(x.toPrecision(9)) : x);

const finite = (x: number): number | null => (Number.isFinite(x) ? x : null);

const plain = (x: unknown): number | string => (typeof x === 'number' && Number.isFinite(x) ? x : String(x));
