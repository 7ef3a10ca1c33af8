import type { Dress } from '../paint/dress.js';
import { TYPE_WIDTH } from '../paint/look.js';
import type { Scene } from '../scene/scene.js';
import type { Size } from '../view/camera.js';

/** The content of an export. */
export interface Portrait {
  readonly scene: Scene;
  readonly dress: Dress;
}

/** Margin around an exported picture, in pixels. */
export const MARGIN = 16;

/** Includes the margin, and room for the types beside the last edges. */
export const sizeOf = ({ picture: { width, height } }: Scene): Size => ({
  width: Math.ceil(width) + TYPE_WIDTH.most + 2 * MARGIN,
  height: Math.ceil(height) + 2 * MARGIN,
});
