import type { Projection } from '../../../workers/contracts/logs.js';
import type { Draw } from '../canvas.js';
import { resolved } from '../colors.js';
import { lettering } from '../histograms/draw-ridges.js';

const MARGIN = 24;
/** With fewer points, all have labels. */
const FEW = 60;

/** Points on a plane, at the same scale on both axes; found and hovered ones are highlighted and labelled. */
export const drawPoints =
  (projection: Projection, found: ReadonlySet<number>, pointed: number | null): Draw =>
  (context, width, height) => {
    const at = placesIn(projection.points, width, height);
    const { labels } = projection;
    const dot = (i: number, radius: number) => {
      const [x, y] = at(i);
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
    };
    context.fillStyle = resolved('var(--cat-product)');
    context.globalAlpha = found.size > 0 ? 0.25 : 0.7;
    for (let i = 0; i < labels.length; i++) dot(i, 3);
    context.globalAlpha = 1;
    context.fillStyle = resolved('var(--accent)');
    for (const i of [...found, ...(pointed === null ? [] : [pointed])]) dot(i, 5);
    lettering(context);
    const named = labels.length <= FEW ? labels.map((_, i) => i) : [...found].slice(0, FEW);
    for (const i of [...named, ...(pointed === null ? [] : [pointed])]) {
      const [x, y] = at(i);
      context.fillText(labels[i] ?? '', x + 7, y + 4);
    }
  };

function placesIn(points: Float32Array, width: number, height: number): (i: number) => readonly [number, number] {
  const [least, largest] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ] as [[number, number], [number, number]];
  for (const [i, x] of points.entries()) {
    const k = (i % 2) as 0 | 1;
    least[k] = Math.min(least[k], x);
    largest[k] = Math.max(largest[k], x);
  }
  const scale = Math.min(
    (width - 4 * MARGIN) / (largest[0] - least[0] || 1),
    (height - 2 * MARGIN) / (largest[1] - least[1] || 1),
  );
  const middle = [(least[0] + largest[0]) / 2, (least[1] + largest[1]) / 2] as const;
  return (i) => [
    width / 2 + ((points[2 * i] as number) - middle[0]) * scale,
    height / 2 - ((points[2 * i + 1] as number) - middle[1]) * scale,
  ];
}

const REACH = 12;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The nearest point within `REACH` pixels, or null. */
export function nearest({ points, labels }: Projection, x: number, y: number, size: Size): number | null {
  const place = placesIn(points, size.width, size.height);
  let [best, distance] = [null as number | null, REACH];
  for (let i = 0; i < labels.length; i++) {
    const [px, py] = place(i);
    const away = Math.hypot(px - x, py - y);
    if (away < distance) [best, distance] = [i, away];
  }
  return best;
}
