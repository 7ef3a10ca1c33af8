import type { Dress } from '../paint/dress.js';
import { TYPE_WIDTH } from '../paint/look.js';
import type { Scene } from '../scene/scene.js';
import type { Size } from '../view/camera.js';

/** What is exported. */
export interface Portrait {
  readonly scene: Scene;
  readonly dress: Dress;
}

/** Pixels left free around an exported picture. */
export const MARGIN = 16;

/** With the margin, and room for what is written beside the last edges. */
export const sizeOf = ({ picture: { width, height } }: Scene): Size => ({
  width: Math.ceil(width) + TYPE_WIDTH.most + 2 * MARGIN,
  height: Math.ceil(height) + 2 * MARGIN,
});
