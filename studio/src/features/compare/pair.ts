import { signal } from '@preact/signals';
import type { Subject } from '../../store/workspace.js';
import type { Comparison } from './comparison.js';

/** The comparison whose models are drawn side by side; null if only the model in view is drawn. */
export const pair = signal<Comparison | null>(null);

/** A selection in the second graph that has no counterpart in the first. */
export interface Alone {
  readonly path: string;
  readonly subject: Subject;
  /** Whether to bring it into view. */
  readonly isAway: boolean;
}
export const alone = signal<Alone | null>(null);
