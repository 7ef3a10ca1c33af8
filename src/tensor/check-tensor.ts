import { type ErrorPlace, SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import { dataLength, ELEMENTS, type ElementType, isArrayOf } from './element-types.js';
import { elementCount, type TensorValue } from './tensor-value.js';

/** Checks that a tensor-like object is valid: known type, data of that type, as many elements as its dims require. */
export function checkTensor({ type, data, dims }: TensorValue, name?: string): void {
  const place = name === undefined ? {} : { value: name };
  checkType(type, place);
  checkDims(dims, place);
  if (!fits(type, data)) throw mismatch(type, data, '', place);
  if (type === 'string') checkStrings(data as readonly unknown[], place);
  checkLength(type, data, dims, place);
}

function checkStrings(data: readonly unknown[], place: ErrorPlace): void {
  for (let i = 0; i < data.length; i++)
    if (typeof data[i] !== 'string')
      throw new SardonyxError('INVALID_TYPE', `data of string must be strings: data[${i}] is ${shown(data[i])}`, place);
}

/** Checks that the number of data entries matches the dims. */
export function checkLength(
  type: ElementType,
  data: ArrayLike<unknown>,
  dims: readonly number[],
  place?: ErrorPlace,
): void {
  const length = dataLength(type, elementCount(dims));
  if (data.length === length) return;
  const pixels = data.length * 3 === length * 4 ? ': a pixel of a canvas has 4 (RGBA), take the first 3' : '';
  const holds = `${type}[${dims}] holds ${length} entries, the data has ${data.length}${pixels}`;
  throw new SardonyxError('INVALID_SHAPE', holds, place);
}

export function checkType(type: unknown, place: ErrorPlace = {}): asserts type is ElementType {
  if (typeof type === 'string' && ELEMENTS[type as ElementType]?.onnx) return;
  const known = Object.keys(ELEMENTS).join(', ');
  throw new SardonyxError('INVALID_TYPE', `unknown element type ${shown(type)}; known: ${known}`, place);
}

export function checkDims(dims: unknown, place: ErrorPlace = {}): asserts dims is readonly number[] {
  if (!Array.isArray(dims))
    throw new SardonyxError(
      'INVALID_SHAPE',
      `dims must be an array of integers, e.g. [2, 3]; got ${shown(dims)}`,
      place,
    );
  for (let axis = 0; axis < dims.length; axis++) if (!isSize(dims[axis])) throw noSize(dims, axis, place);
}

const isSize = (size: unknown) => Number.isSafeInteger(size) && (size as number) >= 0;

function noSize(dims: readonly unknown[], axis: number, place: ErrorPlace): SardonyxError {
  const size = dims[axis];
  const isNumeric = (typeof size === 'bigint' || typeof size === 'string') && /^\d+$/.test(String(size));
  const hint = isNumeric ? ', e.g. dims.map(Number)' : '';
  return new SardonyxError(
    'INVALID_SHAPE',
    `dims must be non-negative integers${hint}: dims[${axis}] is ${shown(size)}`,
    place,
  );
}

/** Whether the data are in the array type of the element type; for float16 also a Float16Array. */
function fits(type: ElementType, data: unknown): boolean {
  const { array } = ELEMENTS[type];
  return array ? isArrayOf(array, data) || isHalf(type, data) : Array.isArray(data);
}

export const isFloat16Array = (data: unknown): boolean =>
  ArrayBuffer.isView(data) && (data as Partial<Float32Array>)[Symbol.toStringTag] === ('Float16Array' as string);

export const isHalf = (type: ElementType, data: unknown): boolean => type === 'float16' && isFloat16Array(data);

/**
 * The error for data of a wrong array type. `list` adds that a list of elements is accepted too. Suggests a conversion of typed arrays, but
 * not of a Buffer, whose contents are unknown.
 */
export function mismatch(type: ElementType, data: unknown, list = '', place: ErrorPlace = {}): SardonyxError {
  const wanted = ELEMENTS[type].array?.name ?? 'an array of strings';
  const got = shown(data);
  const convert = /Big/.test(wanted) ? ', BigInt' : /Big/.test(got) ? ', Number' : '';
  const to = wanted.toLowerCase().includes(`${type}a`) ? wanted : list && 'Array';
  const pass = to && /Array$/.test(got) ? `: pass ${to}.from(data${convert})` : '';
  return new SardonyxError('INVALID_TYPE', `${type} needs ${wanted}${list}; got ${got}${pass}`, place);
}
