import type { Account } from '../account.js';
import { TimeSlice } from '../base/turns.js';
import type { RunLimits } from '../limits.js';

/** The signal, limits and pauses of a run. */
export interface Course {
  readonly slice: TimeSlice | null;
  readonly signal?: AbortSignal | undefined;
  readonly account: Account | null;
}

export const FREE: Course = { slice: null, account: null };

/** Together with the tiles of one check, some four milliseconds more, this is less than a page may block. */
const SLICE_MILLISECONDS = 3;

/** Time slice if only the clock is checked. */
const LIMITED_SLICE_MILLISECONDS = 50;

/** Starts a run on the account, with a linear memory of this size. */
export function courseOf(
  account: Account | null,
  linearBytes: number,
  signal?: AbortSignal,
  limits?: RunLimits | null,
): Course {
  account?.begin(limits ?? {}, linearBytes);
  const remaining = account?.remaining ?? Number.POSITIVE_INFINITY;
  const isLimited = remaining < Number.POSITIVE_INFINITY;
  const milliseconds = signal ? SLICE_MILLISECONDS : Math.min(remaining, LIMITED_SLICE_MILLISECONDS);
  return { slice: signal || isLimited ? new TimeSlice(milliseconds) : null, signal, account };
}
