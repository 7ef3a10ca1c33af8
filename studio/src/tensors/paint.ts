import { toNumbers } from 'sardonyx/tensors';
import type { PicturePlan } from './picture-plan.js';
import type { Readable } from './readable.js';

export interface TensorPicture {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity by turns. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  /** The numbers that the ends of the scale stand for. */
  readonly low: number;
  readonly high: number;
}

/** Paints what a plan says: numbers below zero blue, above it red, the larger the stronger; NaN and infinities stand out. */
export async function paint(plan: PicturePlan, tensor: Readable): Promise<TensorPicture> {
  const { title, width, height } = plan;
  const planes = await Promise.all(
    (plan.colours > 0 ? [0, 1, 2] : [0]).map((colour) => sampled(plan, tensor, colour * plan.colours)),
  );
  const { low, high } = scaleOf(planes);
  const pixels = new Uint8ClampedArray(width * height * 4);
  const elements = planes[0] as Float64Array;
  for (let i = 0; i < elements.length; i++) {
    if (elements[i] === GAP) continue;
    const colour =
      plan.colours > 0
        ? planes.map((plane) => level(plane[i] as number, low, high))
        : tint(elements[i] as number, low, high);
    pixels.set([...colour, 255], 4 * i);
  }
  return { title, width, height, pixels, low, high };
}

/** No number of a tensor: gaps stay clear. */
const GAP = -Number.MAX_VALUE;

/** Rows of pixels whose elements lie further apart are read by themselves. */
const MOST = 1 << 20;

async function sampled(plan: PicturePlan, tensor: Readable, offset: number): Promise<Float64Array> {
  const { width, height, elementAt } = plan;
  const values = new Float64Array(width * height).fill(GAP);
  let [from, to, numbers] = [0, 0, new Float32Array() as Float32Array | Float64Array];
  for (let y = 0; y < height; y++) {
    const row = Array.from({ length: width }, (_, x) => elementAt(x, y));
    const there = row.filter((element) => element >= 0);
    if (there.length === 0) continue;
    const [first, last] = [(there[0] as number) + offset, (there.at(-1) as number) + offset];
    if (first < from || last >= to) {
      [from, to] = [first, Math.min(tensor.count, Math.max(last + 1, first + Math.min(MOST, (last - first + 1) * 16)))];
      numbers = toNumbers(await tensor.read(from, to));
    }
    row.forEach((element, x) => {
      if (element >= 0) values[y * width + x] = numbers[element + offset - from] as number;
    });
  }
  return values;
}

/** From the smallest to the largest but for the last half percent at both ends; symmetric about zero where there are both signs. */
function scaleOf(planes: readonly Float64Array[]): { low: number; high: number } {
  const finite = Float64Array.from(
    planes.flatMap((plane) => [...plane.filter((x) => Number.isFinite(x) && x !== GAP)]),
  ).sort();
  const at = (share: number) => finite[Math.round(share * (finite.length - 1))] ?? 0;
  const [low, high] = [at(0.005), at(0.995)];
  if (planes.length > 1) return { low, high };
  const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
  return low < 0 ? { low: -most, high: most } : { low: 0, high: most };
}

const level = (x: number, low: number, high: number): number => (255 * (x - low)) / (high - low || 1);

type Rgb = readonly [number, number, number];
const [NONE, BELOW, ABOVE]: Rgb[] = [
  [247, 245, 241],
  [30, 78, 146],
  [182, 58, 12],
];
const NAN: Rgb = [216, 27, 163];
const INFINITE: Rgb = [0, 0, 0];

function tint(x: number, low: number, high: number): readonly number[] {
  if (Number.isNaN(x)) return NAN;
  if (!Number.isFinite(x)) return INFINITE;
  const strength = Math.min(1, Math.abs(x) / Math.max(Math.abs(low), Math.abs(high)));
  const end = (x < 0 ? BELOW : ABOVE) as Rgb;
  return (NONE as Rgb).map((from, i) => from + ((end[i] as number) - from) * strength);
}
