import type { PerColor } from './normalization.js';
import type { ImageDataOptions } from './picture-of-tensor.js';
import type { ImageTensorOptions } from './tensor-of-pictures.js';

type Format = 'RGB' | 'RGBA' | 'BGR' | 'RBG';

interface CommonOptions {
  readonly tensorLayout?: 'NCHW' | 'NHWC' | undefined;
  /** For pixels 0 … 255: an entry is (pixel + bias) / mean, and a pixel is (entry − bias) · mean. Defaults: bias 0, mean 255. */
  readonly norm?: { readonly bias?: PerColor | undefined; readonly mean?: PerColor | undefined } | undefined;
}

/** onnxruntime-common's names for options of `imageTensor`, which take precedence. Resizing stretches an image. */
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

/**
 * Mean and standard deviation of red, green, blue and alpha, from bias and mean for 0 … 255. In `norm`, the middle values have no names.
 */
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

/** Removes undefined properties. */
export const given = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
