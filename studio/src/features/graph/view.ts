import { signal } from '@preact/signals';
import type { GraphView } from '../../canvas/view/view.js';

/** The drawing while there is one: to export it, and to bring it to what others show. */
export const view = signal<GraphView | null>(null);
