import type { Dim } from '../../graph/types.js';
import type { ElementType } from '../../tensor/element-types.js';
import { numbersOf } from '../../tensor/numbers.js';
import { elementCount, type TensorValue } from '../../tensor/tensor-value.js';
import type { Inference } from '../definition.js';

/** Element types that ai.onnx.ml computes on. */
export const FEATURES: readonly ElementType[] = ['float32', 'float64', 'int64', 'int32'];

/** [N, features], or one row of features. */
export interface FeatureRows {
  readonly rows: number;
  readonly columns: number;
  readonly values: ArrayLike<number>;
}

export function featureRows(x: TensorValue): FeatureRows {
  const columns = x.dims.at(-1) ?? 1;
  const rows = x.dims.length < 2 ? 1 : elementCount(x.dims.slice(0, -1));
  return { rows, columns, values: numbersOf(x) };
}

/** How many rows input 0 has. */
export function rowCount(c: Inference<unknown>): Dim {
  const dims = c.dims(0);
  if (!dims) return c.unknown();
  return dims.length < 2 ? 1 : (dims[0] as Dim);
}
