import { type Point, pathOf, type Stroke } from './rasterize.js';

export interface Pad {
  readonly strokes: readonly Stroke[];
  clear(): void;
}

const LINE = 36;

/** Media queries that change the page's colors. */
const COLORS = ['(prefers-color-scheme: dark)', '(forced-colors: active)'];

/** Lets mouse, pen and fingers draw on a canvas. */
export function drawingPad(canvas: HTMLCanvasElement, onChange: () => void): Pad {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const strokes: Point[][] = [];
  let pointer: number | undefined;

  const paint = () => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.lineCap = context.lineJoin = 'round';
    context.lineWidth = LINE;
    context.strokeStyle = getComputedStyle(canvas).color;
    context.stroke(pathOf(strokes));
  };
  const draw = () => {
    paint();
    onChange();
  };
  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return { x: ((clientX - left) * canvas.width) / width, y: ((clientY - top) * canvas.height) / height };
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (pointer !== undefined || event.button !== 0) return;
    pointer = event.pointerId;
    canvas.setPointerCapture(pointer);
    strokes.push([pointOf(event)]);
    draw();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (event.pointerId !== pointer) return;
    strokes.at(-1)?.push(...event.getCoalescedEvents().map(pointOf), pointOf(event));
    draw();
  });
  for (const end of ['pointerup', 'pointercancel'] as const)
    canvas.addEventListener(end, ({ pointerId }) => {
      if (pointerId === pointer) pointer = undefined;
    });

  for (const query of COLORS) matchMedia(query).addEventListener('change', paint);

  return {
    strokes,
    clear() {
      strokes.length = 0;
      draw();
    },
  };
}
