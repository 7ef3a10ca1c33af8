import { BoxKind } from '../../graph/picture.js';
import { LOOK } from '../paint/look.js';
import type { Scene } from './scene.js';
import { type Target, targetOfBox } from './target.js';

/** The target at a point; `sign` is set if the point is on a module's open/close sign. */
export interface Hit {
  readonly target: Target;
  readonly sign: boolean;
}

/** Picture units are screen units divided by `zoom`. Boxes come before edges, inner boxes before outer ones. */
export function hitAt(scene: Scene, x: number, y: number, zoom: number): Hit | undefined {
  const box = boxAt(scene, x, y);
  const isFrame = box >= 0 && scene.picture.boxes.kind[box] === BoxKind.openModule;
  if (box >= 0 && !isFrame) return { target: targetOfBox(scene.picture.boxes, box), sign: isOnSign(scene, box, x, y) };
  if (isFrame && isOnSign(scene, box, x, y)) return { target: targetOfBox(scene.picture.boxes, box), sign: true };
  const edge = edgeAt(scene, x, y, 5 / zoom);
  if (edge >= 0) return { target: { kind: 'value', index: scene.picture.edges.value[edge] as number }, sign: false };
  return isFrame ? { target: targetOfBox(scene.picture.boxes, box), sign: false } : undefined;
}

/** The innermost box at a point, or -1. Boxes of open modules precede their contents. */
export function boxAt(scene: Scene, x: number, y: number): number {
  let found = -1;
  scene.boxes.query({ x, y, width: 0, height: 0 }, (box) => {
    if (box > found) found = box;
  });
  return found;
}

function isOnSign({ picture: { boxes } }: Scene, box: number, x: number, y: number): boolean {
  const { kind, x: left, y: top } = boxes;
  if (kind[box] !== BoxKind.module && kind[box] !== BoxKind.openModule) return false;
  const { x: dx, y: dy, radius } = LOOK.glyph;
  const reach = radius + 4;
  return Math.abs(x - (left[box] as number) - dx) <= reach && Math.abs(y - (top[box] as number) - dy) <= reach;
}

/** The nearest edge within `reach`, or -1. */
function edgeAt(scene: Scene, x: number, y: number, reach: number): number {
  let found = -1;
  let least = reach;
  scene.edges.query({ x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach }, (edge) => {
    const distance = distanceTo(scene, edge, x, y);
    if (distance >= least) return;
    found = edge;
    least = distance;
  });
  return found;
}

function distanceTo({ picture: { edges } }: Scene, edge: number, x: number, y: number): number {
  const { start, corners } = edges;
  let least = Number.POSITIVE_INFINITY;
  for (let k = start[edge] as number; k + 1 < (start[edge + 1] as number); k++) {
    const [x0, y0] = [corners[2 * k] as number, corners[2 * k + 1] as number];
    const [dx, dy] = [(corners[2 * k + 2] as number) - x0, (corners[2 * k + 3] as number) - y0];
    const part = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)));
    least = Math.min(least, Math.hypot(x - x0 - part * dx, y - y0 - part * dy));
  }
  return least;
}
