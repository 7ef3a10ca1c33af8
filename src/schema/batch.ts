import type { Size } from '../graph/sizes.js';
import { type TensorType, tensorType } from '../graph/types.js';
import type { ElementType } from '../tensor/element-types.js';
import type { Inference } from './definition.js';

/** Input types of most operators of the domain. */
export const NUMERIC: readonly ElementType[] = ['float32', 'float64', 'int64', 'int32'];

/** Number of rows of a batch; a vector is a single row. */
export function rowsOf(c: Inference<unknown>): Size | undefined {
  const dims = c.dims(0);
  if (!dims) return undefined;
  if (dims.length !== 1 && dims.length !== 2)
    c.fail('INVALID_SHAPE', `input 0 must be [rows, features] or [features], not [${dims}]`);
  return dims.length === 1 ? 1 : (dims[0] as Size);
}

export const matrix = (element: ElementType, rows: Size | undefined, columns: Size): TensorType =>
  tensorType(element, rows === undefined ? undefined : [rows, columns]);

/** Number of elements, if known. */
export const numel = (dims: readonly Size[] | undefined): number | undefined =>
  dims?.every((d) => typeof d === 'number') ? dims.reduce<number>((n, d) => n * (d as number), 1) : undefined;

/** Checks that a list has an entry for each feature, or one for all. */
export function checkPerFeature(c: Inference<unknown>, name: string, list: readonly number[]): void {
  const features = c.dims(0)?.at(-1);
  if (list.length === 1 || typeof features !== 'number' || list.length === features) return;
  c.fail('INVALID_ATTRIBUTE', `${name} has ${list.length} entries for ${features} features`);
}
