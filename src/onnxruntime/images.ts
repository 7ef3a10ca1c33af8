import { SardonyxError } from '../base/errors.js';
import { onDemand } from '../base/on-demand.js';
import { imageDataOf as imageDataOfTensor } from '../image/image-data-of.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { toOwnData } from './element-data.js';

type PerChannel = number | readonly [number, number, number] | readonly [number, number, number, number];
export type ImageFormat = 'RGB' | 'RGBA' | 'BGR' | 'RBG';
export type ImageTensorLayout = 'NHWC' | 'NCHW';

/** An image: pixels, an element, a bitmap, or a URL. */
export type ImageSource = ImageData | HTMLImageElement | ImageBitmap | string;

export interface OptionsFormat {
  /** Order of the tensor's channels when it is converted to an image. */
  format?: ImageFormat;
}
export interface OptionsTensorFormat {
  /** Order of the tensor's channels when it is created. */
  tensorFormat?: ImageFormat;
}
export interface OptionsTensorLayout {
  tensorLayout?: ImageTensorLayout;
}
export interface OptionsTensorDataType {
  /** No effect: an image becomes float32. */
  dataType?: 'float32' | 'uint8';
}
export interface OptionsDimensions {
  height?: number;
  width?: number;
}
export interface OptionResizedDimensions {
  resizedHeight?: number;
  resizedWidth?: number;
}
export interface OptionsNormalizationParameters {
  /** A tensor's entry is (pixel + bias) / mean, with defaults 0 and 255; in the reverse direction, entry · mean − bias. */
  norm?: { bias?: PerChannel; mean?: PerChannel };
}
export interface TensorFromImageDataOptions
  extends OptionResizedDimensions,
    OptionsTensorFormat,
    OptionsTensorLayout,
    OptionsTensorDataType,
    OptionsNormalizationParameters {}
export type TensorFromImageElementOptions = TensorFromImageDataOptions;
export type TensorFromImageBitmapOptions = TensorFromImageDataOptions;
export interface TensorFromUrlOptions extends TensorFromImageDataOptions, OptionsDimensions {}
export interface TensorToImageDataOptions extends OptionsTensorLayout, OptionsFormat, OptionsNormalizationParameters {}
export type TensorToDataUrlOptions = TensorToImageDataOptions;

/** Converts an image to a tensor; drops transparency. */
export async function pictureTensor(
  image: ImageSource,
  options: TensorFromImageDataOptions = {},
): Promise<TensorValue> {
  const tensorFormat = options.tensorFormat ?? (isElement(image) ? 'RGBA' : 'RGB');
  const { resizedWidth, resizedHeight, tensorLayout, norm } = options;
  const { fromImage } = await onDemand('from-image', () => import('../image/from-image.js'), "import 'sardonyx/image'");
  return fromImage(image, { resizedWidth, resizedHeight, tensorLayout, norm, tensorFormat, background: 'none' });
}

/** Converts a tensor [1, channels, height, width], or NHWC, to an image; drops channels that the format lacks. */
export function imageDataOf(tensor: TensorValue, options: TensorToImageDataOptions = {}): ImageData {
  const { format = 'RGB', tensorLayout = 'NCHW', norm } = options;
  const { type, data, dims } = tensor;
  if (dims.length !== 4 || dims[0] !== 1)
    throw invalid(`a tensor of dims [${dims}] is not one image with 4 dimensions`);
  return imageDataOfTensor({ type, data: toOwnData(type, data), dims }, { format, tensorLayout, norm });
}

/** A PNG data URL of an image. */
export function dataUrlOf(pixels: ImageData): string {
  if (typeof document === 'undefined') throw invalid('toDataURL needs a page: a worker has no canvas with it');
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: pixels.width, height: pixels.height });
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}

const isElement = (image: ImageSource): image is HTMLImageElement =>
  typeof HTMLImageElement !== 'undefined' && image instanceof HTMLImageElement;

const invalid = (message: string) => new SardonyxError('INVALID_ARGUMENT', message);
