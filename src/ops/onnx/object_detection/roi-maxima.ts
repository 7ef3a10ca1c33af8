import { placeRounding } from '../../../primitives/place-rounding.js';
import { isImage, noImage } from '../../../primitives/roi-samples.js';
import { float, ints } from '../../../schema/attributes.js';
import type { Evaluation } from '../../../schema/definition.js';
import { numbersOf } from '../../../tensor/numbers.js';

/** Rounds to the nearest integer, halves away from zero. */
const rounded = (x: number) => Math.sign(x) * Math.round(Math.abs(x));

/** First and last + 1 pixel of each of `bins` bins between two corners; the second corner is included. */
function binsAlong(
  [from, to]: readonly [number, number],
  scale: number,
  bins: number,
  size: number,
  round: (x: number) => number,
): [number, number][] {
  const start = rounded(round(from * scale));
  const bin = round(Math.max(rounded(round(to * scale)) - start + 1, 1) / bins);
  const inside = (x: number) => Math.min(Math.max(x + start, 0), size);
  return Array.from({ length: bins }, (_, i) => [
    inside(Math.floor(round(i * bin))),
    inside(Math.ceil(round((i + 1) * bin))),
  ]);
}

/** Calls `visit` for every result in order with the index of its pixel; −1 for an empty bin. */
export function eachMaximum(
  c: Evaluation<MaxRoiAttributes>,
  pixels: ArrayLike<number>,
  visit: (at: number) => void,
): void {
  const [x, rois] = [c.tensor(0), c.tensor(1)];
  const regions = numbersOf(rois);
  const [height, width] = c.attributes.pooled_shape as [number, number];
  const spatial_scale = Math.fround(c.attributes.spatial_scale);
  const round = placeRounding(c, 1);
  const [batch, channels, rows, columns] = x.dims as [number, number, number, number];
  for (let roi = 0; roi < (rois.dims[0] as number); roi++) {
    const [image, x1, y1, x2, y2] = Array.from({ length: 5 }, (_, i) => round(regions[roi * 5 + i] as number)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    if (!isImage(image, batch)) c.fail('INVALID_VALUE', noImage(image, batch));
    const across = binsAlong([x1, x2], spatial_scale, width, columns, round);
    const down = binsAlong([y1, y2], spatial_scale, height, rows, round);
    for (let channel = 0; channel < channels; channel++) {
      const first = (image * channels + channel) * rows * columns;
      for (const [top, bottom] of down) {
        for (const [left, right] of across) {
          let best = -1;
          for (let i = top; i < bottom; i++) {
            for (let j = left; j < right; j++) {
              const at = first + i * columns + j;
              if (best < 0 || (pixels[at] as number) > (pixels[best] as number)) best = at;
            }
          }
          visit(best);
        }
      }
    }
  }
}

export interface MaxRoiAttributes {
  readonly pooled_shape: readonly number[];
  readonly spatial_scale: number;
}

export const maxRoiAttributes = { pooled_shape: ints.required, spatial_scale: float(1) };
