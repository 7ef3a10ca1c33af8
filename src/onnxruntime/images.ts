import { SardonyxError } from '../errors.js';
import type { Tensor } from './tensor.js';

type PerChannel = number | readonly [number, number, number] | readonly [number, number, number, number];
export type ImageFormat = 'RGB' | 'RGBA' | 'BGR' | 'RBG';
export type ImageTensorLayout = 'NHWC' | 'NCHW';

/** What a picture can be: pixels, an element, a bitmap, or its URL. */
export type ImageSource = ImageData | HTMLImageElement | ImageBitmap | string;

export interface OptionsFormat {
  /** Order of the tensor's channels when a picture is made of it. */
  format?: ImageFormat;
}
export interface OptionsTensorFormat {
  /** Order of the tensor's channels when it is made. */
  tensorFormat?: ImageFormat;
}
export interface OptionsTensorLayout {
  tensorLayout?: ImageTensorLayout;
}
export interface OptionsTensorDataType {
  /** No effect: a picture becomes float32. */
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
  /** A tensor's entry is (pixel + bias) / mean, 255 and 0 unless given; back, entry · mean - bias. */
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

/** @internal */
interface Pixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** Places of the channels in a pixel, red, green, blue, alpha, in the tensor's order. */
const CHANNELS: Record<ImageFormat, readonly number[]> = {
  RGB: [0, 1, 2],
  RGBA: [0, 1, 2, 3],
  BGR: [2, 1, 0],
  RBG: [0, 2, 1],
};

/** @internal Dims and data of the tensor that holds a picture. */
export async function imageDataOf(image: ImageSource, options: TensorFromImageDataOptions) {
  const { tensorFormat = isElement(image) ? 'RGBA' : 'RGB', tensorLayout, norm } = options;
  const { data: pixels, width, height } = await pixelsOf(image, options);
  const order = CHANNELS[tensorFormat];
  const at = placesIn(tensorLayout, order.length, width * height);
  const data = new Float32Array(order.length * width * height);
  order.forEach((channel, c) => {
    const [mean, bias] = [perChannel(norm?.mean, channel, 255), perChannel(norm?.bias, channel, 0)];
    for (let i = 0; i < width * height; i++) data[at(c, i)] = ((pixels[4 * i + channel] as number) + bias) / mean;
  });
  const dims = tensorLayout === 'NHWC' ? [1, height, width, order.length] : [1, order.length, height, width];
  return { dims, data };
}

/** @internal The pixels that a tensor of one picture holds. */
export function tensorPixels(
  { dims, data }: Tensor,
  { tensorLayout, format, norm }: TensorToImageDataOptions = {},
): Pixels {
  const [channels = 0, height = 0, width = 0] =
    tensorLayout === 'NHWC' ? [dims[3], dims[1], dims[2]] : [dims[1], dims[2], dims[3]];
  const order = CHANNELS[format ?? 'RGB'];
  if (dims.length !== 4 || dims[0] !== 1 || channels < order.length)
    throw invalid(
      `a tensor of dims [${dims}] is no picture in the format ${format ?? 'RGB'} (${order.length} channels)`,
    );
  const at = placesIn(tensorLayout, channels, width * height);
  const pixels = new Uint8ClampedArray(4 * width * height).fill(255);
  order.forEach((channel, c) => {
    const [mean, bias] = [perChannel(norm?.mean, channel, 255), perChannel(norm?.bias, channel, 0)];
    for (let i = 0; i < width * height; i++) pixels[4 * i + channel] = (Number(data[at(c, i)]) - bias) * mean;
  });
  return { data: pixels, width, height };
}

export function pixelsToDataURL(pixels: ImageData): string {
  const { canvas, context } = canvasOf(pixels.width, pixels.height);
  context.putImageData(pixels, 0, 0);
  if ('toDataURL' in canvas) return canvas.toDataURL();
  throw invalid('toDataURL needs a page: a worker has no canvas with it');
}

const placesIn = (layout: ImageTensorLayout | undefined, channels: number, pixels: number) =>
  layout === 'NHWC'
    ? (channel: number, pixel: number) => pixel * channels + channel
    : (channel: number, pixel: number) => channel * pixels + pixel;

const perChannel = (given: PerChannel | undefined, channel: number, otherwise: number): number =>
  typeof given === 'number' ? given : (given?.[channel] ?? otherwise);

const isElement = (image: ImageSource): image is HTMLImageElement =>
  typeof HTMLImageElement !== 'undefined' && image instanceof HTMLImageElement;

const isPixels = (image: ImageSource): image is ImageData =>
  typeof image === 'object' && 'data' in image && image.data instanceof Uint8ClampedArray;

async function pixelsOf(image: ImageSource, { resizedWidth, resizedHeight }: OptionResizedDimensions): Promise<Pixels> {
  if (isPixels(image) && !resizedWidth && !resizedHeight) return image as Pixels;
  if (typeof image !== 'string' && !('width' in Object(image)))
    throw invalid('a picture is ImageData, an image element, an ImageBitmap or a URL');
  const drawn = isElement(image) ? image : await bitmapOf(image);
  const [width, height] = [resizedWidth ?? drawn.width, resizedHeight ?? drawn.height];
  const { context } = canvasOf(width, height);
  context.drawImage(drawn, 0, 0, width, height);
  return context.getImageData(0, 0, width, height) as Pixels;
}

async function bitmapOf(image: Exclude<ImageSource, HTMLImageElement>): Promise<ImageBitmap> {
  if (typeof createImageBitmap === 'undefined')
    throw invalid('pictures need a browser here, but for pixels in their own size');
  return createImageBitmap(typeof image === 'string' ? await (await fetch(image)).blob() : image);
}

function canvasOf(width: number, height: number) {
  const canvas =
    typeof document === 'undefined' ? new OffscreenCanvas(width, height) : document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null;
  if (!context) throw invalid('the canvas gives no 2d context');
  return { canvas, context };
}

const invalid = (message: string) => new SardonyxError('INVALID_ARGUMENT', message);
