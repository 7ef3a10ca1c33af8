// Tensors as tests write them.
import { tensor } from '../src/builder/index.js';
import type { TensorValue } from '../src/tensor/tensor-value.js';

export const f32 = (dims: readonly number[], values: ArrayLike<number>): TensorValue => tensor('float32', dims, values);
export const i64 = (dims: readonly number[], values: readonly (number | bigint)[]): TensorValue =>
  tensor('int64', dims, values);
/** A list, as shapes are given. */
export const int64s = (values: readonly (number | bigint)[]): TensorValue => i64([values.length], values.map(BigInt));

export const numberOf = (value: number): TensorValue => tensor('float32', [], [value]);
export const int = (value: number | bigint): TensorValue => tensor('int64', [], [value]);
export const bool = (value: boolean): TensorValue => tensor('bool', [], [value]);
