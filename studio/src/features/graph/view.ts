import { signal } from '@preact/signals';
import type { Camera } from '../../canvas/view/camera.js';
import type { GraphView } from '../../canvas/view/view.js';

/** The drawing while there is one: to export it, and to bring it to what others show. */
export const view = signal<GraphView | null>(null);

/** What it shows of the graph, as people move it. */
export const camera = signal<Camera | null>(null);

/** Where the drawing is to look once it shows the graph in view. */
export const place = signal<Camera | null>(null);

export function lookAt(position: Camera): void {
  place.value = position;
}
