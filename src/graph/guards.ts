import { add, type Expression, formatSize, isKnown, lowerBound, quotientOf, type Size, subtract } from './sizes.js';

/**
 * Decisions by size. A plan is traced with expressions in place of its numbers, and each decision that other sizes could change is
 * recorded as a guard: as long as the guards hold, other sizes lead to the same plan. Outside a trace, nothing is assumed of open sizes.
 */
export interface Guard {
  readonly kind: 'equal' | 'unequal' | 'at most';
  readonly a: Size;
  readonly b: Size;
}

/** The values that sizes have where a plan is traced, and what is assumed of them. */
export interface GuardLog {
  valueOf(size: Expression): number;
  assume(guard: Guard): void;
}

let log: GuardLog | undefined;

/** Runs `trace` with decisions taken at the values of `by`, and recorded there. */
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

/** Whether sizes can be decided on: numbers, or any sizes in a trace. */
export const areDecided = (sizes: readonly Size[] | undefined): sizes is readonly Size[] =>
  sizes !== undefined && (log !== undefined || isKnown(sizes));

/** Whether two sizes are equal for all values of the symbols; records nothing. */
export const isAlways = (a: Size, b: Size): boolean => a === b;

/** Whether two sizes differ for all values of the symbols. */
const isNever = (a: Size, b: Size): boolean =>
  lowerBound(subtract(a, b)) > 0 || lowerBound(subtract(b, a)) > 0 || isMultipleOf(a, b, 2) || isMultipleOf(b, a, 2);

/** Whether two sizes are equal, with a guard in a trace; false where nothing is known. */
export function isSame(a: Size, b: Size): boolean {
  if (isAlways(a, b)) return true;
  if ((typeof a === 'number' && typeof b === 'number') || !log || isNever(a, b)) return false;
  const isNow = now(a, log) === now(b, log);
  log.assume({ kind: isNow ? 'equal' : 'unequal', a, b });
  return isNow;
}

/** Whether two sizes are known to differ, with a guard in a trace. */
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

/** Whether `a ≤ b`, with a guard in a trace; false where nothing is known. */
export function isAtMost(a: Size, b: Size): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a <= b;
  if (lowerBound(subtract(b, a)) >= 0 || isMultipleOf(b, a, 1)) return true;
  if (!log || lowerBound(subtract(a, b)) > 0) return false;
  const isNow = now(a, log) <= now(b, log);
  log.assume(isNow ? { kind: 'at most', a, b } : { kind: 'at most', a: add(b, 1), b: a });
  return isNow;
}

/** The number that a size is in a trace, which is taken to stay. */
export function fixed(size: Size): number {
  if (typeof size === 'number') return size;
  if (!log) throw new TypeError(`the size ${formatSize(size)} is not a number`);
  const now = log.valueOf(size);
  if (!isNever(size, now)) log.assume({ kind: 'equal', a: size, b: now });
  return now;
}

/** The number that a size is in a trace, for choices that serve all sizes; records nothing. */
export function hintOf(size: Size): number {
  if (typeof size === 'number') return size;
  if (!log) throw new TypeError(`the size ${formatSize(size)} is not a number`);
  return log.valueOf(size);
}

const SIGNS = { equal: '=', unequal: '≠', 'at most': '≤' } as const;

/** A guard as a limit: `sequence ≤ 512`. */
export const formatGuard = ({ kind, a, b }: Guard): string => `${formatSize(a)} ${SIGNS[kind]} ${formatSize(b)}`;
