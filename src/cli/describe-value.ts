import { isFloat } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import { type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import { formatShape } from './quantities.js';

/** A value in one line: `float32 1×10  0.1 0.2 …`. */
export function describeValue(value: HostValue, count: number): string {
  if (isTensorValue(value)) return `${value.type} ${formatShape(value.dims)}  ${firstElements(value, count)}`;
  if (value === null) return 'absent';
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
  const elements = plainElements(tensor, count);
  const shown = elements.map((x) =>
    typeof x === 'number' && isFloat(tensor.type) ? rounded(x) : typeof x === 'string' ? JSON.stringify(x) : String(x),
  );
  return shown.join(' ') + ellipsis(tensor.data.length, count);
}

const rounded = (x: number): string => String(Number(x.toPrecision(6)));

const ellipsis = (length: number, count: number): string => (length > count ? ' …' : '');

/** The first elements as numbers, bigints or strings; raw bits of types that JavaScript has no numbers for. */
function plainElements(tensor: TensorValue, count: number): (number | bigint | string)[] {
  const decoded = tensor.type === 'float16' || tensor.type === 'bfloat16' ? numbersOf(tensor) : tensor.data;
  return Array.from({ length: Math.min(count, decoded.length) }, (_, i) => decoded[i] as number | bigint | string);
}

/** The same for JSON. */
export function jsonValue(value: HostValue, count: number): unknown {
  if (isTensorValue(value)) return { type: value.type, dims: value.dims, data: plainElements(value, count) };
  if (value === null) return null;
  if (value instanceof Map)
    return new Map([...value].map(([key, item]) => [String(key), isTensorValue(item) ? jsonValue(item, count) : item]));
  return (value as readonly HostValue[]).map((item) => jsonValue(item, count));
}
