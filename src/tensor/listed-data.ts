import { SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import {
  type DataOf,
  ELEMENTS,
  type ElementType,
  type TypedArray,
  type TypedArrayConstructor,
} from './element-types.js';
import { toBfloat16, toFloat16 } from './half.js';
import { isMinifloat } from './minifloat.js';
import { tensorOf } from './numbers.js';
import { isPacked } from './packed.js';

/** Elements of a plain list. */
export type ListOf<T extends ElementType> = T extends 'string'
  ? readonly string[]
  : T extends 'bool'
    ? readonly (boolean | number)[]
    : T extends 'int64' | 'uint64'
      ? readonly (bigint | number)[]
      : readonly number[];

/** The problem with an entry, if any. */
type Check = (entry: unknown) => string | undefined;

const NUMBERS = 'numbers, e.g. data.map(Number)';

const isFloating: Check = (entry) => (typeof entry === 'number' ? undefined : `takes ${NUMBERS}`);

const isBoolean: Check = (entry) =>
  typeof entry === 'boolean' || entry === 0 || entry === 1 ? undefined : 'takes true, false, 1 and 0';

const isString: Check = (entry) => (typeof entry === 'string' ? undefined : 'takes strings, e.g. data.map(String)');

function isWhole(low: number, high: number): Check {
  const range = `holds whole numbers from ${low} to ${high}`;
  return (entry) => {
    if (typeof entry !== 'number') return `takes ${NUMBERS}`;
    if (!Number.isInteger(entry)) return Number.isFinite(entry) ? `${range}, e.g. ${Math.round(entry)}` : range;
    return entry >= low && entry <= high ? undefined : range;
  };
}

function isLong(low: bigint, high: bigint): Check {
  const range = `holds whole numbers from ${low} to ${high}`;
  return (entry) => {
    if (typeof entry !== 'bigint' && typeof entry !== 'number') return 'takes bigints, e.g. data.map(BigInt)';
    if (typeof entry === 'number' && !Number.isInteger(entry)) return range;
    if (entry < low || entry > high) return range;
    if (typeof entry === 'bigint' || Number.isSafeInteger(entry)) return undefined;
    return 'needs bigints from 2^53 on, e.g. 9007199254740993n';
  };
}

function checkOf(type: ElementType): Check {
  const [, unsigned, digits] = /^(u?)int(\d+)$/.exec(type) ?? [];
  if (digits === undefined) return type === 'string' ? isString : type === 'bool' ? isBoolean : isFloating;
  const bits = unsigned ? Number(digits) : Number(digits) - 1;
  if (digits === '64') return isLong(unsigned ? 0n : -(2n ** BigInt(bits)), 2n ** BigInt(bits) - 1n);
  return isWhole(unsigned ? 0 : -(2 ** bits), 2 ** bits - 1);
}

const checks = new Map<ElementType, Check>();

const NESTED = 'pass one flat list, e.g. data.flat(Infinity), and the shape as dims: [1, 2, 3, 4] with dims [2, 2]';

/**
 * Converts a list of elements, one entry each, or two for complex types, to a tensor's data. Floats round to the nearest; too large ones
 * become infinite, or the largest value for types below 16 bits. A list of strings is used as it is.
 * @throws SardonyxError INVALID_VALUE naming the first invalid entry
 */
export function listedData<T extends ElementType>(type: T, list: ArrayLike<unknown>): DataOf<T> {
  const check = checks.get(type) ?? checkOf(type);
  checks.set(type, check);
  for (let i = 0; i < list.length; i++) {
    const complaint = check(list[i]);
    if (complaint !== undefined) throw refusal(type, list, i, complaint);
  }
  return written(type, list) as DataOf<T>;
}

function refusal(type: ElementType, list: ArrayLike<unknown>, i: number, complaint: string): SardonyxError {
  const entry = list[i];
  const isNested = Array.isArray(entry) || ArrayBuffer.isView(entry);
  const is = i in list ? shown(entry) : 'missing';
  return new SardonyxError(
    'INVALID_VALUE',
    isNested ? `element ${i} is ${is}: ${NESTED}` : `${type} ${complaint}; element ${i} is ${is}`,
  );
}

const CODES: Partial<Record<ElementType, (x: number) => number>> = { float16: toFloat16, bfloat16: toBfloat16 };

function written(type: ElementType, list: ArrayLike<unknown>): TypedArray | readonly string[] {
  if (type === 'string') return Array.isArray(list) ? list : Array.from(list as ArrayLike<string>);
  if (isMinifloat(type) || isPacked(type)) return tensorOf(type, [list.length], list as ArrayLike<number>).data;
  const data = new (ELEMENTS[type].array as TypedArrayConstructor)(list.length);
  const code = CODES[type];
  const isLongs = type === 'int64' || type === 'uint64';
  for (let i = 0; i < list.length; i++) {
    const entry = list[i] as number;
    data[i] = (isLongs ? BigInt(entry) : code ? code(entry) : Number(entry)) as never;
  }
  return data;
}
