import type { ElementType } from '../../../src/tensor/element-types.js';
import type { Plain, PlainArray, PlainValue } from '../reference/array.js';
import type { Choices } from './choices.js';
import type { Noise } from './evaluate.js';
import { isFloating, isPlainArray, rounded } from './plain-tensors.js';

/** Rounds to nearest, half of which is lost at most; some eight such errors are what one operator may make. */
const UNITS: Partial<Record<ElementType, number>> = {
  float64: 2 ** -53,
  float32: 2 ** -24,
  float16: 2 ** -11,
  bfloat16: 2 ** -8,
};
export const unitOf = (type: ElementType): number => UNITS[type] ?? 2 ** -24;
const ERRORS = 8;

/** Below the smallest normal number, precision is lost, or all of it. */
const LEAST: Partial<Record<ElementType, number>> = { float64: 2 ** -1022, float16: 2 ** -14 };
export const leastOf = (type: ElementType): number => LEAST[type] ?? 2 ** -126;

/**
 * Changes each float at random by what rounding could: evaluated so several times, a program shows how far each element
 * of its results is determined (Monte Carlo arithmetic, https://doi.org/10.1016/S0378-4754(96)00054-1). Whole numbers are mostly
 * computed exactly and stay, unless `alsoWhole`.
 */
export function noiseFrom(choices: Choices, alsoWhole: boolean): Noise {
  const computed = noiseBut(choices, (x) => Number.isInteger(x) && !alsoWhole);
  return {
    given: noiseBut(choices, (x) => Number.isInteger(x * FEW)),
    computed,
    cancelled: (value) => offByLargest(choices, computed(value)),
  };
}

/** Small sums lose what large ones do. */
function offByLargest(choices: Choices, value: PlainValue): PlainValue {
  if (!isPlainArray(value) || !isFloating(value.type)) return value;
  const data = value.data as readonly number[];
  const largest = data.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
  const amount = ERRORS * unitOf(value.type) * largest;
  return rounded({ ...value, data: data.map((x) => x + amount * (2 * choices.next() - 1)) });
}

/** Numbers of so many parts of 1 that are given are what they are, ties of roundings too: what is computed of them is exact. */
const FEW = 16;

function noiseBut(choices: Choices, stays: (x: number) => boolean): (value: PlainValue) => PlainValue {
  const changed = (x: Plain, amount: number, least: number): Plain => {
    if (typeof x !== 'number' || stays(x)) return x;
    if (Math.abs(x) < least) return choices.chance(0.5) ? 0 : x;
    return x + x * amount * (2 * choices.next() - 1);
  };
  const noise = (value: PlainValue): PlainValue => {
    if (!isPlainArray(value)) return value && ((value as readonly PlainArray[]).map(noise) as readonly PlainArray[]);
    if (!isFloating(value.type) || value.type.startsWith('float8') || value.type.startsWith('float4')) return value;
    const [amount, least] = [ERRORS * unitOf(value.type), leastOf(value.type)];
    // What is rounded can vanish where it is added to something larger, and two sums be the same.
    return rounded({ ...value, data: value.data.map((x) => changed(x, amount, least)) });
  };
  return noise;
}
