import { useEffect, useRef } from 'preact/hooks';
import type { ValueMetadata } from 'sardonyx';
import { setInput } from '../../store/session.js';
import { PICTURE_CHOICES } from '../../workers/contracts/feeding.js';

const SIDE = 224;
const PEN = 24;
const STEP = 8;

/** White strokes on black, as sets of digits are drawn; by keyboard, arrows move the pen while the space bar has set it down. */
export function DrawingPad({ input: { name } }: { input: ValueMetadata }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pen = useRef({ x: SIDE / 2, y: SIDE / 2, isDown: false });
  const context = () => canvas.current?.getContext('2d', { willReadFrequently: true });
  const give = () => {
    const drawn = context()?.getImageData(0, 0, SIDE, SIDE);
    if (drawn) setInput(name, { kind: 'pixels', pixels: drawn, picture: PICTURE_CHOICES });
  };
  const clear = () => {
    const pad = context();
    if (!pad) return;
    pad.fillStyle = 'black';
    pad.fillRect(0, 0, SIDE, SIDE);
    give();
  };
  const moveTo = (x: number, y: number) => {
    const pad = context();
    const from = pen.current;
    if (pad && from.isDown) stroke(pad, from.x, from.y, x, y);
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
          pen.current = { x, y, isDown: true };
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
          if (event.key === ' ') pen.current = { ...pen.current, isDown: !pen.current.isDown };
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

function stroke(pad: CanvasRenderingContext2D, fromX: number, fromY: number, x: number, y: number): void {
  pad.strokeStyle = 'white';
  pad.lineWidth = PEN;
  pad.lineCap = 'round';
  pad.beginPath();
  pad.moveTo(fromX, fromY);
  pad.lineTo(x, y);
  pad.stroke();
}
