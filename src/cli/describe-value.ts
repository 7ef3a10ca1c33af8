import { isFloat } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import { elementCount, type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import { formatShape } from './quantities.js';

/** A value on one line: `float32 1×10  0.1 0.2 …`. */
export function describeValue(value: HostValue, count: number): string {
  if (isTensorValue(value)) return `${value.type} ${formatShape(value.dims)}  ${firstElements(value, count)}`;
  if (value === null) return 'empty optional';
  if (value instanceof Map) return describeMap(value, count);
  const items = value as readonly HostValue[];
  const shown = items.slice(0, count).map((item) => describeValue(item, count));
  return `sequence of ${items.length}${items.length ? `  (${shown.join('; ')}${ellipsis(items.length, count)})` : ''}`;
}

function describeMap(map: ReadonlyMap<unknown, unknown>, count: number): string {
  const shown = [...map].slice(0, count).map(([key, item]) => `${key}: ${scalar(item)}`);
  return `{${shown.join(', ')}${ellipsis(map.size, count)}}`;
}

const scalar = (item: unknown): string =>
  isTensorValue(item) ? firstElements(item, 1) : typeof item === 'number' ? rounded(item) : String(item);

function firstElements(tensor: TensorValue, count: number): string {
  const elements = firstOf(tensor, count);
  const shown = elements.map((x) =>
    typeof x === 'number' && isFloat(tensor.type) ? rounded(x) : typeof x === 'string' ? JSON.stringify(x) : String(x),
  );
  return shown.join(' ') + ellipsis(elementCount(tensor.dims), count);
}

const rounded = (x: number): string => String(Number(x.toPrecision(6)));

const ellipsis = (length: number, count: number): string => (length > count ? ' …' : '');

/** Types whose elements are printed as stored; complex numbers are pairs. */
const AS_STORED = /^(string|u?int64|complex)/;

/** The elements as numbers, bigints or strings. */
const plainElements = (tensor: TensorValue): ArrayLike<number | bigint | string> =>
  AS_STORED.test(tensor.type) ? tensor.data : numbersOf(tensor);

function firstOf(tensor: TensorValue, count: number): (number | bigint | string)[] {
  const elements = plainElements(tensor);
  return Array.from({ length: Math.min(count, elements.length) }, (_, i) => elements[i] as number | bigint | string);
}

/** The same for JSON: all elements as `data`, or the first few as `first`. */
export function jsonValue(value: HostValue, first?: number): unknown {
  if (isTensorValue(value)) {
    const { type, dims } = value;
    return first === undefined
      ? { type, dims, data: plainElements(value) }
      : { type, dims, first: firstOf(value, first) };
  }
  if (value === null) return null;
  if (value instanceof Map)
    return new Map([...value].map(([key, item]) => [String(key), isTensorValue(item) ? jsonValue(item, first) : item]));
  return (value as readonly HostValue[]).map((item) => jsonValue(item, first));
}
