import { Tensor } from '../tensor/tensor.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { type ImageDataOptions, pictureOfTensor } from './picture-of-tensor.js';

/**
 * The picture in a tensor of dims [N, C, H, W], [N, H, W, C], [C, H, W], [H, W, C] or [H, W]; colours are brought back to 0 … 255,
 * what is beyond is clipped. An ImageData where the host has it, else an object of that form.
 * @throws SardonyxError INVALID_SHAPE where the tensor is no picture, INVALID_ARGUMENT where an option is none
 */
export const toImageData = (tensor: TensorValue, options: ImageDataOptions = {}): ImageData =>
  pictureOfTensor(new Tensor(tensor.type, tensor.data as never, tensor.dims), options);
