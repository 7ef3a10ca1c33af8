import type { Ridges } from '../../../workers/contracts/logs.js';
import type { Draw } from '../canvas.js';
import { resolved } from '../colors.js';

const MARGIN = { left: 8, right: 52, top: 60, bottom: 22 };

/** More ridges than this hide each other: beyond it only every nth is drawn, and always the last. */
const MOST_RIDGES = 60;

export function rowsShown(count: number): number[] {
  const every = Math.ceil(count / MOST_RIDGES);
  return Array.from({ length: count }, (_, row) => row).filter((row) => (count - 1 - row) % every === 0);
}

/** A ridge for each step, the latest in front: the height is the density. */
export const drawRidges =
  ({ counts, bins, steps, from, to }: Ridges, colour: string): Draw =>
  (context, width, height) => {
    const rows = rowsShown(steps.length);
    const most = counts.reduce((most, count) => Math.max(most, count), 1e-9);
    const [right, bottom] = [width - MARGIN.right, height - MARGIN.bottom];
    const xAt = (bin: number) => MARGIN.left + ((bin + 0.5) / bins) * (right - MARGIN.left);
    const lineAt = (i: number) => MARGIN.top + ((i + 1) / rows.length) * (bottom - MARGIN.top);
    context.lineWidth = 1;
    for (const [i, row] of rows.entries()) {
      const base = lineAt(i);
      const path = new Path2D(`M${xAt(0)} ${base}`);
      for (let bin = 0; bin < bins; bin++)
        path.lineTo(xAt(bin), base - ((counts[row * bins + bin] as number) / most) * (MARGIN.top - 6));
      path.lineTo(xAt(bins - 1), base);
      context.globalAlpha = 0.35 + (0.5 * (i + 1)) / rows.length;
      context.fillStyle = resolved(colour);
      context.fill(path);
      context.globalAlpha = 1;
      context.strokeStyle = resolved('var(--surface)');
      context.stroke(path);
    }
    scaleBelow(context, from, to, MARGIN.left, right, height);
    stepsBeside(context, rows, steps, lineAt, right);
  };

function scaleBelow(
  context: CanvasRenderingContext2D,
  from: number,
  to: number,
  left: number,
  right: number,
  height: number,
): void {
  lettering(context);
  for (const [i, align] of (['left', 'center', 'right'] as const).entries()) {
    context.textAlign = align;
    context.fillText(shortened(from + ((to - from) * i) / 2), left + ((right - left) * i) / 2, height - 8);
  }
}

function stepsBeside(
  context: CanvasRenderingContext2D,
  rows: readonly number[],
  steps: Float64Array,
  lineAt: (i: number) => number,
  right: number,
): void {
  lettering(context);
  context.textAlign = 'left';
  const every = Math.ceil(rows.length / 8);
  for (const [i, row] of rows.entries())
    if ((rows.length - 1 - i) % every === 0) context.fillText(`${steps[row]}`, right + 6, lineAt(i));
}

export function lettering(context: CanvasRenderingContext2D): void {
  context.fillStyle = resolved('var(--text-quiet)');
  context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
}

export const shortened = (value: number): string => `${Number(value.toPrecision(3))}`;
