import { numbersOf } from '../tensor/numbers.js';
import type { TensorValue } from '../tensor/tensor-value.js';

/** Elements as values that `<` orders exactly: bigints for 64-bit integers. */
export const comparable = (x: TensorValue): ArrayLike<number | bigint> =>
  typeof x.data[0] === 'bigint' ? (x.data as unknown as ArrayLike<bigint>) : numbersOf(x);
