import { type Int64, Long, toBigInt } from '../../model/int64.js';

/** Whether two messages or field values are equal. A missing field equals its default. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return isSameNumber(a, b);
  if (a instanceof Long || b instanceof Long) return isSameNumber(a, b);
  if (Array.isArray(a) || ArrayBuffer.isView(a)) {
    const [left, right] = [a, b] as unknown as ArrayLike<unknown>[];
    return left?.length === right?.length && Array.from(left ?? []).every((item, i) => isSame(item, right?.[i]));
  }
  return changedFields(a, b).length === 0;
}

/** Compares integers. A 64-bit integer may be a number or a Long. */
const isSameNumber = (a: unknown, b: unknown): boolean => isInteger(a) && isInteger(b) && toBigInt(a) === toBigInt(b);

const isInteger = (value: unknown): value is Int64 => Number.isInteger(value) || value instanceof Long;

/** The names of the fields in which two messages differ. */
export const changedFields = <T extends object>(a: T, b: T, except: readonly string[] = []): (keyof T & string)[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (name) => !except.includes(name) && !isSame(a[name as keyof T], b[name as keyof T]),
  ) as (keyof T & string)[];
