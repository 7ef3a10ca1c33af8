import { type Dim, type TensorType, tensorType } from '../../graph/types.js';
import type { ElementType } from '../../tensor/element-types.js';
import type { Inference } from '../definition.js';

/** Rows of a batch; one dimension is a single row. */
export function rowsOf(c: Inference<unknown>): Dim | undefined {
  const dims = c.dims(0);
  if (!dims) return undefined;
  if (dims.length !== 1 && dims.length !== 2)
    c.fail('INVALID_SHAPE', `input 0 must be [rows, features] or [features], not [${dims}]`);
  return dims.length === 1 ? 1 : (dims[0] as Dim);
}

export const matrix = (element: ElementType, rows: Dim | undefined, columns: Dim): TensorType =>
  tensorType(element, rows === undefined ? undefined : [rows, columns]);
