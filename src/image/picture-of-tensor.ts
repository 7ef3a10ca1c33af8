import { SardonyxError } from '../base/errors.js';
import { isFloat } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { affinesOf, CHANNELS, type Channels, type NormalizationOptions, oneOf } from './normalization.js';
import type { Layout } from './tensor-form.js';

/** Options of `toImageData`. */
export interface ImageDataOptions extends NormalizationOptions {
  /** Default: `NCHW`, unless only the last dimension can be channels. */
  readonly layout?: Layout | undefined;
  /** Default: gray, RGB or RGBA, by the tensor's number of channels. Further channels of the tensor are ignored. */
  readonly channels?: Channels | undefined;
  /** The index of the image in the batch; 0 by default. */
  readonly index?: number | undefined;
  /** Colors, as red, green, blue (and alpha) 0 … 255, for a tensor of class indices, one per pixel. */
  readonly palette?: readonly (readonly number[])[] | undefined;
}

/** Implements `toImageData` for a checked tensor. */
export function pictureOfTensor(tensor: TensorValue, options: ImageDataOptions): ImageData {
  const { type, dims } = tensor;
  const form = formOf(dims, options);
  const { width, height, at } = form;
  const values = numbersOf(tensor);
  const pixels = new Uint8ClampedArray(4 * width * height).fill(255);
  if (options.palette) paint(pixels, options.palette, (i) => values[at(0, i)] as number);
  else {
    const affines = affinesOf(options, form.channels, isFloat(type));
    for (const [c, { scale, shift }] of affines.entries())
      for (let i = 0; i < width * height; i++) {
        const sample = (((values[at(c, i)] as number) - shift) * 255) / scale;
        if (form.channels === 'grey') pixels.fill(sample, 4 * i, 4 * i + 3);
        else pixels[4 * i + (CHANNELS[form.channels][c] as number)] = sample;
      }
  }
  if (typeof ImageData !== 'undefined') return new ImageData(pixels, width, height);
  return { data: pixels, width, height, colorSpace: 'srgb' } as ImageData;
}

function paint(
  pixels: Uint8ClampedArray,
  palette: NonNullable<ImageDataOptions['palette']>,
  of: (i: number) => number,
) {
  for (let i = 0; 4 * i < pixels.length; i++) {
    const color = palette[of(i)];
    if (!color)
      throw new SardonyxError('INVALID_ARGUMENT', `the palette has ${palette.length} colors, none for class ${of(i)}`);
    pixels.set(color, 4 * i);
  }
}

interface Form {
  readonly width: number;
  readonly height: number;
  readonly channels: Channels;
  /** The offset of a channel of a pixel in the tensor. */
  readonly at: (channel: number, pixel: number) => number;
}

const BY_DEPTH: Readonly<Record<number, Channels>> = { 1: 'grey', 3: 'RGB', 4: 'RGBA' };

/** The tensor's dims as [N, C, H, W] or [N, H, W, C]. Class indices may be [N, H, W]. */
function fullDims(dims: readonly number[], isPainted: boolean): readonly number[] {
  if (dims.length === 2) return [1, 1, ...dims];
  if (dims.length !== 3) return dims;
  return isPainted ? [dims[0] as number, 1, ...dims.slice(1)] : [1, ...dims];
}

function formOf(dims: readonly number[], { layout, channels, index = 0, palette }: ImageDataOptions): Form {
  const full = fullDims(dims, palette !== undefined);
  const [n, a, b, c] = full as [number, number, number, number];
  const isDepth = (size: number) => (channels ? size === CHANNELS[channels]?.length : size in BY_DEPTH);
  const isLast = (layout ?? (!isDepth(a) && isDepth(c) ? 'NHWC' : 'NCHW')) === 'NHWC';
  const [depth, height, width] = isLast ? [c, a, b] : [a, b, c];
  const named = palette ? 'grey' : (channels ?? BY_DEPTH[depth]);
  const wanted = named && CHANNELS[oneOf(named, Object.keys(CHANNELS) as Channels[], 'channels')].length;
  if (full.length !== 4 || !named || !wanted || wanted > depth || width * height === 0) {
    const what = channels ? `of ${wanted} channels (${channels})` : 'of 1, 3 or 4 channels';
    throw new SardonyxError('INVALID_SHAPE', `a tensor of dims [${dims}] is no picture ${what}`);
  }
  if (!Number.isInteger(index) || index < 0 || index >= n)
    throw new SardonyxError('INVALID_ARGUMENT', `index ${index}: the tensor has ${n} pictures, from 0 on`);
  const area = height * width;
  const at = isLast
    ? (channel: number, pixel: number) => (index * area + pixel) * depth + channel
    : (channel: number, pixel: number) => (index * depth + channel) * area + pixel;
  return { width, height, channels: named, at };
}
