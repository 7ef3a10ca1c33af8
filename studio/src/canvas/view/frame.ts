import { canvasPen } from '../paint/canvas-pen.js';
import { light, ring } from '../paint/highlight.js';
import type { Stage } from '../paint/stage.js';
import { type Neighbourhood, neighbourhood } from '../scene/neighbourhood.js';
import type { Rectangle } from '../scene/rectangle.js';
import type { Scene } from '../scene/scene.js';
import type { Target } from '../scene/target.js';
import { type Camera, windowOf } from './camera.js';
import type { Bitmap } from './overview.js';
import type { Content, Screen, Tiles } from './tiles.js';

/** The contents of a frame besides the tiles. */
export interface Marks {
  readonly selected: Target | undefined;
  readonly hovered: Target | undefined;
  /** Whether the selection has a focus ring for keyboard users. */
  readonly isFocused: boolean;
}

/** Opacity of the background over everything away from the selection. */
const VEIL = 0.55;

export function drawFrame(
  context: CanvasRenderingContext2D,
  content: Content,
  tiles: Tiles,
  overview: Bitmap | undefined,
  camera: Camera,
  screen: Screen,
  marks: Marks,
): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = content.dress.theme.background;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  if (overview && !tiles.covers(camera, screen)) underlay(context, overview, camera, screen.ratio);
  tiles.blit(context, camera, screen);
  drawMarks(context, content, camera, screen, marks);
}

/** Beyond this stretch the overview would be a blur. */
const MOST_STRETCH = 40;

function underlay(context: CanvasRenderingContext2D, { canvas, width, height }: Bitmap, camera: Camera, ratio: number) {
  const scale = camera.scale * ratio;
  if ((width * scale) / canvas.width > MOST_STRETCH || (height * scale) / canvas.height > MOST_STRETCH) return;
  context.drawImage(canvas, camera.x * ratio, camera.y * ratio, width * scale, height * scale);
}

function drawMarks(
  context: CanvasRenderingContext2D,
  { scene, dress }: Content,
  camera: Camera,
  screen: Screen,
  { selected, hovered, isFocused }: Marks,
): void {
  const near = selected && nearOf(scene, selected);
  if (near && isSomethingIn(near)) {
    context.globalAlpha = VEIL;
    context.fillStyle = dress.theme.background;
    context.fillRect(0, 0, context.canvas.width, context.canvas.height);
    context.globalAlpha = 1;
  }
  const { ratio } = screen;
  const density = camera.scale * ratio;
  context.setTransform(density, 0, 0, density, Math.round(camera.x * ratio), Math.round(camera.y * ratio));
  const window = windowOf(camera, screen);
  const pen = canvasPen(context, dress.theme.font);
  const stage: Stage = { scene, dress, pen, zoom: camera.scale, density, window };
  const seen = seenIn(scene, window);
  if (near) light(stage, near, seen.edge, seen.box);
  if (hovered) light(stage, { ...nearOf(scene, hovered), boxes: [] }, seen.edge, seen.box);
  mark(stage, hovered, dress.theme.muted, 1.5, 0);
  mark(stage, selected, dress.theme.selection, 2, 1);
  if (isFocused) mark(stage, selected, dress.theme.focus, 2, 4);
}

const isSomethingIn = ({ boxes }: Neighbourhood): boolean => boxes.length > 0;

function mark(stage: Stage, target: Target | undefined, colour: string, width: number, gap: number): void {
  const box = target ? stage.scene.boxOf(target) : -1;
  if (box >= 0) ring(stage, box, colour, width, gap);
}

function seenIn({ edgeExtents, boxExtents }: Scene, { x, y, width, height }: Rectangle) {
  const meets =
    ({ left, top, right, bottom }: Scene['edgeExtents']) =>
    (item: number) =>
      (left[item] as number) <= x + width &&
      (right[item] as number) >= x &&
      (top[item] as number) <= y + height &&
      (bottom[item] as number) >= y;
  return { edge: meets(edgeExtents), box: meets(boxExtents) };
}

const known = new WeakMap<Scene, { target: Target; near: Neighbourhood }[]>();

/** Caches the last few, so that frames don't search again. */
function nearOf(scene: Scene, target: Target): Neighbourhood {
  const kept = known.get(scene) ?? [];
  const before = kept.find((one) => one.target.kind === target.kind && one.target.index === target.index);
  if (before) return before.near;
  const near = neighbourhood(scene, target);
  known.set(scene, [{ target, near }, ...kept.slice(0, 3)]);
  return near;
}
