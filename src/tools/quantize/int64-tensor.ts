import type { TensorProto } from '../../../build/onnx.js';
import { tensorOf } from './tensor-data.js';

/** A vector of integers, such as dims or axes. */
export const int64Tensor = (name: string, values: readonly number[]): TensorProto =>
  tensorOf(name, 'int64', [values.length], BigInt64Array.from(values, BigInt));
