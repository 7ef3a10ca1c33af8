import type { Scene } from '../scene/scene.js';
import type { Target } from '../scene/target.js';
import type { Camera } from './camera.js';
import type { Place } from './pointer.js';

/** A box that keeps its place on the screen in a new picture, and where the pointer was at the time. */
export interface Anchor {
  readonly target: Target;
  /** The upper left corner, in screen coordinates. */
  readonly corner: Place;
  readonly pointer: Place | undefined;
}

export function anchorOf(scene: Scene, camera: Camera, target: Target, pointer?: Place): Anchor | undefined {
  const box = scene.boxOf(target);
  if (box < 0) return undefined;
  const { x, y } = scene.picture.boxes;
  const { scale } = camera;
  const corner = { x: (x[box] as number) * scale + camera.x, y: (y[box] as number) * scale + camera.y };
  return { target, corner, pointer };
}

/** The camera that keeps the box's corner in place, or that moves the box under the pointer. */
export function anchored(scene: Scene, camera: Camera, { target, corner, pointer }: Anchor): Camera {
  const box = scene.boxOf(target);
  if (box < 0) return camera;
  const { x, y, width, height } = scene.picture.boxes;
  const { scale } = camera;
  const under = (at: number, begin: number, size: number) =>
    at > begin + size ? at - size / 2 - begin : at < begin ? at - begin : 0;
  const slipX = pointer ? under(pointer.x, corner.x, (width[box] as number) * scale) : 0;
  const slipY = pointer ? under(pointer.y, corner.y, (height[box] as number) * scale) : 0;
  return {
    scale,
    x: corner.x + slipX - (x[box] as number) * scale,
    y: corner.y + slipY - (y[box] as number) * scale,
  };
}
