import type { ValueMetadata } from '../session/metadata.js';
import { isFloat } from '../tensor/element-types.js';
import { tensorOf } from '../tensor/numbers.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import type { Image } from './decode-image.js';
import { type Fit, fitImage } from './resample.js';
import { UsageError } from './usage-error.js';

export const NORMALIZATIONS = ['unit', 'signed', 'imagenet', 'bytes'] as const;
export type Normalization = (typeof NORMALIZATIONS)[number];

export interface ImageOptions {
  readonly fit: Fit;
  readonly normalize: Normalization;
  /** Per channel, of values 0 … 1; they take precedence over `normalize`. */
  readonly mean?: readonly number[] | undefined;
  readonly std?: readonly number[] | undefined;
  readonly bgr?: boolean | undefined;
  /** Height and width where the model leaves them open. */
  readonly size?: readonly number[] | undefined;
}

/** Mean and standard deviation that 0 … 1 is normalized by. */
const STATISTICS: Record<Normalization, { mean: readonly number[]; std: readonly number[] }> = {
  unit: { mean: [0], std: [1] },
  signed: { mean: [0.5], std: [0.5] },
  imagenet: { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] },
  bytes: { mean: [0], std: [1 / 255] },
};

interface PixelLayout {
  readonly channels: 1 | 3;
  readonly channelsLast: boolean;
  readonly height: number;
  readonly width: number;
  readonly rank: number;
}

/** The image as the model's input of that shape takes it, e.g. float32[1,3,224,224] or uint8[1,224,224,3]. */
export function imageInput(image: Image, input: ValueMetadata, options: ImageOptions): TensorValue {
  if (!input.isTensor) throw new UsageError(`input "${input.name}" is no tensor, so no image`);
  const layout = layoutOf(image, input.name, input.shape, options.size);
  const { channels, channelsLast, height, width, rank } = layout;
  const pixels = withChannels(fitImage(image, width, height, options.fit), channels).pixels;
  const { mean, std } = statistics(options, isFloat(input.type));
  const values = new Float32Array(pixels.length);
  for (let p = 0; p < height * width; p++) {
    for (let c = 0; c < channels; c++) {
      const value = pixels[p * channels + (options.bgr ? channels - 1 - c : c)] as number;
      const normal = (value - (mean[c % mean.length] as number)) / (std[c % std.length] as number);
      values[channelsLast ? p * channels + c : c * height * width + p] = isFloat(input.type)
        ? normal
        : Math.round(normal);
    }
  }
  const dims = channelsLast ? [1, height, width, channels] : [1, channels, height, width];
  return tensorOf(input.type, dims.slice(4 - rank), values);
}

function layoutOf(
  image: Image,
  name: string,
  shape: readonly (number | string)[],
  size: readonly number[] | undefined,
): PixelLayout {
  const rank = shape.length;
  const [a, b, c] = shape.slice(-3);
  const isChannels = (dim: number | string | undefined): dim is 1 | 3 => dim === 1 || dim === 3;
  if ((rank !== 3 && rank !== 4) || !(isChannels(a) || isChannels(c)))
    throw new UsageError(`input "${name}" of shape [${shape}] is no image of 1 or 3 channels`);
  const channelsLast = !isChannels(a);
  const [height, width] = channelsLast ? [a, b] : [b, c];
  const open = (dim: number | string | undefined, chosen: number | undefined, own: number) =>
    typeof dim === 'number' ? dim : (chosen ?? own);
  return {
    channels: (channelsLast ? c : a) as 1 | 3,
    channelsLast,
    height: open(height, size?.[0], image.height),
    width: open(width, size?.[1] ?? size?.[0], image.width),
    rank,
  };
}

function withChannels(image: Image, channels: 1 | 3): Image {
  if (image.channels === channels) return image;
  const { width, height, pixels } = image;
  const converted = new Float32Array(width * height * channels);
  for (let p = 0; p < width * height; p++) {
    if (channels === 3) converted.fill(pixels[p] as number, p * 3, p * 3 + 3);
    else {
      const [r, g, b] = pixels.subarray(p * 3, p * 3 + 3) as unknown as [number, number, number];
      converted[p] = 0.299 * r + 0.587 * g + 0.114 * b;
    }
  }
  return { width, height, channels, pixels: converted };
}

function statistics({ normalize, mean, std }: ImageOptions, float: boolean) {
  const preset = STATISTICS[float ? normalize : 'bytes'];
  return { mean: mean ?? preset.mean, std: std ?? preset.std };
}
