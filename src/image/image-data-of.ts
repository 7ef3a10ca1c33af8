import type { TensorValue } from '../tensor/tensor-value.js';
import { given, statisticsOf, type ToImageDataOptions } from './common-options.js';
import { toImageData } from './to-image-data.js';

/** `tensor.toImageData` */
export function imageDataOf(tensor: TensorValue, options: ToImageDataOptions = {}): ImageData {
  const { format, tensorLayout, norm, ...own } = options;
  return toImageData(tensor, {
    ...given({ channels: format, layout: tensorLayout }),
    ...statisticsOf(norm, (bias, mean) => (-bias * mean) / 255),
    ...own,
  });
}
