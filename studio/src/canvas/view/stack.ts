import type { Minimap } from './minimap.js';
import type { ZoomButtons } from './zoom-buttons.js';

/** The elements of a view, in stacking order. */
export interface Stack {
  readonly surface: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
}

export function createStack(host: HTMLElement, tree: HTMLElement, minimap: Minimap, buttons: ZoomButtons): Stack {
  const surface = document.createElement('canvas');
  surface.className = 'graph-surface';
  surface.setAttribute('aria-hidden', 'true');
  const corner = document.createElement('div');
  corner.className = 'graph-corner';
  corner.append(minimap.element, buttons.element);
  host.append(surface, tree, corner);
  return { surface, context: surface.getContext('2d', { alpha: false }) as CanvasRenderingContext2D };
}
