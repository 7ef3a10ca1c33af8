import { ELEMENTS, isFloat } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import { type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';

/** How far a value is from the expected one. */
export interface Difference {
  /** ‖actual − expected‖₂ / ‖expected‖₂ of all floating-point numbers in it. */
  readonly relativeL2: number;
  /** The largest |actual − expected| of floating-point numbers. */
  readonly maxAbs: number;
  /** What else differs: shapes, types, or contents that must be equal. */
  readonly mismatch?: string;
}

/** Compares tensors, sequences, maps and absent optionals: floats by distance, all else by equality. */
export function compare(actual: HostValue, expected: HostValue): Difference {
  const sums = new Distance();
  try {
    compareInto(sums, actual, expected);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    return { relativeL2: Number.NaN, maxAbs: Number.NaN, mismatch: error.message };
  }
  return { relativeL2: sums.relativeL2, maxAbs: sums.maxAbs };
}

class Mismatch extends Error {}

class Distance {
  maxAbs = 0;
  #difference = 0;
  #norm = 0;

  add(actual: number, expected: number): void {
    if (Object.is(actual, expected) || actual === expected) {
      if (Number.isFinite(expected)) this.#norm += expected * expected;
      return;
    }
    const difference = Math.abs(actual - expected);
    if (!(difference <= this.maxAbs)) this.maxAbs = difference;
    this.#difference += difference * difference;
    this.#norm += expected * expected;
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
    if (actual.length !== items.length) throw new Mismatch(`${actual.length} items instead of ${items.length}`);
    for (const [i, item] of items.entries()) compareInto(sums, actual[i] as HostValue, item);
  }
}

function compareTensors(sums: Distance, actual: TensorValue, expected: TensorValue): void {
  const describe = ({ type, dims }: TensorValue) => `${type}[${dims}]`;
  if (describe(actual) !== describe(expected))
    throw new Mismatch(`${describe(actual)} instead of ${describe(expected)}`);
  const { bits } = ELEMENTS[expected.type];
  if (isFloat(expected.type) && bits >= 16) {
    const [a, e] = [numbersOf(actual), numbersOf(expected)];
    for (let i = 0; i < e.length; i++) sums.add(a[i] as number, e[i] as number);
    return;
  }
  let different = 0;
  for (let i = 0; i < expected.data.length; i++) if (actual.data[i] !== expected.data[i]) different++;
  if (different > 0) throw new Mismatch(`${different} of ${expected.data.length} elements differ`);
}

function compareMaps(sums: Distance, actual: ReadonlyMap<unknown, unknown>, expected: ReadonlyMap<unknown, unknown>) {
  const entries = new Map([...actual].map(([key, item]) => [String(key), item]));
  if (entries.size !== expected.size) throw new Mismatch(`${entries.size} keys instead of ${expected.size}`);
  for (const [key, item] of expected) {
    if (!entries.has(String(key))) throw new Mismatch(`key ${key} is missing`);
    compareInto(sums, asTensor(entries.get(String(key))), asTensor(item));
  }
}

/** A map holds plain numbers and strings, or tensors; here both count alike. */
function asTensor(item: unknown): HostValue {
  if (isTensorValue(item) && item.data.length === 1) return asTensor(item.data[0]);
  if (typeof item === 'number') return { type: 'float32', dims: [], data: Float32Array.of(item) };
  if (typeof item === 'bigint') return { type: 'int64', dims: [], data: BigInt64Array.of(item) };
  if (typeof item === 'string') return { type: 'string', dims: [], data: [item] };
  return item as HostValue;
}

const kindOf = (value: HostValue): string =>
  value === null ? 'nothing' : isTensorValue(value) ? 'a tensor' : value instanceof Map ? 'a map' : 'a sequence';
