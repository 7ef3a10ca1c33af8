import { ELEMENTS, isFloat } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import { entriesOf } from '../tensor/packed.js';
import { type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';

/** The difference between a value and the expected one. */
export interface Difference {
  /** ‖actual − expected‖₂ / ‖expected‖₂ of all floating-point elements. */
  readonly relativeL2: number;
  /** The largest |actual − expected| of all floating-point elements. */
  readonly maxAbs: number;
  /** The number of floating-point elements out of tolerance. */
  readonly outside: number;
  /** The element that exceeds the tolerance most. */
  readonly at?: Place;
  /** Any other difference: of shapes, types, or contents that must be equal. */
  readonly mismatch?: string;
}

/** A tolerance as in NumPy's `allclose`: |actual − expected| ≤ absolute + relative × |expected|. */
export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}

const EXACT: Tolerance = { relative: 0, absolute: 0 };

export interface Place {
  readonly index: readonly number[];
  readonly actual: unknown;
  readonly expected: unknown;
}

/**
 * Compares tensors, sequences, maps and absent optionals. Floats are compared by distance, everything else for
 * equality.
 */
export function compare(actual: HostValue, expected: HostValue, tolerance: Tolerance = EXACT): Difference {
  const sums = new Distance(tolerance);
  try {
    compareInto(sums, actual, expected);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    const at = placeIn(actual, expected, error.first);
    const unknown = { relativeL2: Number.NaN, maxAbs: Number.NaN, outside: 0 };
    return { ...unknown, mismatch: error.message, ...(at && { at }) };
  }
  const { relativeL2, maxAbs, outside } = sums;
  const at = outside === 0 ? undefined : placeIn(actual, expected, sums.farthest);
  return { relativeL2, maxAbs, outside, ...(at && { at }) };
}

class Mismatch extends Error {
  constructor(
    message: string,
    /** The first element that differs. */
    readonly first = -1,
  ) {
    super(message);
  }
}

function placeIn(actual: HostValue, expected: HostValue, element: number): Place | undefined {
  if (!isTensorValue(actual) || !isTensorValue(expected) || element < 0) return undefined;
  const valueIn = (tensor: TensorValue) => (isFloat(tensor.type) ? numbersOf(tensor) : entriesOf(tensor))[element];
  const { entries = 1 } = ELEMENTS[expected.type];
  const index = indexOf(Math.floor(element / entries), expected.dims);
  return { index, actual: valueIn(actual), expected: valueIn(expected) };
}

function indexOf(element: number, dims: readonly number[]): number[] {
  let rest = element;
  return dims
    .toReversed()
    .map((size) => {
      const i = rest % size;
      rest = Math.floor(rest / size);
      return i;
    })
    .reverse();
}

class Distance {
  maxAbs = 0;
  outside = 0;
  /** The index of the element in the last compared tensor that exceeds the tolerance most. */
  farthest = -1;
  readonly #tolerance: Tolerance;
  #excess = 0;
  #difference = 0;
  #norm = 0;

  constructor(tolerance: Tolerance) {
    this.#tolerance = tolerance;
  }

  add(actual: number, expected: number, element: number): void {
    if (Object.is(actual, expected) || actual === expected) {
      if (Number.isFinite(expected)) this.#norm += expected * expected;
      return;
    }
    const difference = Math.abs(actual - expected);
    if (!(difference <= this.maxAbs)) this.maxAbs = difference;
    this.#difference += difference * difference;
    this.#norm += expected * expected;
    const { absolute, relative } = this.#tolerance;
    const excess = Number.isFinite(expected) ? difference - absolute - relative * Math.abs(expected) : difference;
    if (excess <= 0) return;
    this.outside++;
    if (excess <= this.#excess || Number.isNaN(this.#excess)) return;
    this.#excess = excess;
    this.farthest = element;
  }

  get relativeL2(): number {
    return this.#difference === 0 ? 0 : Math.sqrt(this.#difference / this.#norm);
  }
}

function compareInto(sums: Distance, actual: HostValue, expected: HostValue): void {
  if (isTensorValue(expected)) {
    if (!isTensorValue(actual)) throw new Mismatch(`expected a tensor, got ${kindOf(actual)}`);
    compareTensors(sums, actual, expected);
  } else if (expected === null || actual === null) {
    if (actual !== expected) throw new Mismatch(`expected ${kindOf(expected)}, got ${kindOf(actual)}`);
  } else if (expected instanceof Map) {
    if (!(actual instanceof Map)) throw new Mismatch(`expected a map, got ${kindOf(actual)}`);
    compareMaps(sums, actual, expected);
  } else {
    if (!Array.isArray(actual)) throw new Mismatch(`expected a sequence, got ${kindOf(actual)}`);
    const items = expected as readonly HostValue[];
    if (actual.length !== items.length) throw new Mismatch(`expected ${items.length} items, got ${actual.length}`);
    for (const [i, item] of items.entries()) compareInto(sums, actual[i] as HostValue, item);
  }
}

function compareTensors(sums: Distance, actual: TensorValue, expected: TensorValue): void {
  const describe = ({ type, dims }: TensorValue) => `${type}[${dims}]`;
  if (describe(actual) !== describe(expected))
    throw new Mismatch(`expected ${describe(expected)}, got ${describe(actual)}`);
  if (isFloat(expected.type)) {
    const [a, e] = [numbersOf(actual), numbersOf(expected)];
    for (let i = 0; i < e.length; i++) sums.add(a[i] as number, e[i] as number, i);
    return;
  }
  const [a, e] = [entriesOf(actual), entriesOf(expected)];
  let different = 0;
  let first = -1;
  for (let i = 0; i < e.length; i++) {
    if (a[i] === e[i]) continue;
    if (different++ === 0) first = i;
  }
  if (different > 0) throw new Mismatch(`${different} of ${e.length} elements differ`, first);
}

function compareMaps(sums: Distance, actual: ReadonlyMap<unknown, unknown>, expected: ReadonlyMap<unknown, unknown>) {
  const entries = new Map([...actual].map(([key, item]) => [String(key), item]));
  if (entries.size !== expected.size) throw new Mismatch(`expected ${expected.size} keys, got ${entries.size}`);
  for (const [key, item] of expected) {
    if (!entries.has(String(key))) throw new Mismatch(`key ${key} is missing`);
    compareInto(sums, asTensor(entries.get(String(key))), asTensor(item));
  }
}

/** Converts a map's plain number or string to a tensor, as maps may contain either. */
function asTensor(item: unknown): HostValue {
  if (isTensorValue(item) && item.data.length === 1) return asTensor(item.data[0]);
  if (typeof item === 'number') return { type: 'float64', dims: [], data: Float64Array.of(item) };
  if (typeof item === 'bigint') return { type: 'int64', dims: [], data: BigInt64Array.of(item) };
  if (typeof item === 'string') return { type: 'string', dims: [], data: [item] };
  return item as HostValue;
}

const kindOf = (value: HostValue): string =>
  value === null ? 'nothing' : isTensorValue(value) ? 'a tensor' : value instanceof Map ? 'a map' : 'a sequence';
