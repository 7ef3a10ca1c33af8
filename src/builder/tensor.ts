import { SardonyxError } from '../errors.js';
import { byteLength, ELEMENTS, type ElementType } from '../tensor/element-types.js';
import { elementCount, emptyData, type TensorValue } from '../tensor/tensor-value.js';

/**
 * A tensor from plain values in row-major order. 16-bit and smaller floats are given as raw bits, sub-byte types packed,
 * complex numbers interleaved.
 */
export function tensor(
  type: ElementType,
  dims: readonly number[],
  values: ArrayLike<number | bigint | boolean | string>,
): TensorValue {
  if (!(type in ELEMENTS)) throw invalid(`there is no element type "${type}"`);
  const count = elementCount(dims);
  if (!dims.every((dim) => Number.isSafeInteger(dim) && dim >= 0) || byteLength(type, count) > 2 ** 32)
    throw invalid(`[${dims}] of ${type} is no size of a tensor`);
  const data = emptyData(type, dims);
  if (values.length !== data.length)
    throw invalid(`[${dims}] of ${type} takes ${data.length} values; ${values.length} were given`);
  const convert: (value: number | bigint | boolean | string) => unknown =
    type === 'string' ? String : data instanceof BigInt64Array || data instanceof BigUint64Array ? BigInt : Number;
  const entries = data as unknown[];
  for (let i = 0; i < values.length; i++) entries[i] = convert(values[i] as number);
  return { type, dims: [...dims], data };
}

const invalid = (message: string): SardonyxError => new SardonyxError('INVALID_VALUE', message);
