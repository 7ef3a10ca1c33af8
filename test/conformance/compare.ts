import type { ElementType } from '../../src/tensor/element-types.js';
import { numbersOf } from '../../src/tensor/numbers.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../src/tensor/tensor-value.js';

export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}

/** What ONNX's own runner allows. */
export const DEFAULT_TOLERANCE: Tolerance = { relative: 1e-3, absolute: 1e-7 };

const APPROXIMATE: readonly ElementType[] = [
  'float8e4m3fn',
  'float8e4m3fnuz',
  'float8e5m2',
  'float8e5m2fnuz',
  'float8e8m0',
  'float4e2m1',
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'complex64',
  'complex128',
];

/** What keeps `actual` from being `expected`; undefined if nothing does. */
export function difference(actual: HostValue, expected: HostValue, tolerance = DEFAULT_TOLERANCE): string | undefined {
  if (isTensorValue(expected)) {
    return isTensorValue(actual)
      ? tensorDifference(actual, expected, tolerance)
      : `${describe(actual)} instead of a tensor`;
  }
  if (expected === null || actual === null) return actual === expected ? undefined : `${actual} instead of ${expected}`;
  if (expected instanceof Map) return mapDifference(actual, expected, tolerance);
  return listDifference(actual, expected as readonly HostValue[], tolerance);
}

/** The same of a tensor's type and dims alone. */
export function typeDifference(actual: HostValue, expected: HostValue): string | undefined {
  if (!isTensorValue(actual) || !isTensorValue(expected)) return difference(actual, expected);
  const [a, e] = [actual, expected].map(({ type, dims }) => `${type}[${dims}]`);
  return a === e ? undefined : `${a} instead of ${e}`;
}

const describe = (value: HostValue) => (value === null ? 'null' : (value as object).constructor.name);

function listDifference(actual: HostValue, expected: readonly HostValue[], tolerance: Tolerance): string | undefined {
  if (!Array.isArray(actual)) return `${describe(actual)} instead of a sequence`;
  if (actual.length !== expected.length) return `${actual.length} elements instead of ${expected.length}`;
  for (const [i, element] of expected.entries()) {
    const found = difference(actual[i], element, tolerance);
    if (found) return `element ${i}: ${found}`;
  }
  return undefined;
}

/** A map in a file holds its values as one tensor or as tensors of one element. */
function mapDifference(actual: HostValue, expected: ReadonlyMap<unknown, unknown>, tolerance: Tolerance) {
  if (!(actual instanceof Map)) return `${describe(actual)} instead of a map`;
  if (actual.size !== expected.size) return `${actual.size} entries instead of ${expected.size}`;
  for (const [key, value] of expected) {
    const [a, e] = [actual.get(key), value].map((v) => (isTensorValue(v) ? v.data[0] : v));
    if (!isClose(Number(a), Number(e), tolerance)) return `${a} instead of ${e} under ${key}`;
  }
  return undefined;
}

function tensorDifference(actual: TensorValue, expected: TensorValue, tolerance: Tolerance): string | undefined {
  const types = typeDifference(actual, expected);
  if (types) return types;
  const approximate = APPROXIMATE.includes(expected.type);
  const [got, wanted] = approximate ? [numbersOf(actual), numbersOf(expected)] : [actual.data, expected.data];
  if (got.length !== wanted.length) return `${got.length} entries instead of ${wanted.length}`;
  for (let i = 0; i < wanted.length; i++) {
    const same = approximate ? isClose(got[i] as number, wanted[i] as number, tolerance) : got[i] === wanted[i];
    if (!same) return `${got[i]} instead of ${wanted[i]} at ${i} of ${wanted.length}`;
  }
  return undefined;
}

function isClose(a: number, e: number, { relative, absolute }: Tolerance): boolean {
  if (Number.isNaN(e)) return Number.isNaN(a);
  return a === e || Math.abs(a - e) <= absolute + relative * Math.abs(e);
}
