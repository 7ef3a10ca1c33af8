import { SardonyxError } from '../base/errors.js';

/** Mean and standard deviation of red, green and blue that normalize colors from 0 to 1. */
export const STATISTICS = {
  /** 0 … 1 */
  unit: { mean: [0], std: [1] },
  /** −1 … 1: SigLIP, ViT, MobileNet of TensorFlow */
  signed: { mean: [0.5], std: [0.5] },
  /** torchvision, timm, and most models trained on ImageNet */
  imagenet: { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] },
  /** OpenAI's CLIP and its descendants */
  clip: { mean: [0.48145466, 0.4578275, 0.40821073], std: [0.26862954, 0.26130258, 0.27577711] },
  /** 0 … 255 */
  bytes: { mean: [0], std: [1 / 255] },
} as const;

/** Common normalizations, by name: `unit` is 0 to 1, `signed` -1 to 1, `bytes` 0 to 255; `imagenet` and `clip` use the mean and standard deviation of these data sets. */
export type Normalization = keyof typeof STATISTICS;
export const NORMALIZATIONS = Object.keys(STATISTICS) as readonly Normalization[];

/** One number for all colors, or one each for red, green, blue (and alpha), regardless of the order of the tensor's channels. */
export type PerColor = number | readonly number[];

/** Normalization of pixels to tensor values, or the reverse. */
export interface NormalizationOptions {
  /** A named normalization; default `unit` for floating-point tensors, always `bytes` for others. */
  readonly normalize?: Normalization | undefined;
  /** Replaces `normalize`: subtracted from colors in 0 … 1. */
  readonly mean?: PerColor | undefined;
  /** Replaces `normalize`: divides the difference. */
  readonly std?: PerColor | undefined;
}

/** Positions of red, green, blue and alpha in a pixel, in the tensor's order. Gray has none. */
export const CHANNELS = {
  RGB: [0, 1, 2],
  BGR: [2, 1, 0],
  RBG: [0, 2, 1],
  RGBA: [0, 1, 2, 3],
  BGRA: [2, 1, 0, 3],
  grey: [0],
} as const;

/** The channels of a tensor and their order. */
export type Channels = keyof typeof CHANNELS;

/** A tensor's entry is `scale` times a color in 0 … 1, plus `shift`. */
export interface Affine {
  readonly scale: number;
  readonly shift: number;
}

const ALPHA = 3;
const BYTES = STATISTICS.bytes;

/**
 * The affine function of each channel, in the tensor's order. With named statistics of three colors, gray uses their mean; alpha is not
 * normalized.
 */
export function affinesOf(options: NormalizationOptions, channels: Channels, isFloat: boolean): readonly Affine[] {
  const { normalize = 'unit', mean, std } = options;
  const named = isFloat ? STATISTICS[oneOf(normalize, NORMALIZATIONS, 'normalize')] : BYTES;
  return CHANNELS[channels].map((color) => {
    const [m, s] = [
      colorValue(mean ?? named.mean, channels, color, 'mean', 0),
      colorValue(std ?? named.std, channels, color, 'std', 1),
    ];
    if (!Number.isFinite(m) || !Number.isFinite(s) || s === 0)
      throw new SardonyxError('INVALID_ARGUMENT', `mean ${m} and std ${s} normalize nothing`);
    return { scale: 1 / s, shift: -m / s };
  });
}

function colorValue(given: PerColor, channels: Channels, color: number, name: string, plain: number): number {
  if (typeof given === 'number') return given;
  if (given.length === 1) return given[0] as number;
  if (channels === 'grey' && given.length === 3) return given.reduce((a, b) => a + b) / 3;
  if (color === ALPHA && given.length === 3) return plain;
  if (color < given.length && (given.length === 3 || given.length === 4)) return given[color] as number;
  throw new SardonyxError('INVALID_ARGUMENT', `${name} must be one number, or one for each color, not [${given}]`);
}

/** Checks that an option has one of the known values. */
export function oneOf<T extends string>(choice: T, known: readonly T[], option: string): T {
  if (known.includes(choice)) return choice;
  throw new SardonyxError('INVALID_ARGUMENT', `${option} is one of ${known.join(', ')}, not ${JSON.stringify(choice)}`);
}
