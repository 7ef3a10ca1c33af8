import { Tensor } from '../tensor/tensor.js';
import type { ImageSource } from './source.js';
import type { PictureInput, PictureType } from './tensor-form.js';
import { type ImageTensorOptions, tensorOfSources } from './tensor-of-pictures.js';

/**
 * A tensor of one image, or of several of the same size: float32[1, 3, height, width] from 0 to 1, unless the options or the input `for`
 * specify otherwise.
 * @throws SardonyxError INVALID_VALUE if a file is not an image, INVALID_ARGUMENT if an option or a source is invalid, INVALID_SHAPE if
 * images differ in size or their number does not match the input
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
