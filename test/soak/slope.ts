import { median } from '../../bench/statistics.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Slope {
  readonly leastSquares: number;
  /** Of the least squares, as if readings were independent. */
  readonly standardError: number;
  /** The median over the slopes of all pairs: https://en.wikipedia.org/wiki/Theil–Sen_estimator */
  readonly theilSen: number;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** How much y grows per x; null where there are too few points to say. */
export function slopeOf(points: readonly Point[]): Slope | null {
  if (points.length < 3) return null;
  const [x0, y0] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const spread = points.reduce((sum, { x }) => sum + (x - x0) ** 2, 0);
  const leastSquares = points.reduce((sum, { x, y }) => sum + (x - x0) * (y - y0), 0) / spread;
  const rest = points.reduce((sum, { x, y }) => sum + (y - y0 - leastSquares * (x - x0)) ** 2, 0);
  const standardError = Math.sqrt(rest / (points.length - 2) / spread);
  const pairs = points.flatMap((b, j) => points.slice(0, j).map((a) => (b.y - a.y) / (b.x - a.x)));
  return { leastSquares, standardError, theilSen: median(pairs) };
}
