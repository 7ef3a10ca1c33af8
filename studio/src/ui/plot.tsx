import './plot.css';
import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { theme } from './theme.js';

export interface Pen {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  /** A colour or another token of the theme, such as `line` or `text-quiet`. */
  token(name: string): string;
}

interface Props {
  readonly label: string;
  readonly height: number;
  readonly draw: (pen: Pen) => void;
  readonly onPoint?: ((x: number, y: number, pen: Pen, event: 'hover' | 'click') => void) | undefined;
  /** Called with both ends during a drag; without it, all presses are clicks. */
  readonly onDrag?: ((from: number, to: number, pen: Pen) => void) | undefined;
  readonly onZoom?: ((x: number, factor: number, shift: number, pen: Pen) => void) | undefined;
  readonly onKey?: ((key: string) => boolean) | undefined;
}

/** Pixels that the pointer may move during a click. */
const SLACK = 4;

/** A canvas of the available width, sharp on every screen, redrawn when the theme changes. */
export function Plot({ label, height, draw, onPoint, onDrag, onZoom, onKey }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef({ draw, onPoint, onZoom });
  latest.current = { draw, onPoint, onZoom };
  const redraw = () => {
    if (canvas.current) latest.current.draw(fresh(canvas.current, height));
  };
  useEffect(redraw);
  useSignalEffect(() => {
    if (theme.value) requestAnimationFrame(redraw);
  });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(redraw);
    observer.observe(element);
    const wheel = (event: WheelEvent) => {
      if (!latest.current.onZoom) return;
      event.preventDefault();
      const factor = event.ctrlKey || event.deltaX === 0 ? 1.002 ** -event.deltaY : 1;
      latest.current.onZoom(event.offsetX, factor, event.deltaX, penOf(element));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', wheel);
    };
  }, []);
  const point = (event: MouseEvent, kind: 'hover' | 'click') => {
    if (canvas.current) onPoint?.(event.offsetX, event.offsetY, penOf(canvas.current), kind);
  };
  const pressed = useRef<{ readonly x: number; isDrag: boolean } | null>(null);
  const drag = (event: PointerEvent) => {
    const from = pressed.current;
    if (!from || !onDrag || !canvas.current || event.buttons === 0) return;
    from.isDrag ||= Math.abs(event.offsetX - from.x) >= SLACK;
    if (from.isDrag) onDrag(from.x, event.offsetX, penOf(canvas.current));
  };
  return (
    <canvas
      ref={canvas}
      class="plot"
      style={{ height: `${height}px` }}
      role="img"
      aria-label={label}
      tabIndex={onKey ? 0 : undefined}
      onPointerDown={(event) => {
        pressed.current = { x: event.offsetX, isDrag: false };
        if (onDrag) canvas.current?.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        point(event, 'hover');
        drag(event);
      }}
      onClick={(event) => {
        if (!pressed.current?.isDrag) point(event, 'click');
      }}
      onKeyDown={(event) => {
        if (onKey?.(event.key)) event.preventDefault();
      }}
    />
  );
}

function fresh(canvas: HTMLCanvasElement, height: number): Pen {
  const ratio = devicePixelRatio;
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  canvas.height = Math.round(height * ratio);
  const pen = penOf(canvas);
  pen.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.context.font = `11px ${getComputedStyle(canvas).fontFamily}`;
  pen.context.textBaseline = 'middle';
  return pen;
}

function penOf(canvas: HTMLCanvasElement): Pen {
  const style = getComputedStyle(canvas);
  return {
    context: canvas.getContext('2d') as CanvasRenderingContext2D,
    width: canvas.clientWidth,
    height: canvas.clientHeight,
    token: (name) => style.getPropertyValue(`--${name}`).trim(),
  };
}

/** About four round tick values for an axis from 0. */
export function ticksTo(most: number): number[] {
  if (!(most > 0)) return [0];
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => most / each <= 5) ?? most;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => i * step);
}
