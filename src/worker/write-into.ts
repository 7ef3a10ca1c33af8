import { SardonyxError } from '../errors.js';
import type { TypedArray } from '../tensor/element-types.js';
import type { Tensor } from '../tensor/tensor.js';
import { type HostValue, isTensorValue } from '../tensor/tensor-value.js';
import { bytesOf, type Copy } from './in-pieces.js';

/** What is to be copied for an output to be in the tensor that the caller has given for it. */
export function copyInto(target: Tensor, value: HostValue, name: string): Copy {
  const data = isTensorValue(value) ? value.data : undefined;
  if (!ArrayBuffer.isView(data))
    throw new SardonyxError('INVALID_TYPE', 'is no tensor of numbers and cannot be written into a tensor', {
      value: name,
    });
  if (target.data.length !== data.length || target.data.constructor !== data.constructor) {
    const [is, fits] = [data, target.data].map((array) => `${array.constructor.name} of ${array.length}`);
    throw new SardonyxError('INVALID_SHAPE', `is ${is} and does not fit into ${fits}`, { value: name });
  }
  return { from: bytesOf(data), to: bytesOf(target.data as TypedArray) };
}
