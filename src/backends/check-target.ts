import { SardonyxError } from '../base/errors.js';
import { formatType, tensorType } from '../graph/types.js';
import { isArrayOf, type TypedArray, type TypedArrayConstructor } from '../tensor/element-types.js';
import { type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';

/** A loop, because a closure would be a run's only allocation for an output. */
function areSame(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * Throws unless output `name`, of this type and shape and with `length` elements of `array`, fits into the caller's
 * tensor `target`.
 */
export function checkTarget(
  name: string,
  target: TensorValue,
  { type, dims }: Pick<TensorValue, 'type' | 'dims'>,
  array: TypedArrayConstructor,
  length: number,
): void {
  const isAlike = target.type === type && Array.isArray(target.dims) && areSame(target.dims, dims);
  const data = target.data as TypedArray;
  if (isAlike && data.length === length && isArrayOf(array, data)) return;
  const [own, given] = [tensorType(type, dims), tensorType(target.type, target.dims)].map(formatType);
  const held = isAlike ? ` with ${data.length} elements of ${data.constructor.name}` : '';
  throw new SardonyxError('INVALID_SHAPE', `the output is ${own} and does not fit into the given ${given}${held}`, {
    value: name,
  });
}

/** The elements of output `name`, which fit into the caller's tensor. @throws SardonyxError if they do not */
export function numbersFor(name: string, target: TensorValue, value: HostValue): TypedArray {
  if (!isTensorValue(value) || !ArrayBuffer.isView(value.data))
    throw new SardonyxError('INVALID_TYPE', 'is not a numeric tensor and cannot be written into one', {
      value: name,
    });
  const data = value.data as TypedArray;
  checkTarget(name, target, value, data.constructor as TypedArrayConstructor, data.length);
  return data;
}
