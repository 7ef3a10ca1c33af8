import type { Curve } from '../../../workers/contracts/log-entries.js';

export type Points = readonly (readonly [x: number, y: number])[];

/** For precision, only thresholds with positive predictions: it is undefined without any. */
export function pointsOf({ kind, x, y, counts }: Curve<'pr'> | Curve<'roc'>): Points {
  const taken = (i: number) => (counts.truePositives[i] ?? 1) + (counts.falsePositives[i] ?? 0);
  const points = Array.from(x, (at, i) => [at, y[i] as number] as const);
  return kind === 'roc' ? points : points.filter((_, i) => taken(i) > 0);
}

/** The area under a curve with monotonic x, by the trapezoidal rule. */
export function areaUnder(points: Points): number {
  const parts = points.slice(1).map(([x, y], i) => {
    const [left, height] = points[i] as readonly [number, number];
    return ((x - left) * (y + height)) / 2;
  });
  return Math.abs(parts.reduce((sum, part) => sum + part, 0));
}
