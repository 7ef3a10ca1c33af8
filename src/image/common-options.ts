import type { Tensor } from '../tensor/tensor.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { type ImageTensorOptions, imageTensor } from './image-tensor.js';
import type { PerColor } from './normalization.js';
import type { ImageSource } from './source.js';
import { type ImageDataOptions, toImageData } from './to-image-data.js';

type Format = 'RGB' | 'RGBA' | 'BGR' | 'RBG';

interface CommonOptions {
  readonly tensorLayout?: 'NCHW' | 'NHWC' | undefined;
  /** Of pixels 0 … 255: an entry is (pixel + bias) / mean, a pixel (entry − bias) · mean, with 0 and 255 unless given. */
  readonly norm?: { readonly bias?: PerColor | undefined; readonly mean?: PerColor | undefined } | undefined;
}

/** onnxruntime-common's names beside those of `imageTensor`, which precede; a picture that is resized is stretched. */
export interface FromImageOptions extends ImageTensorOptions, CommonOptions {
  readonly tensorFormat?: Format | undefined;
  readonly dataType?: 'float32' | 'uint8' | undefined;
  readonly resizedHeight?: number | undefined;
  readonly resizedWidth?: number | undefined;
}

/** onnxruntime-common's names beside those of `toImageData`, which precede. */
export interface ToImageDataOptions extends ImageDataOptions, CommonOptions {
  readonly format?: Format | undefined;
}

/** Of red, green, blue and alpha, whose middle values have no names in `norm`: bias and mean of 0 … 255. */
function statisticsOf(norm: CommonOptions['norm'], meanOf: (bias: number, mean: number) => number) {
  if (!norm) return {};
  const at = (given: PerColor | undefined, color: number, otherwise: number) =>
    typeof given === 'number' ? given : (given?.[color] ?? otherwise);
  const colors = [0, 1, 2, 3].map((color) => ({ bias: at(norm.bias, color, 0), mean: at(norm.mean, color, 255) }));
  return {
    mean: colors.map(({ bias, mean }) => meanOf(bias, mean)),
    std: colors.map(({ mean }) => mean / 255),
  };
}

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

/** `tensor.toImageData` */
export function imageDataOf(tensor: TensorValue, options: ToImageDataOptions = {}): ImageData {
  const { format, tensorLayout, norm, ...own } = options;
  return toImageData(tensor, {
    ...given({ channels: format, layout: tensorLayout }),
    ...statisticsOf(norm, (bias, mean) => (-bias * mean) / 255),
    ...own,
  });
}

/** Without what is undefined. */
const given = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
