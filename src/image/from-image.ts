import type { TensorValue } from '../tensor/tensor-value.js';
import { type FromImageOptions, given, statisticsOf } from './common-options.js';
import type { ImageSource } from './source.js';
import { tensorOfSources } from './tensor-of-pictures.js';

/** Implements `Tensor.fromImage`. */
export function fromImage(
  source: ImageSource | readonly ImageSource[],
  options: FromImageOptions = {},
): Promise<TensorValue> {
  const { tensorFormat, tensorLayout, dataType, resizedHeight, resizedWidth, norm, ...own } = options;
  const resized = (resizedHeight ?? resizedWidth) !== undefined;
  return tensorOfSources(source, {
    ...given({ channels: tensorFormat, layout: tensorLayout, type: dataType }),
    ...statisticsOf(norm, (bias) => -bias / 255),
    ...(resized && { size: [resizedHeight, resizedWidth], fit: 'stretch' }),
    ...own,
  });
}
