import type { Plain, PlainArray, PlainValue } from '../reference/array.js';
import { leastOf, unitOf } from './noise.js';
import { isFloating, isPlainArray } from './plain-tensors.js';

/** Units of rounding by which a result may be off its float64 value, by its own size and by the largest of its tensor. */
const OWN = 32;
const LARGEST = 8;
/** Activations such as GELU add 1 to what is near −1: results below that are as exact as this is. */
const SHIFTED = 1;
/** How much further than the samples an element may lie. */
const BEYOND = 16;

/**
 * Says where `actual` is not what is expected. `samples` are evaluations with noise: an element may be as far off as they are,
 * and one that they disagree on (a Floor at a tie) may be anything that lies as far.
 */
export function differenceOf(
  actual: PlainValue,
  expected: PlainValue,
  samples: readonly PlainValue[],
): string | undefined {
  if (!isPlainArray(expected)) return sequenceDifference(actual, expected, samples);
  if (!isPlainArray(actual)) return 'no tensor';
  const same = (a: PlainValue): a is PlainArray => isPlainArray(a) && formOf(a) === formOf(expected);
  if (!samples.every(same)) return undefined;
  if (!same(actual)) return `${formOf(actual)}, not ${formOf(expected)}`;
  return isFloating(expected.type)
    ? floatDifference(actual, expected, samples)
    : wholeDifference(actual, expected, samples);
}

const formOf = ({ type, dims }: PlainArray) => `${type}[${dims}]`;

function sequenceDifference(actual: PlainValue, expected: PlainValue, samples: readonly PlainValue[]) {
  if (expected === null) return actual === null ? undefined : 'something, not an empty optional';
  if (!Array.isArray(actual) || !Array.isArray(expected)) return 'no sequence';
  if (actual.length !== expected.length) return `a sequence of ${actual.length}, not ${expected.length}`;
  for (const [i, item] of expected.entries()) {
    const others = samples.map((sample) => (sample as readonly PlainValue[])[i] as PlainValue);
    const found = differenceOf(actual[i] as PlainValue, item as PlainValue, others);
    if (found) return `item ${i}: ${found}`;
  }
  return undefined;
}

function floatDifference(actual: PlainArray, expected: PlainArray, samples: readonly PlainArray[]): string | undefined {
  const unit = unitOf(expected.type);
  const wanted = expected.data as readonly number[];
  const largest = wanted.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
  const floor = LARGEST * unit * Math.max(largest, SHIFTED) + leastOf(expected.type);
  for (const [i, e] of wanted.entries()) {
    const x = actual.data[i] as number;
    if (Object.is(x, e) || Math.abs(x - e) <= OWN * unit * Math.abs(e) + floor) continue;
    const spread = spreadOf(e, samples, i);
    if (Math.abs(x - e) <= BEYOND * spread || Number.isNaN(spread)) continue;
    if (!Number.isFinite(x) && spread > Math.abs(e) / 4) continue;
    return `[${i}] is ${x}, not ${e}`;
  }
  return undefined;
}

/** How far the samples lie from `e`; NaN if some are finite and others are not. */
function spreadOf(e: number, samples: readonly PlainArray[], i: number): number {
  let spread = 0;
  for (const { data } of samples) {
    const x = data[i] as number;
    if (Object.is(x, e)) continue;
    spread = Math.max(spread, Math.abs(x - e));
    if (!Number.isFinite(spread)) return Number.NaN;
  }
  return spread;
}

function wholeDifference(actual: PlainArray, expected: PlainArray, samples: readonly PlainArray[]): string | undefined {
  const isOpen = (i: number, e: Plain) => samples.some(({ data }) => data[i] !== e);
  const at = expected.data.findIndex((e, i) => actual.data[i] !== e && !isOpen(i, e));
  return at < 0 ? undefined : `[${at}] is ${shown(actual.data[at])}, not ${shown(expected.data[at])}`;
}

const shown = (x: Plain | undefined) => (typeof x === 'string' ? JSON.stringify(x) : `${x}`);
