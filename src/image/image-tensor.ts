import { Tensor } from '../tensor/tensor.js';
import type { ImageSource } from './source.js';
import type { PictureInput, PictureType } from './tensor-form.js';
import { type ImageTensorOptions, tensorOfSources } from './tensor-of-pictures.js';

/**
 * The tensor of a picture, or of several of one size, as a model takes it: float32[1, 3, height, width] of 0 … 1 unless options, or the
 * input that it is `for`, say otherwise.
 * @throws SardonyxError INVALID_VALUE where a file is no picture, INVALID_ARGUMENT where an option or a source is none, INVALID_SHAPE
 * where pictures differ in size or are not as many as the input takes
 */
export function imageTensor(
  source: ImageSource | readonly ImageSource[],
  options: ImageTensorOptions & { readonly for: PictureInput },
): Promise<Tensor<PictureType>>;
export function imageTensor<T extends PictureType = 'float32'>(
  source: ImageSource | readonly ImageSource[],
  options?: ImageTensorOptions & { readonly type?: T | undefined },
): Promise<Tensor<T>>;
export async function imageTensor(
  source: ImageSource | readonly ImageSource[],
  options: ImageTensorOptions = {},
): Promise<Tensor<PictureType>> {
  const { type, data, dims } = await tensorOfSources(source, options);
  return new Tensor(type, data as never, dims);
}
