import type { HostValue } from 'sardonyx';
import { toImageData } from 'sardonyx/image';
import { toNumbers } from 'sardonyx/tensors';

type TensorValue = Extract<HostValue, { readonly dims: readonly number[] }>;

export interface TensorPicture {
  readonly picture: ImageData;
  /** A description of how numbers became colors. */
  readonly says: string;
}

const LEAST_SIDE = 8;
const MOST_CLASSES = 256;

/** A tensor as an image if its shape allows: gray, RGB or RGBA stretched over its range, or the class with the largest score per pixel. */
export function pictureOf(tensor: TensorValue): TensorPicture | undefined {
  const { dims, type } = tensor;
  if (!/^(u?int(8|16)|float|bfloat|bool)/.test(type) || dims.length < 3 || dims.length > 4) return undefined;
  if (dims.length === 4 && dims[0] !== 1) return undefined;
  const [a, b, c] = dims.slice(-3) as [number, number, number];
  if (isSide(b) && isSide(c) && (a === 1 || a === 3 || a === 4)) return stretched(tensor);
  if (isSide(a) && isSide(b) && (c === 1 || c === 3 || c === 4)) return stretched(tensor);
  return isSide(b) && isSide(c) && a <= MOST_CLASSES && type.includes('float') ? classes(tensor, a, b, c) : undefined;
}

const isSide = (size: number) => size >= LEAST_SIDE;

function stretched(tensor: TensorValue): TensorPicture {
  const numbers = toNumbers(tensor);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < numbers.length; i++) {
    const x = numbers[i] as number;
    if (x < low) low = x;
    if (x > high && x < Number.POSITIVE_INFINITY) high = x;
  }
  const range = high > low ? high - low : 1;
  const data = Float32Array.from(numbers, (x) => (x - low) / range);
  const picture = toImageData({ type: 'float32', dims: tensor.dims, data });
  return { picture, says: `black = ${Number(low.toPrecision(3))}, white = ${Number(high.toPrecision(3))}` };
}

/** Distinguishable colors: hues spaced by the golden angle. */
const colorOf = (index: number): [number, number, number] => {
  const channel = (shift: number) => Math.round(128 + 96 * Math.cos(index * 2.4 + shift));
  return index === 0 ? [32, 32, 36] : [channel(0), channel(2.1), channel(4.2)];
};

/** The class with the largest score of each pixel as a color, for [classes, height, width]. */
function classes(tensor: TensorValue, count: number, height: number, width: number): TensorPicture {
  const numbers = toNumbers(tensor);
  const area = height * width;
  const best = new Int32Array(area);
  for (let k = 1; k < count; k++)
    for (let i = 0; i < area; i++)
      if ((numbers[k * area + i] as number) > (numbers[(best[i] as number) * area + i] as number)) best[i] = k;
  const palette = Array.from({ length: count }, (_, k) => colorOf(k));
  const picture = toImageData({ type: 'int32', dims: [1, height, width], data: best }, { palette });
  return { picture, says: `color = class with the highest of ${count} scores` };
}
