import { SardonyxError } from '../base/errors.js';
import { isFloat } from '../tensor/element-types.js';
import { tensorOf } from '../tensor/numbers.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { FITS, type Fit, placementOf, type Size } from './fit.js';
import { affinesOf, CHANNELS, type Channels, type NormalizationOptions, oneOf } from './normalization.js';
import type { Picture } from './picture.js';
import { type Background, borderOf, grayOf, planeOf, rasterOf } from './raster.js';
import { resample } from './resample.js';
import { type ImageSource, pictureOf } from './source.js';
import { type FormOptions, formOf, type PictureType, type TensorForm } from './tensor-form.js';

/** Options of `imageTensor`. */
export interface ImageTensorOptions extends FormOptions, NormalizationOptions {
  /** The way an image fits a size with another aspect ratio; default `cover`. */
  readonly fit?: Fit | undefined;
  /** The central part of a covered size that is kept: 0.875 scales to 256 and keeps 224. */
  readonly crop?: number | undefined;
  /** Red, green, blue, 0 … 255, behind transparent pixels and around a contained image; default black. `none` drops transparency. */
  readonly background?: Background | undefined;
  /** Aborts a download. */
  readonly signal?: AbortSignal | undefined;
}

/** Implements `imageTensor`. */
export async function tensorOfSources(
  source: ImageSource | readonly ImageSource[],
  options: ImageTensorOptions,
): Promise<TensorValue<PictureType>> {
  const form = formOf(options);
  const sources = Array.isArray(source) ? (source as readonly ImageSource[]) : [source as ImageSource];
  const pictures: Picture[] = [];
  for (const each of sources) pictures.push(await pictureOf(each, options.signal));
  return tensorOfPictures(pictures, form, options);
}

/** Converts pictures to one tensor of this form. */
export function tensorOfPictures(
  pictures: readonly Picture[],
  form: TensorForm,
  options: ImageTensorOptions,
): TensorValue<PictureType> {
  const { channels, layout, rank, type } = form;
  checkNumber(pictures.length, form);
  const size = commonSize(pictures, form);
  const affines = affinesOf(options, channels, isFloat(type));
  const [depth, area] = [affines.length, size.height * size.width];
  const values = new Float32Array(pictures.length * depth * area);
  pictures.forEach((picture, n) => {
    const { white = 255 } = picture;
    const planes = planesOf(picture, size, channels, options);
    for (const [c, { scale, shift }] of affines.entries()) {
      const plane = planes[c] as Float32Array;
      const [first, step] = layout === 'NHWC' ? [c, depth] : [c * area, 1];
      for (let i = 0, at = n * depth * area + first; i < area; i++, at += step)
        values[at] = ((plane[i] as number) * scale) / white + shift;
    }
  });
  if (!isFloat(type)) for (let i = 0; i < values.length; i++) values[i] = Math.round(values[i] as number);
  const dims = layout === 'NHWC' ? [size.height, size.width, depth] : [depth, size.height, size.width];
  if (rank === 4) dims.unshift(pictures.length);
  return tensorOf(type, dims, values) as TensorValue<PictureType>;
}

function checkNumber(given: number, { batch, rank }: TensorForm): void {
  const wanted = rank === 3 ? 1 : batch;
  if (given > 0 && given === (wanted ?? given)) return;
  throw new SardonyxError('INVALID_SHAPE', `${given} pictures are given, ${wanted ?? '1 or more'} must be`);
}

/** The size in the form, or the size that all pictures share. */
function commonSize(pictures: readonly Picture[], form: TensorForm): Size {
  const sizes = pictures.map(({ width, height }) => ({ width: form.width ?? width, height: form.height ?? height }));
  const [first] = sizes as [Size];
  const other = sizes.find(({ width, height }) => width !== first.width || height !== first.height);
  if (!other) return first;
  const shown = [first, other].map(({ width, height }) => `${height} by ${width}`).join(' and ');
  throw new SardonyxError('INVALID_SHAPE', `pictures of ${shown} fit into no tensor: give the option size`);
}

/** Resizes a picture, and returns a plane for each channel. */
function planesOf(picture: Picture, size: Size, channels: Channels, options: ImageTensorOptions): Float32Array[] {
  const { fit = 'cover', crop = 1, background = [0, 0, 0] } = options;
  oneOf(fit, FITS, 'fit');
  if (!(crop > 0 && crop <= 1))
    throw new SardonyxError('INVALID_ARGUMENT', `crop is the part that is kept, above 0 and up to 1, not ${crop}`);
  const { white = 255 } = picture;
  const colors: readonly number[] = CHANNELS[channels];
  const raster = rasterOf(picture, colors.length === 4, background);
  const border = borderOf(background, raster.channels, white);
  const pixels = resample(raster, size, placementOf(picture, size, fit, crop), border);
  if (channels === 'grey') return [grayOf(pixels, raster.channels)];
  return colors.map((color) => planeOf(pixels, raster.channels, color, white));
}
