import { add, type Expression, formatSize, isKnown, lowerBound, quotientOf, type Size, subtract } from './sizes.js';

/**
 * A decision that depends on sizes. A plan is traced with expressions in place of numbers, and each decision that other
 * sizes could change is recorded as a guard: as long as the guards hold, other sizes lead to the same plan. Outside a
 * trace, nothing is assumed about open sizes.
 */
export interface Guard {
  readonly kind: 'equal' | 'unequal' | 'at most';
  readonly a: Size;
  readonly b: Size;
}

/** The values of sizes in a trace, and a record of assumptions about them. */
export interface GuardLog {
  valueOf(size: Expression): number;
  assume(guard: Guard): void;
}

let log: GuardLog | undefined;

/** Runs `trace`, which decides by the values in `by` and records guards there. */
export function recording<T>(by: GuardLog, trace: () => T): T {
  const outer = log;
  log = by;
  try {
    return trace();
  } finally {
    log = outer;
  }
}

const now = (size: Size, by: GuardLog): number => (typeof size === 'number' ? size : by.valueOf(size));

/** Whether code can branch on sizes: they are numbers, or there is a trace. */
export const areDecided = (sizes: readonly Size[] | undefined): sizes is readonly Size[] =>
  sizes !== undefined && (log !== undefined || isKnown(sizes));

/** Whether two sizes are equal for all values of the symbols; records nothing. */
export const isAlways = (a: Size, b: Size): boolean => a === b;

/** Whether two sizes differ for all values of the symbols. */
const isNever = (a: Size, b: Size): boolean =>
  lowerBound(subtract(a, b)) > 0 || lowerBound(subtract(b, a)) > 0 || isMultipleOf(a, b, 2) || isMultipleOf(b, a, 2);

/** Whether two sizes are equal; false if unknown. Records a guard in a trace. */
export function isSame(a: Size, b: Size): boolean {
  if (isAlways(a, b)) return true;
  if ((typeof a === 'number' && typeof b === 'number') || !log || isNever(a, b)) return false;
  const isNow = now(a, log) === now(b, log);
  log.assume({ kind: isNow ? 'equal' : 'unequal', a, b });
  return isNow;
}

/** Whether two sizes are known to differ. Records a guard in a trace. */
export function differ(a: Size | undefined, b: Size | undefined): boolean {
  if (a === undefined || b === undefined || a === b) return false;
  if (typeof a === 'number' && typeof b === 'number') return true;
  return log ? !isSame(a, b) : false;
}

/** Whether `a` is at least `least` times `b`, which is above 0. */
function isMultipleOf(a: Size, b: Size, least: number): boolean {
  const times = lowerBound(b) > 0 ? quotientOf(a, b) : undefined;
  return times !== undefined && lowerBound(times) >= least;
}

/** Whether `a ≤ b`; false if unknown. Records a guard in a trace. */
export function isAtMost(a: Size, b: Size): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a <= b;
  if (lowerBound(subtract(b, a)) >= 0 || isMultipleOf(b, a, 1)) return true;
  if (!log || lowerBound(subtract(a, b)) > 0) return false;
  const isNow = now(a, log) <= now(b, log);
  log.assume(isNow ? { kind: 'at most', a, b } : { kind: 'at most', a: add(b, 1), b: a });
  return isNow;
}

/** The value of a size in a trace; a guard records that it must stay the same. */
export function fixed(size: Size): number {
  if (typeof size === 'number') return size;
  if (!log) throw new TypeError(`the size ${formatSize(size)} is not a number`);
  const now = log.valueOf(size);
  if (!isNever(size, now)) log.assume({ kind: 'equal', a: size, b: now });
  return now;
}

/** The value of a size in a trace, for choices that work for all sizes; records nothing. */
export function hintOf(size: Size): number {
  if (typeof size === 'number') return size;
  if (!log) throw new TypeError(`the size ${formatSize(size)} is not a number`);
  return log.valueOf(size);
}

const SIGNS = { equal: '=', unequal: '≠', 'at most': '≤' } as const;

/** A guard as text, e.g. `sequence ≤ 512`. */
export const formatGuard = ({ kind, a, b }: Guard): string => `${formatSize(a)} ${SIGNS[kind]} ${formatSize(b)}`;
