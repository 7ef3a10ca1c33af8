import { formatType, type ValueType } from '../../../graph/types.js';

export function sameType(a: ValueType, b: ValueType): boolean {
  if (a === b) return true;
  if (a.kind !== 'tensor' || b.kind !== 'tensor') return formatType(a) === formatType(b);
  return a.element === b.element && a.dims !== undefined && b.dims !== undefined && sameItems(a.dims, b.dims);
}

export function sameItems(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
