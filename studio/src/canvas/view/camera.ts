import type { Rectangle } from '../scene/rectangle.js';

/** The view of a picture: screen x is picture x times scale, plus x; in CSS pixels. */
export interface Camera {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const LEAST_ZOOM = 0.02;
export const MOST_ZOOM = 4;

/** Margin around a picture; the page's controls are above it. */
const MARGIN = { x: 24, y: 48 };

/** The zoom that fits the whole picture, at most 1; below LEAST_ZOOM for very large ones. */
export const fittingZoom = (picture: Size, screen: Size): number =>
  Math.min(
    1,
    Math.max(1, screen.width - 2 * MARGIN.x) / Math.max(1, picture.width),
    Math.max(1, screen.height - 2 * MARGIN.y) / Math.max(1, picture.height),
  );

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

/** The whole picture, centred. */
export const fitted = (picture: Size, screen: Size): Camera => centred(picture, screen, fittingZoom(picture, screen));

const centred = (picture: Size, screen: Size, scale: number): Camera => ({
  scale,
  x: (screen.width - picture.width * scale) / 2,
  y: (screen.height - picture.height * scale) / 2,
});

/** Below this zoom operators can't be read. */
const READABLE = 0.5;

/** The whole picture if it is readable; otherwise its beginning. */
export function firstLook(picture: Size, screen: Size, begin: Rectangle, direction: 'down' | 'right'): Camera {
  const fitting = fittingZoom(picture, screen);
  if (fitting >= READABLE) return fitted(picture, screen);
  const isDown = direction === 'down';
  const across = isDown
    ? (screen.width - 2 * MARGIN.x) / picture.width
    : (screen.height - 2 * MARGIN.y) / picture.height;
  const scale = clamp(across, 0.75, 1);
  const middle = centred(picture, screen, scale);
  return {
    scale,
    x: isDown ? screen.width / 2 - (begin.x + begin.width / 2) * scale : MARGIN.x,
    y: isDown ? Math.max(middle.y, MARGIN.y) : screen.height / 2 - (begin.y + begin.height / 2) * scale,
  };
}

/** Keeps the picture point at x, y of the screen in place. */
export function zoomedAbout(camera: Camera, x: number, y: number, factor: number, least: number): Camera {
  const scale = clamp(camera.scale * factor, Math.min(LEAST_ZOOM, least), MOST_ZOOM);
  const change = scale / camera.scale;
  return { scale, x: x - (x - camera.x) * change, y: y - (y - camera.y) * change };
}

/** Pans by screen pixels; part of the picture always remains in view. */
export function moved(camera: Camera, dx: number, dy: number, picture: Size, screen: Size): Camera {
  return kept({ ...camera, x: camera.x + dx, y: camera.y + dy }, picture, screen);
}

export function kept({ scale, x, y }: Camera, picture: Size, screen: Size): Camera {
  const rest = (size: number) => Math.min(80, size / 2);
  return {
    scale,
    x: clamp(x, rest(screen.width) - picture.width * scale, screen.width - rest(screen.width)),
    y: clamp(y, rest(screen.height) - picture.height * scale, screen.height - rest(screen.height)),
  };
}

/** The part of the picture shown on the screen. */
export const windowOf = ({ scale, x, y }: Camera, { width, height }: Size): Rectangle => ({
  x: -x / scale,
  y: -y / scale,
  width: width / scale,
  height: height / scale,
});

/** Centres the rectangle at a readable zoom; if it is too large for that, shows its upper left corner. */
export function centering({ scale: now }: Camera, { x, y, width, height }: Rectangle, screen: Size): Camera {
  const room = { x: screen.width - 2 * MARGIN.x, y: screen.height - 2 * MARGIN.y };
  const whole = Math.min(room.x / width, room.y / height);
  const scale = Math.min(Math.max(now, READABLE), Math.max(whole, READABLE));
  const along = (at: number, length: number, size: number, margin: number) =>
    length * scale > size - 2 * margin ? margin - at * scale : size / 2 - (at + length / 2) * scale;
  return { scale, x: along(x, width, screen.width, MARGIN.x), y: along(y, height, screen.height, MARGIN.y) };
}

/** Converts a camera for part of the screen to one for the whole. */
export const within = ({ scale, x, y }: Camera, part: Rectangle): Camera => ({ scale, x: x + part.x, y: y + part.y });

/** A wall covers at least this part of a side; shorter overlays leave room beside them. */
const WALL = 0.6;

/** The part of a screen that isn't behind walls. */
export function freePart({ width, height }: Size, covers: readonly Rectangle[]): Rectangle {
  let [left, top, right, bottom] = [0, 0, width, height];
  for (const cover of covers) {
    const isUpright = cover.height >= WALL * height;
    if (!isUpright && cover.width < WALL * width) continue;
    if (isUpright && cover.x > 0) right = Math.min(right, cover.x);
    else if (isUpright) left = Math.max(left, cover.x + cover.width);
    else if (cover.y > 0) bottom = Math.min(bottom, cover.y);
    else top = Math.max(top, cover.y + cover.height);
  }
  const isSome = right - left > 2 * MARGIN.x && bottom - top > MARGIN.y;
  return isSome ? { x: left, y: top, width: right - left, height: bottom - top } : { x: 0, y: 0, width, height };
}

/** Whether a screen rectangle is entirely visible: inside `free` and not covered. */
export function isInSight({ x, y, width, height }: Rectangle, free: Rectangle, covers: readonly Rectangle[]): boolean {
  const isInside =
    x >= free.x - 1 &&
    y >= free.y - 1 &&
    x + width <= free.x + free.width + 1 &&
    y + height <= free.y + free.height + 1;
  const isBehind = (cover: Rectangle) =>
    x < cover.x + cover.width && x + width > cover.x && y < cover.y + cover.height && y + height > cover.y;
  return isInside && !covers.some(isBehind);
}

/** Interpolates between two cameras: scale changes geometrically, common content stays in place. */
export function between(a: Camera, b: Camera, part: number): Camera {
  if (part >= 1) return b;
  const scale = a.scale * (b.scale / a.scale) ** part;
  const way = Math.abs(b.scale - a.scale) < 1e-6 * a.scale ? part : (scale - a.scale) / (b.scale - a.scale);
  return { scale, x: a.x + (b.x - a.x) * way, y: a.y + (b.y - a.y) * way };
}

/** Keeps the centre in place; a picture that fitted the screen still does. */
export function resized(camera: Camera, picture: Size, before: Size, now: Size): Camera {
  const seen = windowOf(camera, before);
  const isWhole =
    seen.x <= 0 && seen.y <= 0 && seen.x + seen.width >= picture.width && seen.y + seen.height >= picture.height;
  const fits = picture.width * camera.scale <= now.width && picture.height * camera.scale <= now.height;
  if (isWhole && !fits) return fitted(picture, now);
  const [dx, dy] = [(now.width - before.width) / 2, isWhole ? (now.height - before.height) / 2 : 0];
  return { ...camera, x: camera.x + dx, y: camera.y + dy };
}
