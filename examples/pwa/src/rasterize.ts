export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Stroke = readonly Point[];

export const SIDE = 8;

/** As in the training images: full height, three quarters of the width, 30 % ink. */
const HEIGHT = 6.8;
const MAX_WIDTH = 4.6;
const INK = 0.3 * SIDE * SIDE;
const MIN_LINE = 1;
const MAX_LINE = 2.6;

const canvas = new OffscreenCanvas(SIDE, SIDE);
const context = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;

/** The drawing, scaled and centered, as a gray 8×8 image in 0…1; undefined if nothing is drawn. */
export function rasterize(strokes: readonly Stroke[]): Float32Array | undefined {
  const points = strokes.flat();
  if (points.length === 0) return undefined;
  const [left, right] = extent(points.map(({ x }) => x));
  const [top, bottom] = extent(points.map(({ y }) => y));
  const scaleY = HEIGHT / Math.max(bottom - top, (right - left) / 2, 1);
  const scaleX = Math.min(scaleY, MAX_WIDTH / (right - left || 1));
  const place = ({ x, y }: Point): Point => ({
    x: SIDE / 2 + scaleX * (x - (left + right) / 2),
    y: SIDE / 2 + scaleY * (y - (top + bottom) / 2),
  });
  paint(strokes.map((stroke) => stroke.map(place)));
  const { data } = context.getImageData(0, 0, SIDE, SIDE);
  return Float32Array.from({ length: SIDE * SIDE }, (_, i) => (data[4 * i + 3] as number) / 255);
}

function paint(strokes: readonly Stroke[]): void {
  context.clearRect(0, 0, SIDE, SIDE);
  context.lineCap = context.lineJoin = 'round';
  context.lineWidth = Math.min(Math.max(INK / strokes.reduce((sum, s) => sum + lengthOf(s), 0), MIN_LINE), MAX_LINE);
  context.stroke(pathOf(strokes));
}

/** A stroke of one point is a dot. */
export function pathOf(strokes: readonly Stroke[]): Path2D {
  const path = new Path2D();
  for (const [first, ...rest] of strokes) {
    if (!first) continue;
    path.moveTo(first.x, first.y);
    for (const { x, y } of rest.length > 0 ? rest : [first]) path.lineTo(x, y);
  }
  return path;
}

const extent = (values: readonly number[]) =>
  values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)] as const, [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as const);

const lengthOf = (stroke: Stroke) =>
  stroke.slice(1).reduce((sum, { x, y }, i) => {
    const from = stroke[i] as Point;
    return sum + Math.hypot(x - from.x, y - from.y);
  }, 0);
