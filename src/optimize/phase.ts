import type { OptimizationLevel } from './options.js';
import type { Rule } from './rule.js';

/** Rules that are applied until nothing changes, and the level from which they apply. */
export interface Phase {
  readonly level: OptimizationLevel;
  readonly rules: () => readonly Rule[];
}
