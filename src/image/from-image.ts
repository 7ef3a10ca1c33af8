import type { Tensor } from '../tensor/tensor.js';
import { type FromImageOptions, given, statisticsOf } from './common-options.js';
import { imageTensor } from './image-tensor.js';
import type { ImageSource } from './source.js';

/** `Tensor.fromImage` */
export function fromImage(
  source: ImageSource | readonly ImageSource[],
  options: FromImageOptions = {},
): Promise<Tensor> {
  const { tensorFormat, tensorLayout, dataType, resizedHeight, resizedWidth, norm, ...own } = options;
  const resized = (resizedHeight ?? resizedWidth) !== undefined;
  return imageTensor(source, {
    ...given({ channels: tensorFormat, layout: tensorLayout, type: dataType }),
    ...statisticsOf(norm, (bias) => -bias / 255),
    ...(resized && { size: [resizedHeight, resizedWidth], fit: 'stretch' }),
    ...own,
  });
}
