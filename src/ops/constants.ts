import type { Attribute } from '../graph/graph.js';
import type { TensorValue } from '../tensor/tensor-value.js';

/** Constants and attributes as decompositions write them. */
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

export const intAttribute = (value: number): Attribute => ({ type: 'int', value });
export const intsAttribute = (value: readonly number[]): Attribute => ({ type: 'ints', value });
export const floatAttribute = (value: number): Attribute => ({ type: 'float', value });
export const stringAttribute = (value: string): Attribute => ({ type: 'string', value });
