import { account } from '../account.js';
import { float, int, oneOf } from '../schema/attributes.js';
import type { Evaluation, Inference } from '../schema/definition.js';
import { numbersOf } from '../tensor/numbers.js';
import { integers } from '../tensor/tensor-value.js';
import { placeRounding } from './place-rounding.js';

export interface RoiAttributes {
  readonly mode: string;
  readonly output_height: number;
  readonly output_width: number;
  readonly sampling_ratio: number;
  readonly spatial_scale: number;
  readonly coordinate_transformation_mode: string;
}

export const roiAttributes = {
  mode: oneOf('avg', 'max'),
  output_height: int(1),
  output_width: int(1),
  sampling_ratio: int(0),
  spatial_scale: float(1),
};

/** Largest number of samples along one axis of a bin; far more than any image has pixels. */
const MAX_SAMPLES = 1 << 12;

/** The two neighbors of a coordinate with their weights; none if it is more than one pixel outside. */
function neighbors(x: number, size: number): readonly (readonly [at: number, weight: number])[] {
  if (x < -1 || x > size) return [];
  const inside = Math.min(Math.max(x, 0), size - 1);
  const low = Math.floor(inside);
  const high = Math.min(low + 1, size - 1);
  return [
    [low, 1 - (inside - low)],
    [high, inside - low],
  ];
}

export type Neighbors = ReturnType<typeof neighbors>;

/** Memory for two neighbors with their weights. */
const BYTES_PER_SAMPLE = 128;

/** Sampling of image regions. */
export interface RoiParameters {
  readonly maximum: boolean;
  readonly outHeight: number;
  readonly outWidth: number;
  /** Samples along each axis of a bin; 0 means the number of pixels of the bin. */
  readonly sampling: number;
  readonly scale: number;
  /** Whether the place of a pixel is its center instead of its corner. */
  readonly half: boolean;
}

export const roiParameters = ({ attributes: a }: Inference<RoiAttributes>): RoiParameters => ({
  maximum: a.mode === 'max',
  outHeight: a.output_height,
  outWidth: a.output_width,
  sampling: a.sampling_ratio,
  scale: Math.fround(a.spatial_scale),
  half: a.coordinate_transformation_mode === 'half_pixel',
});

/** The samples along one axis of a region, as `output` bins. Their number follows from arithmetic in the element type. */
function samplesAlong(
  c: Inference<unknown>,
  { scale, sampling, half }: RoiParameters,
  from: number,
  to: number,
  output: number,
  size: number,
): Neighbors[][] {
  const round = placeRounding(c, 1);
  const [start, end] = [from, to].map((x) => round(round(round(x) * scale) - (half ? 0.5 : 0))) as [number, number];
  const length = half ? round(end - start) : Math.max(round(end - start), 1);
  const bin = round(length / output);
  const count = sampling > 0 ? sampling : Math.ceil(bin);
  if (!(count <= MAX_SAMPLES))
    c.fail('INVALID_VALUE', `a region from ${from} to ${to} takes ${count} samples in a bin; at most ${MAX_SAMPLES}`);
  account()?.demand(BYTES_PER_SAMPLE * output * count, 'the samples of a region');
  const place = (o: number, i: number) => round(round(start + round(o * bin)) + round(round((i + 0.5) * bin) / count));
  return Array.from({ length: output }, (_, o) =>
    Array.from({ length: count }, (_, i) => neighbors(place(o, i), size)),
  );
}

export const isImage = (image: number, batch: number): boolean => image >= 0 && image < batch;

export const noImage = (image: number, batch: number): string =>
  `batch index ${image} is outside axis 0 of X, which has ${batch} images: 0 to ${batch - 1} are valid`;

/** Calls `visit` for every bin of images of `dims`: its offset in the result, the first pixel of its plane, and its samples. */
export function eachBin(
  c: Evaluation<unknown>,
  dims: readonly number[],
  parameters: RoiParameters,
  visit: (to: number, first: number, rows: readonly Neighbors[], columns: readonly Neighbors[]) => void,
): void {
  const corners = numbersOf(c.tensor(1));
  const { outHeight, outWidth } = parameters;
  const [batch, channels, height, width] = dims as [number, number, number, number];
  const bins = outHeight * outWidth;
  integers(c.tensor(2)).forEach((image, roi) => {
    if (!isImage(image, batch)) c.fail('INVALID_VALUE', noImage(image, batch));
    const [x1, y1, x2, y2] = [0, 1, 2, 3].map((i) => corners[roi * 4 + i] as number) as [
      number,
      number,
      number,
      number,
    ];
    const rows = samplesAlong(c, parameters, y1, y2, outHeight, height);
    const columns = samplesAlong(c, parameters, x1, x2, outWidth, width);
    for (let channel = 0; channel < channels; channel++) {
      const first = (image * channels + channel) * height * width;
      rows.forEach((row, i) => {
        columns.forEach((column, j) => {
          account()?.spend(8 * row.length * column.length);
          visit((roi * channels + channel) * bins + i * outWidth + j, first, row, column);
        });
      });
    }
  });
}
