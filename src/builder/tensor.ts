import { unreadable } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import { checkDims, checkType, isHalf } from '../tensor/check-tensor.js';
import {
  byteLength,
  type DataOf,
  dataLength,
  ELEMENTS,
  type ElementType,
  isArrayOf,
  type TypedArray,
} from '../tensor/element-types.js';
import { listedData } from '../tensor/listed-data.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

type Values = ArrayLike<number | bigint | boolean | string>;

const MOST_BYTES = 2 ** 32;

/**
 * A tensor from values in row-major order, which are copied: one per element (two for complex numbers), checked and converted to the type;
 * or an array in the type's storage format, with packed elements or the bits of small floats.
 * @throws SardonyxError INVALID_TYPE, INVALID_SHAPE or INVALID_VALUE
 */
export function tensor<T extends ElementType>(type: T, dims: readonly number[], values: Values): TensorValue<T> {
  try {
    checkType(type);
    checkDims(dims);
    if (!isList(values)) throw invalid(`values must be a list of elements, not ${shown(values)}`);
    return made(type, [...dims], values);
  } catch (thrown) {
    throw unreadable('the type, dims or values', thrown);
  }
}

function made<T extends ElementType>(type: T, dims: readonly number[], values: Values): TensorValue<T> {
  const count = elementCount(dims);
  if (!(byteLength(type, count) <= MOST_BYTES)) throw invalid(`[${dims}] of ${type} is no size of a tensor`);
  const stored = storedIn(type, values);
  const length = stored ? dataLength(type, count) : count * (ELEMENTS[type].entries ?? 1);
  if (values.length !== length) throw invalid(`[${dims}] of ${type} needs ${length} values, got ${values.length}`);
  return { type, dims, data: (stored ?? listedData(type, values)) as DataOf<T> };
}

/** A copy of values that are already in the type's storage format. */
function storedIn(type: ElementType, values: Values): Values | undefined {
  const { array } = ELEMENTS[type];
  if (isHalf(type, values)) {
    const { buffer, byteOffset, length } = values as Uint16Array;
    return new Uint16Array(buffer, byteOffset, length).slice();
  }
  return array && isArrayOf(array, values) ? (values as TypedArray).slice() : undefined;
}

const isList = (values: unknown): values is Values =>
  typeof values === 'object' && values !== null && Number.isSafeInteger((values as Values).length);

const invalid = (message: string): SardonyxError => new SardonyxError('INVALID_VALUE', message);
