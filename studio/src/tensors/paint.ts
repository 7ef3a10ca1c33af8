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

/** Rows of pixels whose elements lie side by side are read together, up to so many elements; and so many reads at a time. */
const [MOST, READS] = [1 << 20, 24];

interface Span {
  readonly first: number;
  readonly last: number;
  readonly rows: readonly number[];
}

async function sampled(plan: PicturePlan, tensor: Readable, offset: number): Promise<Float64Array> {
  const { width, elementAt } = plan;
  const values = new Float64Array(width * plan.height).fill(GAP);
  const spans = spansOf(plan);
  const show = async ({ first, last, rows }: Span) => {
    const numbers = toNumbers(await tensor.read(first + offset, last + offset + 1));
    for (const y of rows)
      for (let x = 0; x < width; x++) {
        const element = elementAt(x, y);
        if (element >= 0) values[y * width + x] = numbers[element - first] as number;
      }
  };
  for (let i = 0; i < spans.length; i += READS) await Promise.all(spans.slice(i, i + READS).map(show));
  return values;
}

/** The parts of a tensor that a picture shows. */
function spansOf({ width, height, elementAt }: PicturePlan): Span[] {
  const spans: { first: number; last: number; rows: number[] }[] = [];
  for (let y = 0; y < height; y++) {
    const there = Array.from({ length: width }, (_, x) => elementAt(x, y)).filter((element) => element >= 0);
    if (there.length === 0) continue;
    const [first, last] = [there[0] as number, there.at(-1) as number];
    const span = spans.at(-1);
    if (span && first >= span.first && first - span.last <= width && last - span.first < MOST) {
      span.last = Math.max(last, span.last);
      span.rows.push(y);
    } else spans.push({ first, last, rows: [y] });
  }
  return spans;
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
