import { useEffect, useRef } from 'preact/hooks';
import { theme } from '../../ui/theme.js';
import { inTurn } from './in-turn.js';

export type Draw = (context: CanvasRenderingContext2D, width: number, height: number) => void;

interface Props {
  readonly height: number;
  readonly label: string;
  readonly draw: Draw;
  readonly onPoint?: (x: number, y: number, width: number) => void;
}

/** A canvas as wide as its container, sharp on every screen, redrawn when it or the theme changes. */
export function Canvas({ height, label, draw, onPoint }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const look = theme.value;
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let cancel = () => {};
    const redraw = () => {
      cancel();
      cancel = inTurn(() => drawOn(element, height, draw));
    };
    const observer = new ResizeObserver(redraw);
    observer.observe(element);
    redraw();
    return () => {
      observer.disconnect();
      cancel();
    };
  }, [draw, height, look]);
  return (
    <canvas
      ref={canvas}
      class="drawing"
      role="img"
      aria-label={label}
      onPointerMove={(event) => onPoint?.(event.offsetX, event.offsetY, event.currentTarget.clientWidth)}
    />
  );
}

function drawOn(element: HTMLCanvasElement, height: number, draw: Draw): void {
  const [width, scale] = [element.clientWidth, devicePixelRatio];
  const context = element.getContext('2d');
  if (!context || width === 0) return;
  element.style.height = `${height}px`;
  element.width = Math.round(width * scale);
  element.height = Math.round(height * scale);
  context.scale(scale, scale);
  context.clearRect(0, 0, width, height);
  draw(context, width, height);
}
