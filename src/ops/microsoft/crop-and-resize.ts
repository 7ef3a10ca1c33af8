import { account } from '../../account.js';
import { differ } from '../../graph/guards.js';
import { float, oneOf } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { dimsOfRank, like } from '../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';

const [IMAGES, ROIS, BATCH, SIZE] = [0, 1, 2, 3];

/** Coordinates, in an axis of `size`, of `count` samples from `start` to `end`, which are fractions of the axis. */
function placesIn(start: number, end: number, count: number, size: number): number[] {
  const f = Math.fround;
  if (count === 1) return [f(0.5 * f(start + end) * (size - 1))];
  const step = f(f(f(end - start) * (size - 1)) / (count - 1));
  return Array.from({ length: count }, (_, i) =>
    i === count - 1 ? f(end * (size - 1)) : f(f(start * (size - 1)) + f(i * step)),
  );
}

const isInside = (place: number, size: number) => place >= 0 && place <= size - 1;

/** Rounds half up. */
const nearest = (x: number) => Math.floor(x + 0.5);

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.CropAndResize */
export const cropAndResize = defineOp({
  domain: 'com.microsoft',
  name: 'CropAndResize',
  signature: 'X: T1, rois: T1, batch_indices: T2, crop_size: T2 -> Y: T1',
  types: { T1: FLOATS, T2: ['int32'] },
  attributes: { mode: oneOf('bilinear', 'nearest'), extrapolation_value: float(0) },
  planned: [SIZE],
  infer(c) {
    const [x, rois, batch] = [dimsOfRank(c, IMAGES, 4), dimsOfRank(c, ROIS, 2), dimsOfRank(c, BATCH, 1)];
    const size = c.sizes(SIZE) ?? [c.unknown(), c.unknown()];
    if (differ(rois?.[1], 4) || differ(rois?.[0], batch?.[0]))
      c.fail('INVALID_SHAPE', `rois [${rois}] must be [${batch?.slice(0, 1)}, 4]`);
    if (size.length !== 2 || size.some((d) => typeof d === 'number' && d < 1))
      c.fail('INVALID_VALUE', `crop_size [${size}] must be a height and a width`);
    return [like(c, 0, x && [batch?.[0] ?? rois?.[0] ?? c.unknown(), x[1] ?? 0, ...size])];
  },
  evaluate(c) {
    const [x, rois, batch] = [c.tensor(IMAGES), numbersOf(c.tensor(ROIS)), numbersOf(c.tensor(BATCH))];
    const values = numbersOf(x);
    const [images, channels, height, width] = x.dims as [number, number, number, number];
    const [rows, columns] = numbersOf(c.tensor(SIZE)) as unknown as [number, number];
    const { mode, extrapolation_value } = c.attributes;
    const dims = [batch.length, channels, rows, columns];
    const y = new Float64Array(dims.reduce((n, d) => n * d, 1)).fill(extrapolation_value);
    for (let roi = 0; roi < batch.length; roi++) {
      const image = batch[roi] as number;
      if (image < 0 || image >= images) c.fail('INVALID_VALUE', `batch index ${image} is outside ${images} images`);
      const [top, left, bottom, right] = Array.from({ length: 4 }, (_, i) =>
        Math.fround(rois[4 * roi + i] as number),
      ) as [number, number, number, number];
      const [ys, xs] = [placesIn(top, bottom, rows, height), placesIn(left, right, columns, width)];
      account()?.spend(8 * channels * rows * columns);
      for (let at = 0; at < rows * columns; at++) {
        const [v, h] = [ys[Math.floor(at / columns)] as number, xs[at % columns] as number];
        if (!isInside(v, height) || !isInside(h, width)) continue;
        const sample = mode === 'nearest' ? read(nearest(v), nearest(h)) : between(v, h);
        for (let channel = 0; channel < channels; channel++)
          y[(roi * channels + channel) * rows * columns + at] = sample((image * channels + channel) * height * width);
      }
    }
    return [tensorOf(x.type, dims, y)];

    /** Reads the pixel at row v and column h of the plane that starts at offset `plane`. */
    function read(v: number, h: number): (plane: number) => number {
      return (plane) => values[plane + v * width + h] as number;
    }

    function between(v: number, h: number): (plane: number) => number {
      const [up, down, start, end] = [Math.floor(v), Math.ceil(v), Math.floor(h), Math.ceil(h)];
      const [a, b, p, q] = [read(up, start), read(up, end), read(down, start), read(down, end)];
      return (plane) => {
        const upper = a(plane) + (b(plane) - a(plane)) * (h - start);
        const lower = p(plane) + (q(plane) - p(plane)) * (h - start);
        return upper + (lower - upper) * (v - up);
      };
    }
  },
});
