export type Stroke = readonly (readonly [x: number, y: number])[];

/** The part of the frame that a drawing fills: 20 of 28 pixels in MNIST's images, nearly all in others. */
const MNIST_SIDE = 28;
const shareFor = (side: number | string | undefined): number => (side === MNIST_SIDE ? 20 / MNIST_SIDE : 7 / 8);

/** Limits the scale, so that a dot is not blown up. */
const LARGEST_SCALE = 5;

/**
 * Strokes scaled so that the longer side of their bounding box fills its part of a square frame, and centered: by their center of mass if
 * the model's side is 28, as in MNIST, else by their bounding box. http://yann.lecun.com/exdb/mnist
 */
export function centered(strokes: readonly Stroke[], frame: number, side: number | string | undefined): Stroke[] {
  const points = strokes.flat();
  if (points.length === 0) return [];
  const [left, right] = extent(points.map(([x]) => x));
  const [top, bottom] = extent(points.map(([, y]) => y));
  const scale = Math.min(LARGEST_SCALE, (frame * shareFor(side)) / Math.max(right - left, bottom - top, 1));
  const [x, y] = side === MNIST_SIDE ? massOf(strokes) : [(left + right) / 2, (top + bottom) / 2];
  return strokes.map((stroke) =>
    stroke.map(([px, py]) => [frame / 2 + (px - x) * scale, frame / 2 + (py - y) * scale] as const),
  );
}

const extent = (places: readonly number[]): [number, number] => [Math.min(...places), Math.max(...places)];

/** The center of mass of the ink: the midpoints of stroke segments, weighted by length. */
function massOf(strokes: readonly Stroke[]): [number, number] {
  let [sumX, sumY, total] = [0, 0, 0];
  for (const stroke of strokes)
    for (const [i, [x, y]] of stroke.entries()) {
      const [fromX, fromY] = stroke[i - 1] ?? [x, y];
      const length = Math.hypot(x - fromX, y - fromY) + 1e-6;
      sumX += (length * (x + fromX)) / 2;
      sumY += (length * (y + fromY)) / 2;
      total += length;
    }
  return [sumX / total, sumY / total];
}
