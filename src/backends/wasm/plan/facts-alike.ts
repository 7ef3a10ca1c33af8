import type { Fact } from '../../../graph/facts.js';
import { formatType, type ValueType } from '../../../graph/types.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';

export const sameFact = (a: Fact, b: Fact): boolean =>
  a === b || (sameType(a.type, b.type) && sameContents(a.contents, b.contents));

export function sameType(a: ValueType, b: ValueType): boolean {
  if (a === b) return true;
  if (a.kind !== 'tensor' || b.kind !== 'tensor') return formatType(a) === formatType(b);
  return a.element === b.element && a.dims !== undefined && b.dims !== undefined && sameItems(a.dims, b.dims);
}

/** Contents larger than those of shapes are not compared, because their bytes may no longer be available. */
const MAX_COMPARED = 1 << 12;

/** Whether contents of one type are the same. */
export function sameContents(a: TensorValue | undefined, b: TensorValue | undefined): boolean {
  if (a === b || !a || !b) return a === b;
  return elementCount(a.dims) <= MAX_COMPARED && sameItems(a.data, b.data);
}

export function sameItems(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
