import type { TensorValue } from '../tensor/tensor-value.js';
import { given, statisticsOf, type ToImageDataOptions } from './common-options.js';
import { pictureOfTensor } from './picture-of-tensor.js';

/** Implements `tensor.toImageData`. */
export function imageDataOf(tensor: TensorValue, options: ToImageDataOptions = {}): ImageData {
  const { format, tensorLayout, norm, ...own } = options;
  return pictureOfTensor(tensor, {
    ...given({ channels: format, layout: tensorLayout }),
    ...statisticsOf(norm, (bias, mean) => (-bias * mean) / 255),
    ...own,
  });
}
