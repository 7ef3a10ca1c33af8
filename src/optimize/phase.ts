import type { OptimizationLevel } from './options.js';
import type { Rule } from './rule.js';

/** A set of rules, applied until nothing changes, and the level from which on it applies. */
export interface Phase {
  readonly level: OptimizationLevel;
  readonly rules: () => readonly Rule[];
}
