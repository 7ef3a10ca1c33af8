import { useEffect, useRef } from 'preact/hooks';
import type { ValueMetadata } from 'sardonyx';
import { setInput } from '../../store/session.js';
import { PICTURE_CHOICES } from '../../workers/contracts/feeding.js';
import { centered, type Stroke } from './centered.js';

const SIDE = 224;
const PEN = 24;
const STEP = 8;

/**
 * A pad for white strokes on black, as in data sets of digits; the model gets them centered and scaled. By keyboard, the space bar lowers
 * the pen and arrow keys move it.
 */
export function DrawingPad({ input }: { input: ValueMetadata }) {
  const { name } = input;
  const strokes = useRef<[number, number][][]>([]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pen = useRef({ x: SIDE / 2, y: SIDE / 2, isDown: false });
  const context = () => canvas.current?.getContext('2d', { willReadFrequently: true });
  const give = () => {
    const side = input.isTensor ? input.shape.at(-1) : undefined;
    const pixels = drawn(centered(strokes.current, SIDE, side));
    if (pixels) setInput(name, { kind: 'pixels', pixels, picture: PICTURE_CHOICES });
  };
  const clear = () => {
    const pad = context();
    if (!pad) return;
    strokes.current = [];
    blacken(pad);
    give();
  };
  const setDown = (x: number, y: number) => {
    pen.current = { x, y, isDown: true };
    strokes.current.push([[x, y]]);
  };
  const moveTo = (x: number, y: number) => {
    const pad = context();
    const from = pen.current;
    if (pad && from.isDown) {
      stroke(pad, from.x, from.y, x, y);
      strokes.current.at(-1)?.push([x, y]);
    }
    pen.current = { ...from, x, y };
    if (from.isDown) give();
  };
  useEffect(clear, []);
  return (
    <div class="row">
      <div
        class="pad"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys itself
        tabIndex={0}
        role="application"
        aria-label="Drawing: arrow keys move the pen, Space puts it down or lifts it"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const [x, y] = placeOf(event);
          setDown(x, y);
          moveTo(x, y);
        }}
        onPointerMove={(event) => {
          if (event.buttons > 0) moveTo(...placeOf(event));
        }}
        onPointerUp={() => {
          pen.current = { ...pen.current, isDown: false };
        }}
        onKeyDown={(event) => {
          const [dx, dy] = MOVES[event.key] ?? [0, 0];
          if (event.key === ' ' && pen.current.isDown) pen.current = { ...pen.current, isDown: false };
          else if (event.key === ' ') setDown(pen.current.x, pen.current.y);
          if (event.key === ' ' || dx || dy) event.preventDefault();
          if (dx || dy) moveTo(within(pen.current.x + dx), within(pen.current.y + dy));
        }}
      >
        <canvas ref={canvas} width={SIDE} height={SIDE} />
      </div>
      <button type="button" class="button" onClick={clear}>
        Clear
      </button>
    </div>
  );
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

const within = (place: number) => Math.max(0, Math.min(SIDE, place));

function placeOf(event: PointerEvent & { currentTarget: HTMLElement }): [number, number] {
  const box = event.currentTarget.getBoundingClientRect();
  return [((event.clientX - box.left) * SIDE) / box.width, ((event.clientY - box.top) * SIDE) / box.height];
}

function blacken(pad: CanvasRenderingContext2D): void {
  pad.fillStyle = 'black';
  pad.fillRect(0, 0, SIDE, SIDE);
}

function drawn(strokes: readonly Stroke[]): ImageData | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const pad = canvas.getContext('2d', { willReadFrequently: true });
  if (!pad) return undefined;
  blacken(pad);
  for (const line of strokes)
    for (const [i, [x, y]] of line.entries()) {
      const [fromX, fromY] = line[i - 1] ?? [x, y];
      stroke(pad, fromX, fromY, x, y);
    }
  return pad.getImageData(0, 0, SIDE, SIDE);
}

function stroke(pad: CanvasRenderingContext2D, fromX: number, fromY: number, x: number, y: number): void {
  pad.strokeStyle = 'white';
  pad.lineWidth = PEN;
  pad.lineCap = 'round';
  pad.beginPath();
  pad.moveTo(fromX, fromY);
  pad.lineTo(x, y);
  pad.stroke();
}
