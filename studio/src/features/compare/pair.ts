import { signal } from '@preact/signals';
import type { Subject } from '../../store/workspace.js';
import type { Comparison } from './comparison.js';

/** The comparison whose models are drawn side by side; null where the model in view has the room to itself. */
export const pair = signal<Comparison | null>(null);

/** What is selected in the second graph and has no counterpart in the first. */
export interface Alone {
  readonly path: string;
  readonly subject: Subject;
  /** It is to be brought into view. */
  readonly isAway: boolean;
}
export const alone = signal<Alone | null>(null);
