import { type Ridges, SHARES } from '../../../workers/contracts/logs.js';
import type { Draw } from '../canvas.js';
import { resolved } from '../colors.js';
import { lettering, shortened } from './draw-ridges.js';

const MARGIN = { left: 52, right: 8, top: 8, bottom: 22 };

/** Over the steps, bands between symmetric quantiles; the median is a line. */
export const drawDistribution =
  ({ steps, quantiles, from, to }: Ridges, colour: string): Draw =>
  (context, width, height) => {
    const [first, last] = [steps[0] as number, steps.at(-1) as number];
    const xAt = (row: number) =>
      MARGIN.left +
      (last > first ? ((steps[row] as number) - first) / (last - first) : 0.5) * (width - MARGIN.left - MARGIN.right);
    const bottom = height - MARGIN.bottom;
    const yAt = (value: number) => bottom - ((value - from) / (to - from)) * (bottom - MARGIN.top);
    const along = (share: number) =>
      Array.from(steps, (_, row) => [xAt(row), yAt(quantiles[row * SHARES.length + share] as number)] as const);
    context.fillStyle = resolved(colour);
    for (let band = 0; band < (SHARES.length - 1) / 2; band++) {
      context.globalAlpha = 0.16 + 0.1 * band;
      context.fill(around(along(band), along(SHARES.length - 1 - band)));
    }
    context.globalAlpha = 1;
    context.strokeStyle = resolved(colour);
    context.lineWidth = 1.5;
    context.stroke(new Path2D(`M${along((SHARES.length - 1) / 2).join('L')}`));
    lettering(context);
    context.textAlign = 'right';
    for (const share of [0, 0.5, 1])
      context.fillText(shortened(from + (to - from) * share), MARGIN.left - 6, yAt(from + (to - from) * share) + 4);
    context.fillText(`${last}`, width - MARGIN.right, height - 6);
    context.textAlign = 'left';
    context.fillText(`${first}`, MARGIN.left, height - 6);
  };

type Points = readonly (readonly [number, number])[];

/** Widens the band of a single step, which would have no width. */
function around(lower: Points, upper: Points): Path2D {
  const wide = (points: Points) =>
    points.length === 1
      ? points.flatMap(([x, y]) => [
          [x - 12, y],
          [x + 12, y],
        ])
      : points;
  return new Path2D(`M${wide(lower).join('L')}L${[...wide(upper)].reverse().join('L')}Z`);
}
