import { SardonyxError } from '../base/errors.js';
import type { ValueMetadata } from '../graph/metadata.js';
import type { Fit } from '../image/fit.js';
import { FORMATS } from '../image/formats/decoders.js';
import type { Normalization } from '../image/normalization.js';
import type { Picture } from '../image/picture.js';
import { formOf } from '../image/tensor-form.js';
import { tensorOfPictures } from '../image/tensor-of-pictures.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { UsageError } from './usage-error.js';

export interface ImageOptions {
  readonly fit: Fit;
  readonly normalize: Normalization;
  /** The mean of red, green and blue for values of 0 … 1; it overrides `normalize`. */
  readonly mean?: readonly number[] | undefined;
  readonly std?: readonly number[] | undefined;
  readonly bgr?: boolean | undefined;
  /** The height and width to use for dynamic dimensions. */
  readonly size?: readonly number[] | undefined;
}

/** Decides by the first bytes, except for .pb and .npy: a serialized tensor may begin as an image does. */
export const isImage = (bytes: Uint8Array, file: string): boolean =>
  !/\.(pb|npy)$/i.test(file) && FORMATS.some(({ test }) => test(bytes));

/** Converts an image to the type and shape of an input, such as float32[1,3,224,224] or uint8[1,224,224,3]. */
export function imageInput(image: Picture, input: ValueMetadata, options: ImageOptions): TensorValue {
  const { size: [height, width = height] = [], bgr, ...rest } = options;
  try {
    const form = formOf({ for: input, size: [height, width], channels: bgr ? 'BGR' : undefined });
    return tensorOfPictures([image], form, rest);
  } catch (error) {
    throw error instanceof SardonyxError ? new UsageError(error.message) : error;
  }
}
