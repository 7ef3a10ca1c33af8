import type { TensorPicture } from '../contracts/tensors.js';
import type { PicturePlan } from './picture-plan.js';
import type { Pieces } from './pieces.js';
import { GAP, sampled } from './sampled.js';

/** Paints a plan: negative numbers blue, positive ones red, larger ones stronger; NaN and infinities stand out. */
export async function paint(plan: PicturePlan, pieces: Pieces): Promise<TensorPicture> {
  const { title, width, height, colours } = plan;
  const planes = await Promise.all(
    (colours > 0 ? [0, 1, 2] : [0]).map((colour) => sampled(elementsOf(plan, colour * colours), pieces)),
  );
  const { low, high } = scaleOf(planes);
  const pixels = new Uint8ClampedArray(width * height * 4);
  const [one] = planes as [Float64Array];
  for (let i = 0; i < one.length; i++) {
    if (one[i] === GAP) continue;
    if (colours === 0) tint(pixels, 4 * i, one[i] as number, low, high);
    else for (let at = 0; at < 3; at++) pixels[4 * i + at] = level(planes[at]?.[i] as number, low, high);
    pixels[4 * i + 3] = 255;
  }
  return { title, width, height, pixels, low, high };
}

/** The plan's element for each pixel, shifted by `distance`. */
function elementsOf({ width, height, elementAt }: PicturePlan, distance: number): Float64Array {
  const elements = new Float64Array(width * height);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      const element = elementAt(x, y);
      elements[i] = element < 0 ? -1 : element + distance;
    }
  return elements;
}

/** The range of the numbers without the outer half percent at each end; symmetric about zero if there are negative ones. */
function scaleOf(planes: readonly Float64Array[]): { low: number; high: number } {
  const shown = planes.map((plane) => plane.filter((x) => Number.isFinite(x) && x !== GAP));
  const finite = new Float64Array(shown.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const plane of shown) {
    finite.set(plane, filled);
    filled += plane.length;
  }
  finite.sort();
  const at = (share: number) => finite[Math.round(share * (finite.length - 1))] ?? 0;
  const [low, high] = [at(0.005), at(0.995)];
  if (planes.length > 1) return { low, high };
  const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
  return low < 0 ? { low: -most, high: most } : { low: 0, high: most };
}

const level = (x: number, low: number, high: number): number => (255 * (x - low)) / (high - low || 1);

type Rgb = readonly [number, number, number];
const NONE: Rgb = [247, 245, 241];
const BELOW: Rgb = [30, 78, 146];
const ABOVE: Rgb = [182, 58, 12];
const NAN: Rgb = [216, 27, 163];
const INFINITE: Rgb = [0, 0, 0];

function tint(pixels: Uint8ClampedArray, at: number, x: number, low: number, high: number): void {
  if (Number.isFinite(x))
    blend(pixels, at, x < 0 ? BELOW : ABOVE, Math.abs(x) / Math.max(Math.abs(low), Math.abs(high)));
  else pixels.set(Number.isNaN(x) ? NAN : INFINITE, at);
}

function blend(pixels: Uint8ClampedArray, at: number, end: Rgb, strength: number): void {
  for (let i = 0; i < 3; i++) {
    const none = NONE[i] as number;
    pixels[at + i] = none + ((end[i] as number) - none) * Math.min(1, strength);
  }
}
