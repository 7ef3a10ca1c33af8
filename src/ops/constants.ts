import type { TensorValue } from '../tensor/tensor-value.js';

/** Constants for decompositions. */
export const float32Scalar = (value: number): TensorValue => ({
  type: 'float32',
  dims: [],
  data: Float32Array.of(value),
});

export const int64List = (values: readonly number[]): TensorValue => ({
  type: 'int64',
  dims: [values.length],
  data: BigInt64Array.from(values, BigInt),
});
