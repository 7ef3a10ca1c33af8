import type { Theme } from '../paint/theme.js';
import { type Camera, type Size, windowOf } from './camera.js';
import type { Bitmap } from './overview.js';

/** A small map of the whole picture with a frame around the visible part, which can be dragged. */
export interface Minimap {
  readonly element: HTMLElement;
  draw(bitmap: Bitmap | undefined, camera: Camera, screen: Size, theme: Theme, ratio: number): void;
}

const MOST = { width: 168, height: 220 };
/** The least side for elongated pictures, in pixels. */
const LEAST = 44;
/** Narrower screens have no room for the map. */
const LEAST_SCREEN = 700;

export function createMinimap(moveTo: (x: number, y: number) => void, signal: AbortSignal): Minimap {
  const element = document.createElement('div');
  element.className = 'graph-minimap';
  element.setAttribute('aria-hidden', 'true');
  const canvas = element.appendChild(document.createElement('canvas'));
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  let shown: Bitmap | undefined;
  follow(element, signal, (partX, partY) => shown && moveTo(partX * shown.width, partY * shown.height));
  return {
    element,
    draw(bitmap, camera, screen, theme, ratio) {
      shown = bitmap;
      element.hidden = !bitmap || screen.width < LEAST_SCREEN || isAllSeen(bitmap, camera, screen);
      if (!bitmap || element.hidden) return;
      const size = sizeFor(bitmap);
      resize(element, canvas, size, ratio);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.drawImage(bitmap.canvas, 0, 0, canvas.width, canvas.height);
      frame(context, bitmap, canvas, windowOf(camera, screen), theme, ratio);
    },
  };
}

function isAllSeen({ width, height }: Size, camera: Camera, screen: Size): boolean {
  const seen = windowOf(camera, screen);
  return seen.x <= 0 && seen.y <= 0 && seen.x + seen.width >= width && seen.y + seen.height >= height;
}

function sizeFor({ width, height }: Size): Size {
  const scale = Math.min(MOST.width / width, MOST.height / height);
  return { width: Math.max(LEAST, Math.round(width * scale)), height: Math.max(LEAST, Math.round(height * scale)) };
}

function resize(element: HTMLElement, canvas: HTMLCanvasElement, { width, height }: Size, ratio: number): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width === wide && canvas.height === high) return;
  canvas.width = wide;
  canvas.height = high;
  for (const { style } of [element, canvas]) {
    style.width = `${width}px`;
    style.height = `${height}px`;
  }
}

function frame(
  context: CanvasRenderingContext2D,
  { width, height }: Size,
  canvas: Size,
  seen: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  theme: Theme,
  ratio: number,
): void {
  const [byX, byY] = [canvas.width / width, canvas.height / height];
  const [x, y] = [Math.max(0, seen.x * byX), Math.max(0, seen.y * byY)];
  const right = Math.min(canvas.width, (seen.x + seen.width) * byX);
  const bottom = Math.min(canvas.height, (seen.y + seen.height) * byY);
  context.strokeStyle = theme.selection;
  context.lineWidth = 1.5 * ratio;
  context.strokeRect(x + ratio, y + ratio, Math.max(4, right - x - 2 * ratio), Math.max(4, bottom - y - 2 * ratio));
}

/** Reports presses and drags as fractions of the map's width and height, from 0 to 1. */
function follow(element: HTMLElement, signal: AbortSignal, move: (partX: number, partY: number) => void): void {
  const report = (event: PointerEvent) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const part = (at: number, size: number) => Math.max(0, Math.min(1, at / size));
    move(part(event.clientX - left, width), part(event.clientY - top, height));
  };
  element.addEventListener(
    'pointerdown',
    (event) => {
      element.setPointerCapture(event.pointerId);
      report(event);
    },
    { signal },
  );
  element.addEventListener('pointermove', (event) => void (event.buttons && report(event)), { signal });
}
