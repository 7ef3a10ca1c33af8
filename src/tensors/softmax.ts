import { SardonyxError } from '../base/errors.js';
import { isFloat } from '../tensor/element-types.js';
import { tensorOf } from '../tensor/numbers.js';
import { Tensor } from '../tensor/tensor.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { rowsOf } from './along-axis.js';

type FloatType = 'float32' | 'float64' | 'float16' | 'bfloat16';

/**
 * Converts scores to probabilities: exp(x − max) over their sum, along an axis, by default the last. Type and dims stay.
 * @throws SardonyxError INVALID_TYPE if the tensor is not floating-point, INVALID_ARGUMENT if the axis does not exist
 */
export function softmax<T extends FloatType>(tensor: TensorValue<T>, axis?: number): Tensor<T>;
export function softmax(tensor: TensorValue, axis?: number): Tensor;
export function softmax(tensor: TensorValue, axis = -1): Tensor {
  const { type, dims, values, count, length, step, start } = rowsOf(tensor, axis);
  if (!isFloat(type)) throw new SardonyxError('INVALID_TYPE', `softmax takes floating-point numbers, not ${type}`);
  const shares = new Float64Array(values.length);
  for (let row = 0; row < count; row++) {
    const [first, end] = [start(row), start(row) + length * step];
    let most = Number.NEGATIVE_INFINITY;
    for (let i = first; i < end; i += step) most = Math.max(most, values[i] as number);
    let sum = 0;
    for (let i = first; i < end; i += step) sum += shares[i] = Math.exp((values[i] as number) - most);
    for (let i = first; i < end; i += step) shares[i] = (shares[i] as number) / sum;
  }
  return new Tensor(type, tensorOf(type, dims, shares).data as never, dims);
}
