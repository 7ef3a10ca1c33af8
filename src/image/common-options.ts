import type { PerColor } from './normalization.js';
import type { ImageDataOptions } from './picture-of-tensor.js';
import type { ImageTensorOptions } from './tensor-of-pictures.js';

type Format = 'RGB' | 'RGBA' | 'BGR' | 'RBG';

interface CommonOptions {
  readonly tensorLayout?: 'NCHW' | 'NHWC' | undefined;
  /** Of pixels 0 … 255: an entry is (pixel + bias) / mean, a pixel (entry − bias) · mean, with 0 and 255 unless given. */
  readonly norm?: { readonly bias?: PerColor | undefined; readonly mean?: PerColor | undefined } | undefined;
}

/** onnxruntime-common's names for options of `imageTensor`, which take precedence; resizing stretches an image. */
export interface FromImageOptions extends ImageTensorOptions, CommonOptions {
  readonly tensorFormat?: Format | undefined;
  readonly dataType?: 'float32' | 'uint8' | undefined;
  readonly resizedHeight?: number | undefined;
  readonly resizedWidth?: number | undefined;
}

/** onnxruntime-common's names for options of `toImageData`, which take precedence. */
export interface ToImageDataOptions extends ImageDataOptions, CommonOptions {
  readonly format?: Format | undefined;
}

/** Of red, green, blue and alpha, whose middle values have no names in `norm`: bias and mean of 0 … 255. */
export function statisticsOf(norm: CommonOptions['norm'], meanOf: (bias: number, mean: number) => number) {
  if (!norm) return {};
  const at = (given: PerColor | undefined, color: number, otherwise: number) =>
    typeof given === 'number' ? given : (given?.[color] ?? otherwise);
  const colors = [0, 1, 2, 3].map((color) => ({ bias: at(norm.bias, color, 0), mean: at(norm.mean, color, 255) }));
  return {
    mean: colors.map(({ bias, mean }) => meanOf(bias, mean)),
    std: colors.map(({ mean }) => mean / 255),
  };
}

/** Without what is undefined. */
export const given = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
