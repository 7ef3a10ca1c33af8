import { isFloating, isPlainArray } from '../fuzz/graphs/plain-tensors.js';
import type { Plain, PlainArray, PlainValue } from '../fuzz/reference/array.js';
import type { Outcome } from './ways.js';

/** What counts: every bit but NaN's, numbers as rounding leaves them, or, of what takes several steps, these but for signs of zero. */
export type Measure = 'bits' | 'numbers' | 'steps';

/** By how much results may differ that are rounded in float32, or in double precision; of types with fewer digits two steps. */
const RELATIVE: Partial<Record<PlainArray['type'], number>> = { float16: 2 ** -9, bfloat16: 2 ** -6, float64: 1e-6 };
/** Between numbers that cancel, and below the least normal ones. */
const ABSOLUTE: Partial<Record<PlainArray['type'], number>> = { float16: 2 ** -13, bfloat16: 2 ** -7 };

const shown = (x: Plain | undefined) => (Object.is(x, -0) ? '-0' : String(x));

/** Whether two numbers are alike: NaN and infinities are what they are. */
function areAlike(type: PlainArray['type'], by: Measure, a: Plain, b: Plain): boolean {
  if (Object.is(a, b)) return true;
  if (by === 'bits' || typeof a !== 'number' || typeof b !== 'number' || !isFloating(type)) return false;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  if (a === 0 && b === 0) return by === 'steps';
  return Math.abs(a - b) <= (RELATIVE[type] ?? 1e-5) * Math.max(Math.abs(a), Math.abs(b)) + (ABSOLUTE[type] ?? 1e-6);
}

function tensorDifference(a: PlainArray, b: PlainArray, by: Measure): string | undefined {
  const [one, other] = [a, b].map(({ type, dims }) => `${type}[${dims}]`);
  if (one !== other) return `${one} and ${other}`;
  const at = a.data.findIndex((x, i) => !areAlike(a.type, by, x, b.data[i] as Plain));
  return at < 0 ? undefined : `[${at}] is ${shown(a.data[at])} and ${shown(b.data[at])}, ${a.type}`;
}

function valueDifference(a: PlainValue, b: PlainValue, by: Measure): string | undefined {
  if (isPlainArray(a) && isPlainArray(b)) return tensorDifference(a, b, by);
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b ? undefined : 'values of two kinds';
  if (a.length !== b.length) return `${a.length} and ${b.length} elements`;
  for (const [i, x] of a.entries()) {
    const found = valueDifference(x as PlainValue, b[i] as PlainValue, by);
    if (found) return found;
  }
  return undefined;
}

/** Where two runs of a node differ. */
export function differenceOf(a: Outcome, b: Outcome, by: Measure): string | undefined {
  if (typeof a === 'string' || typeof b === 'string') {
    const [one, other] = [a, b].map((outcome) => (typeof outcome === 'string' ? outcome : 'results'));
    return typeof a === typeof b ? undefined : `${one} and ${other}`;
  }
  for (const [i, x] of a.entries()) {
    const found = valueDifference(x, b[i] as PlainValue, by);
    if (found) return `output ${i}: ${found}`;
  }
  return undefined;
}
