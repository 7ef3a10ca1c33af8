import type { Dress } from '../paint/dress.js';
import type { Scene } from '../scene/scene.js';
import type { Size } from '../view/camera.js';

/** What is exported. */
export interface Portrait {
  readonly scene: Scene;
  readonly dress: Dress;
}

/** Pixels left free around an exported picture. */
export const MARGIN = 16;

export const sizeWith = ({ width, height }: Size, margin: number): Size => ({
  width: Math.ceil(width) + 2 * margin,
  height: Math.ceil(height) + 2 * margin,
});
