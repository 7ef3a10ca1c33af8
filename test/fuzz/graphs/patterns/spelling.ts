import type { Draft, KnownTensor } from '../draft.js';

/** How a pattern is written down this time: operands in either order, and now and then one thing that is not as it should be. */
export interface Spelling {
  either(a: KnownTensor, b: KnownTensor): KnownTensor[];
  /** The number, or another. */
  number(x: number): number;
  /** Something else in place of what belongs there. */
  slip<T>(other: () => T): T | undefined;
}

/** One pattern in three may be a near miss. */
export function spelling({ choices }: Draft): Spelling {
  const slips = choices.chance(0.35) ? 0.3 : 0;
  const slip = <T>(other: () => T) => (choices.chance(slips) ? other() : undefined);
  return {
    slip,
    either: (a, b) => (choices.chance(0.5) ? [a, b] : [b, a]),
    number: (x) => slip(() => x * choices.pick([0.5, 1.0625, 2])) ?? x,
  };
}
