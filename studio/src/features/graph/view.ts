import { signal } from '@preact/signals';
import type { Camera } from '../../canvas/view/camera.js';
import type { GraphView } from '../../canvas/view/view.js';

/** The graph view, if there is one: used to export it and to move its camera. */
export const view = signal<GraphView | null>(null);

/** The current camera, updated as people move it. */
export const camera = signal<Camera | null>(null);

/** The camera to use once the graph in view is drawn. */
export const place = signal<Camera | null>(null);

export function lookAt(position: Camera): void {
  place.value = position;
}
