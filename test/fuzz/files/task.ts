import type { Kind } from './trial.js';

/** What the process that tries is told, as its argument. */
export interface Task {
  readonly seed: number;
  readonly only?: Kind | undefined;
  /** Trials `from` to `to`, or until it is that late, where that is said. */
  readonly from: number;
  readonly to: number;
  readonly until?: number | undefined;
  /** Which damages of each trial to keep; all if left out. */
  readonly kept?: readonly number[];
}

/** What it says, a line each. */
export type Report =
  | { readonly kind: 'begins'; readonly trial: number }
  | {
      readonly kind: 'counts';
      readonly counts: Readonly<Record<string, number>>;
      readonly next: number;
      readonly megabytes: number;
    }
  | { readonly kind: 'problem'; readonly trial: number; readonly problem: string }
  | { readonly kind: 'ended' };

export const isLate = ({ until }: Task): boolean => until !== undefined && Date.now() >= until;
