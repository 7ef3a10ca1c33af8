import { Tensor } from '../tensor/tensor.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { type ImageDataOptions, pictureOfTensor } from './picture-of-tensor.js';

/**
 * Converts a tensor of dims [N, C, H, W], [N, H, W, C], [C, H, W], [H, W, C] or [H, W] to an image; colors are scaled to 0 … 255 and
 * clipped. Returns an ImageData if the platform has it, otherwise an object with the same properties.
 * @throws SardonyxError INVALID_SHAPE if the tensor is not an image, INVALID_ARGUMENT if an option is invalid
 */
export const toImageData = (tensor: TensorValue, options: ImageDataOptions = {}): ImageData =>
  pictureOfTensor(new Tensor(tensor.type, tensor.data as never, tensor.dims), options);
